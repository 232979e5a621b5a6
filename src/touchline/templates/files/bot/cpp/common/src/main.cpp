// Speak with the referee: read one JSON message per line from stdin, write one answer per line to stdout.
// Print to stderr (std::cerr) to debug: stdout belongs to the protocol.
#include <iostream>
#include <string>

#include "bot.hpp"
#include "json.hpp"
#include "rules.hpp"

int main() {
    for (std::string line; std::getline(std::cin, line);) {
        const Json message = Json::parse(line);
        const std::string &type = message["type"].text();
        if (type == "begin") { // a match begins: message["seat"] is your seat, message["names"] are the players
            std::cout << R"({"type":"ready"})" << std::endl;
        } else if (type == "your_turn") {
            const Position position = Position::read(message["position"]);
            const Move chosen = choose(position, legal_moves(position));
            // The answer repeats the number of the turn. std::endl flushes it; without that we would be late.
            std::cout << R"({"type":"act","turn":)" << message["turn"].number() << R"(,"move":)" << chosen.json()
                      << "}" << std::endl;
        } else if (type == "over" || type == "expelled") {
            break; // nothing follows
        } // ignore other messages: later versions may have more of them
    }
}
