// A bot for FightTheLandlord and FightTheLandlord2 of Botzone: one line of JSON in, one line out. C++11 or newer.
//
// It scores each legal move by two things: the chance that it keeps the lead, and the cost of the rest of the hand, in
// turns. Change `price` first; then read `choose`.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// Keeps one process for the whole game. Allow this on the site, too. If false, every turn starts a new process.
const bool KEEP_RUNNING = true;

// ---- cards: an id from 0 to 53 has a rank from 0 to 14, in the order 3456789TJQKA2, little joker, big joker ----

const int RANKS = 15, ACE = 11, TWO = 12, LITTLE_JOKER = 13, BIG_JOKER = 14;
typedef std::array<int, RANKS> Hand;  // how many cards of each rank
typedef std::vector<int> Cards;       // ids

int rank_of(int card) { return card < 52 ? card / 4 : card - 39; }

Hand hand_of(const Cards &cards) {
    Hand hand{};
    for (int card : cards) hand.at(rank_of(card))++;
    return hand;
}

Hand without(Hand hand, const Hand &cards) {
    for (int rank = 0; rank < RANKS; rank++) hand[rank] -= cards[rank];
    return hand;
}

int sum(const Hand &hand) { return std::accumulate(hand.begin(), hand.end(), 0); }

// ---- moves ----

// Copies, length, kicker: two trios in a row with two pairs are {3, 2, 2}.
typedef std::array<int, 3> Kind;

// A move. It beats another move of its kind if its rank, the lowest of its row, is higher.
struct Move {
    Kind kind;
    int rank;
    Hand cards;
    bool is_pass() const { return kind[0] == 0; }
};

const Move PASS = {};
const Hand DECK = {{4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 1, 1}};
const Kind BOMB = {{4, 1, 0}}, ROCKET = {{1, 2, 0}};
// The shortest row for each number of copies. Rows of bombs are legal, but this bot plays none.
const int SHORTEST[] = {0, 5, 3, 2, RANKS};

// Completes a move with `number` more kickers of different ranks, from the rank `from` on, in every possible way.
void add_kickers(const Hand &hand, Move move, int number, int from, std::vector<Move> &found) {
    if (number == 0) {
        found.push_back(move);
        return;
    }
    for (int rank = from; rank < RANKS; rank++) {
        if ((rank >= move.rank && rank < move.rank + move.kind[1]) || hand[rank] < move.kind[2]) continue;
        Move more = move;
        more.cards[rank] = move.kind[2];
        add_kickers(hand, more, number - 1, rank + 1, found);
    }
}

// Lists the rows without kickers that begin at a rank. A single card, a pair and a trio are rows of length 1.
std::vector<Move> rows(const Hand &hand, int low) {
    std::vector<Move> found;
    for (int copies = 1; copies <= 4; copies++) {
        Move move = {{{copies, 0, 0}}, low, {}};
        for (int rank = low; rank < RANKS && hand[rank] >= copies; rank++) {
            move.cards[rank] = copies;
            int length = ++move.kind[1];
            if (length == 1 || (length >= SHORTEST[copies] && rank <= ACE)) found.push_back(move);
        }
    }
    if (low == LITTLE_JOKER && hand[low] && hand[BIG_JOKER]) found.push_back({ROCKET, low, hand_of({52, 53})});
    return found;
}

// Lists every move that the hand can lead.
std::vector<Move> moves(const Hand &hand) {
    std::vector<Move> found;
    for (int low = 0; low < RANKS; low++) {
        for (Move move : rows(hand, low)) {
            int number = move.kind[0] == 3 ? move.kind[1] : move.kind[0] == 4 ? 2 : 0;
            for (move.kind[2] = 0; move.kind[2] <= (number ? 2 : 0); move.kind[2]++)
                add_kickers(hand, move, move.kind[2] ? number : 0, 0, found);
        }
    }
    return found;
}

// Finds the move that the cards make. A row of bombs gets a kind of its own, which only a bomb beats.
Move move_of(const Cards &cards) {
    Hand hand = hand_of(cards);
    if (cards.empty()) return PASS;
    for (const Move &move : moves(hand))
        if (move.cards == hand) return move;
    return {{{4, 0, 0}}, 0, hand};
}

bool beats(const Move &move, const Move &table) {
    if (move.kind == table.kind) return move.rank > table.rank;
    return move.kind == ROCKET || (move.kind == BOMB && table.kind != ROCKET);
}

// ---- the cost of a hand ----

// WAYS[k][n]: the number of ways to choose k of n cards.
const int WAYS[5][5] = {{}, {0, 1, 2, 3, 4}, {0, 0, 1, 3, 6}, {0, 0, 0, 1, 4}, {0, 0, 0, 0, 1}};
// The cost of playing out a hand, and the number of moves.
typedef std::pair<double, int> Way;

// The number of cards of each enemy, and all cards that the other players hold.
struct Enemies {
    Cards sizes;
    Hand unseen;
    std::map<std::pair<Hand, int>, Way> known;

    // Estimates how many higher moves of the same kind the enemies hold.
    double threat(const Move &move) const {
        const int copies = move.kind[0], length = move.kind[1];
        double expected = 0;
        for (int size : sizes) {
            const double share = std::pow(double(size) / sum(unseen), copies);
            for (int low = move.rank + 1; low + length - 1 <= (length > 1 ? ACE : BIG_JOKER); low++) {
                double row = size >= copies * length;
                for (int rank = low; rank < low + length; rank++)
                    row *= std::min(1.0, WAYS[copies][unseen[rank]] * share);
                expected += row;
            }
        }
        return expected;
    }

    // Estimates the chance that no enemy beats a move.
    double holds(const Move &move) const { return 0.6 / (0.6 + threat(move)); }

    // Returns the price of a row in turns: 1, or below 0 for a bomb, because a bomb wins the lead.
    double price(const Move &row) const {
        if (row.kind == BOMB || row.kind == ROCKET) return row.kind == BOMB ? -0.7 : -1.7;
        return 1;
    }

    // Returns the cost of playing out a hand (`kickers` cards or pairs go as kickers), and the number of moves.
    Way cheapest(const Hand &hand, int kickers = 0) {
        const int low = std::find_if(hand.begin(), hand.end(), [](int held) { return held > 0; }) - hand.begin();
        if (low == RANKS) return Way(kickers > 0 ? 99 : 0, 0);
        const auto key = std::make_pair(hand, kickers);
        if (known.count(key)) return known[key];
        Way best(99, 0);
        for (const Move &row : rows(hand, low)) {
            for (bool goes_along : {false, true}) {
                if (goes_along && (row.kind[0] > 2 || row.kind[1] > 1)) continue;
                const int more = goes_along ? -1 : row.kind[0] == 3 ? row.kind[1] : 0;
                const Way rest = cheapest(without(hand, row.cards), kickers - more);
                best = std::min(best, Way((goes_along ? 0 : price(row)) + rest.first, !goes_along + rest.second));
            }
        }
        return known[key] = best;
    }
};

// ---- a reader for JSON, as far as Botzone uses it ----

struct Value {
    std::vector<Value> list;
    std::map<std::string, Value> keys;
    std::string text;
    int number = 0;
    bool has(const std::string &key) const { return keys.count(key) > 0; }
    Cards cards() const {
        Cards found;
        for (const Value &one : list) found.push_back(one.number);
        return found;
    }
};

const char *const BLANKS = " \t\r,:";  // to a reader that checks nothing

// Reads a value, and moves on behind it.
Value read(const char *&at) {
    Value found;
    at += std::strspn(at, BLANKS);
    const char *const begin = at;
    if (*at == '{' || *at == '[') {
        for (at++; *(at += std::strspn(at, BLANKS)) != (*begin == '{' ? '}' : ']');) {
            const std::string key = *begin == '{' ? read(at).text : "";
            const Value one = read(at);
            if (*begin == '{') found.keys[key] = one;
            if (*begin == '[') found.list.push_back(one);
        }
        at++;
    } else if (*at == '"') {
        for (at++; *at && *at != '"';) at += *at == '\\' && at[1] ? 2 : 1;
        found.text.assign(begin + 1, at);
        at += *at == '"';
    } else {
        found.number = std::atoi(at);
        at += std::strcspn(at, " \t\r,:]}");
    }
    if (at == begin) throw std::runtime_error("the line is cut off");
    return found;
}

// ---- what the bot knows ----

struct Table {
    std::set<int> cards;  // the bot's cards, as ids
    int seat;             // the bot's seat: 0 is the landlord; 1 and 2 follow in turn
    int left[3];          // how many cards each seat has left
    Hand unseen;          // all cards that the other two players hold
    Move move;            // the move to beat; PASS when the bot leads
    int by;               // the seat that played it
};

// Reads the game so far. Each request has the last move of each of the other two players, the older move first.
Table look(const std::vector<Value> &requests, const std::vector<Value> &responses) {
    size_t bids = 0;
    while (requests.at(bids).has("bid")) bids++;
    const Value first = requests[bids];
    const Cards own = first.keys.at("own").cards();
    Table table = {std::set<int>(own.begin(), own.end()), 0, {20, 17, 17}, DECK, PASS, 0};
    if (first.has("pos")) {
        table.seat = (first.keys.at("pos").number - first.keys.at("landlord").number + 3) % 3;
        if (table.seat == 0)
            for (int card : first.keys.at("publiccard").cards()) table.cards.insert(card);
    } else {
        table.seat = own.size() == 20 ? 0 : first.keys.at("history").list.at(0).list.empty() ? 1 : 2;
    }
    for (int card : table.cards) table.unseen[rank_of(card)]--;
    for (size_t turn = bids; turn < requests.size(); turn++) {
        const std::vector<Value> history = requests[turn].keys.at("history").list;
        for (int place : {1, 2}) {
            const Cards played = history.at(place - 1).cards();
            table.unseen = without(table.unseen, hand_of(played));
            table.left[(table.seat + place) % 3] -= played.size();
            if (turn + 1 < requests.size() || played.empty()) continue;
            table.move = move_of(played);
            table.by = (table.seat + place) % 3;
        }
        if (turn >= responses.size()) continue;
        for (int card : responses[turn].cards()) table.cards.erase(card), table.left[table.seat]--;
    }
    return table;
}

// ---- decisions ----

// Bids more when the hand needs fewer moves. Passes if another player has bid as much.
int bid(const Hand &hand, const Cards &earlier) {
    const int turns = Enemies{{17, 17}, without(DECK, hand), {}}.cheapest(hand).second;
    const int wanted = (turns < 9) + (turns < 8) + (turns < 7);
    return earlier.empty() || wanted > *std::max_element(earlier.begin(), earlier.end()) ? wanted : 0;
}

// Chooses the move, or pass, that is worth most, in turns.
Move choose(const Table &table) {
    const Hand hand = hand_of(Cards(table.cards.begin(), table.cards.end()));
    const bool leads = table.move.is_pass(), helps = !leads && table.seat && table.by;  // it is the partner's move
    Enemies enemies = {{table.left[0]}, table.unseen, {}};
    if (!table.seat) enemies.sizes = {table.left[1], table.left[2]};
    const int fewest = *std::min_element(enemies.sizes.begin(), enemies.sizes.end());
    const double lost = -8.0 / (fewest * fewest);  // the value of leaving the lead to an enemy
    Move best = PASS;
    double most = leads ? -99 : lost - enemies.cheapest(hand).first;
    if (helps) {
        const double holds = table.seat == 1 ? 1 : enemies.holds(table.move);  // the landlord has passed, or may pass
        most += holds * (std::max(3.0 / table.left[table.by], 1.0) - lost);
    }
    for (const Move &move : moves(hand)) {
        const Hand rest = without(hand, move.cards);
        if (!leads && !beats(move, table.move)) continue;
        if (!sum(rest)) return move;
        if (move.kind[0] == 4 && (helps || move.kind[2])) continue;  // keep bombs
        const Way way = enemies.cheapest(rest);
        const double holds = enemies.holds(move), own = std::max(3.0 / (way.second * way.second), 0.1);
        double worth = holds * own + (1 - holds) * lost - way.first;
        if (leads && way.second > 1) worth += 0.8 * (move.kind[1] > 1) - 0.1 * move.rank;
        if (worth > most) most = worth, best = move;
    }
    return best;
}

// Answers the last request: in the auction with a number, in card play with a list of ids.
std::string respond(const std::vector<Value> &requests, const std::vector<Value> &responses) {
    const Value last = requests.at(requests.size() - 1);
    if (last.has("bid")) return std::to_string(bid(hand_of(last.keys.at("own").cards()), last.keys.at("bid").cards()));
    const Table table = look(requests, responses);
    Hand wanted = choose(table).cards;
    std::string answer;
    for (int card : table.cards)
        if (wanted[rank_of(card)]-- > 0) answer += (answer.empty() ? "" : ",") + std::to_string(card);
    return "[" + answer + "]";
}

int main() {
    std::vector<Value> requests, responses;
    for (std::string line; std::getline(std::cin, line);) {
        const char *at = line.c_str();
        const Value message = read(at);
        if (message.has("requests")) {  // the whole game so far
            requests = message.keys.at("requests").list;
            responses = message.keys.at("responses").list;
        } else {  // a kept process gets only the newest request
            requests.push_back(message);
        }
        const std::string answer = respond(requests, responses);
        responses.push_back(read(at = answer.c_str()));
        std::cout << "{\"response\":" << answer << "}\n";
        std::cout << (KEEP_RUNNING ? ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<\n" : "") << std::flush;
        if (!KEEP_RUNNING) break;
    }
}
