// `make test` compares the legal moves with those of the referee, in the positions of turns.jsonl.
#include <algorithm>
#include <fstream>
#include <iostream>
#include <set>
#include <stdexcept>

#include "../src/bot.hpp"
#include "../src/json.hpp"
#include "../src/rules.hpp"

static int failures = 0;

static void check(bool holds, const std::string &what) {
    if (holds) return;
    std::cerr << what << '\n';
    failures++;
}

static void check_turn(int turn, const Json &json) {
    std::multiset<std::string> legal, found;
    for (const Json &move : json["legal"].items()) legal.insert(move.text());
    const Position position = Position::read(json["position"]);
    const std::vector<Move> moves = legal_moves(position);
    for (const Move &move : moves) found.insert(move.json());
    check(found == legal, "turn " + std::to_string(turn) + ": the legal moves are not those of the referee");
    const std::string chosen = choose(position, moves).json();
    check(legal.count(chosen) == 1, "turn " + std::to_string(turn) + ": " + chosen + " is not legal");
}

static void check_json() {
    const Json json = Json::parse(R"( {"a\n\u0062": [1, -2e1, true, null, {}], "ж": "\u0436\u2502\ud83d\ude00"} )");
    check(json["a\nb"][1].number() == -20 && json["ж"].text() == "ж│😀", "JSON is misread");
    for (const std::string &bad : {std::string(), std::string("["), std::string("[1"), std::string("{\"a\" 1}"),
                                   std::string("\"a"), std::string("nul"), std::string("1 2"),
                                   std::string("\"\\u12"), std::string(1000, '[')}) {
        try {
            Json::parse(bad);
            check(false, "bad JSON is read: " + bad);
        } catch (const std::runtime_error &) {
        }
    }
}

int main() {
    std::ifstream file("turns.jsonl");
    int turns = 0;
    for (std::string line; std::getline(file, line); turns++) check_turn(turns, Json::parse(line));
    check_json();
    check(turns > 0, "turns.jsonl cannot be read");
    std::cout << turns << " turns: " << (failures ? "FAILED" : "all moves are legal") << '\n';
    return failures ? 1 : 0;
}
