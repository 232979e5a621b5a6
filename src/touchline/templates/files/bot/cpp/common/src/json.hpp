// Read JSON, because C++ has no library for it.
#pragma once

#include <map>
#include <string>
#include <vector>

class Json {
public:
    // Read a text that holds one value and nothing else; throw std::runtime_error if it does not.
    static Json parse(const std::string &text);

    // The value of a key, or an item; null if there is none.
    const Json &operator[](const std::string &key) const;
    const Json &operator[](std::size_t at) const;
    // The items of a list; none if this is no list.
    const std::vector<Json> &items() const { return items_; }
    // A string; empty if this is none.
    const std::string &text() const { return text_; }
    // A whole number; 0 if this is none. Numbers up to 2^53 are exact.
    long long number() const { return static_cast<long long>(number_); }
    bool is_null() const { return null_; }

private:
    friend class JsonReader;
    bool null_ = true;
    double number_ = 0;
    std::string text_;
    std::vector<Json> items_;
    std::map<std::string, Json> fields_;
};
