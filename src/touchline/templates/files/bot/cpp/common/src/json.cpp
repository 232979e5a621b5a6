#include "json.hpp"

#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace {
constexpr int DEEPEST = 64;
const Json NONE;
} // namespace

const Json &Json::operator[](const std::string &key) const {
    const auto found = fields_.find(key);
    return found == fields_.end() ? NONE : found->second;
}

const Json &Json::operator[](std::size_t at) const { return at < items_.size() ? items_[at] : NONE; }

class JsonReader {
public:
    explicit JsonReader(const std::string &text) : text_(text) {}

    Json whole() {
        Json value = read(0);
        skip_blanks();
        if (at_ < text_.size()) fail("the end");
        return value;
    }

private:
    const std::string &text_;
    std::size_t at_ = 0;

    [[noreturn]] void fail(const std::string &wanted) const {
        throw std::runtime_error(wanted + " was expected at byte " + std::to_string(at_));
    }

    void skip_blanks() {
        while (at_ < text_.size() && std::strchr(" \t\r\n", text_[at_]) && text_[at_]) at_++;
    }

    // Skip a word if it comes next.
    bool takes(const char *word) {
        const bool found = text_.compare(at_, std::strlen(word), word) == 0;
        if (found) at_ += std::strlen(word);
        return found;
    }

    Json read(int depth) {
        Json value;
        skip_blanks();
        if (depth > DEEPEST) fail("a value that is not nested so deeply");
        if (takes("null")) return value;
        value.null_ = false;
        if (takes("{"))
            read_fields(value, depth);
        else if (takes("["))
            read_items(value, depth);
        else if (takes("\""))
            value.text_ = read_string();
        else if (takes("true"))
            value.number_ = 1;
        else if (!takes("false"))
            value.number_ = read_number();
        return value;
    }

    void read_items(Json &list, int depth) {
        skip_blanks();
        if (takes("]")) return;
        while (true) {
            list.items_.push_back(read(depth + 1));
            skip_blanks();
            if (takes("]")) return;
            if (!takes(",")) fail("',' or ']'");
        }
    }

    void read_fields(Json &object, int depth) {
        skip_blanks();
        if (takes("}")) return;
        while (true) {
            skip_blanks();
            if (!takes("\"")) fail("a string");
            const std::string key = read_string();
            skip_blanks();
            if (!takes(":")) fail("':'");
            object.fields_[key] = read(depth + 1);
            skip_blanks();
            if (takes("}")) return;
            if (!takes(",")) fail("',' or '}'");
        }
    }

    double read_number() {
        const std::size_t end = text_.find_first_not_of("+-.eE0123456789", at_);
        const std::string digits = text_.substr(at_, end == std::string::npos ? end : end - at_);
        char *rest = nullptr;
        const double number = std::strtod(digits.c_str(), &rest);
        if (digits.empty() || *rest) fail("a value");
        at_ += digits.size();
        return number;
    }

    std::string read_string() {
        std::string found;
        while (at_ < text_.size()) {
            const char c = text_[at_++];
            if (c == '"') return found;
            if (c == '\\')
                found += escaped();
            else
                found += c;
        }
        fail("'\"'");
    }

    std::string escaped() {
        if (at_ >= text_.size()) fail("a character");
        const char c = text_[at_++];
        switch (c) {
            case 'n': return "\n";
            case 't': return "\t";
            case 'r': return "\r";
            case 'b': return "\b";
            case 'f': return "\f";
            case 'u': break;
            default: return std::string(1, c);
        }
        unsigned code = four_digits();
        if (code >= 0xD800 && code < 0xDC00 && takes("\\u"))
            code = 0x10000 + ((code - 0xD800) << 10) + (four_digits() & 0x3FF);
        return utf8(code);
    }

    unsigned four_digits() {
        const std::string digits = text_.substr(at_, 4);
        if (digits.size() < 4 || digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos)
            fail("four digits");
        at_ += 4;
        return static_cast<unsigned>(std::stoul(digits, nullptr, 16));
    }

    static std::string utf8(unsigned code) {
        if (code < 0x80) return {static_cast<char>(code)};
        std::string rest;
        unsigned first = 0x3F; // what fits beside the mark of the first byte
        do {
            rest.insert(rest.begin(), static_cast<char>(0x80 | (code & 0x3F)));
            code >>= 6;
            first >>= 1;
        } while (code > first);
        return static_cast<char>((~first << 1 & 0xFF) | code) + rest;
    }
};

Json Json::parse(const std::string &text) { return JsonReader(text).whole(); }
