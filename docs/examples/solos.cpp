// g++ -O2 -o solos solos.cpp; then: ddzbot rules check ./solos. It lists the solos alone: put your generator here.
#include <iostream>
#include <string>
int main() {
    const std::string ranks = "3456789TJQKA2LB";
    for (std::string line; std::getline(std::cin, line);) {
        auto value = [&](const char *key) {
            size_t at = line.find('"', line.find(key) + std::string(key).size()) + 1;
            return line.substr(at, line.find('"', at) - at);
        };
        std::string hand = value("\"hand\""), table = value("\"to_beat\""), moves = table.empty() ? "" : ",\"pass\"";
        for (char card : ranks)
            if (hand.find(card) != hand.npos && (table.empty() || (table.size() == 1 && ranks.find(card) > ranks.find(table))))
                moves += std::string(",\"") + card + '"';
        std::cout << '[' << (moves.empty() ? "" : moves.substr(1)) << ']' << std::endl;
    }
}
