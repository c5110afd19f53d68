// A bot for FightTheLandlord and FightTheLandlord2 of Botzone: one line of JSON in, one line out. C++11 or newer.
//
// It lists its moves, and takes the one after which its hand needs the fewest turns. Begin your changes at `choose`.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

// One process for a whole game; the argument --keep-running does the same. At the site there are no arguments: write
// true here, and tick it there.
bool keep_running = false;

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

int sum(const Hand &hand) {
    int cards = 0;
    for (int held : hand) cards += held;
    return cards;
}

int number_of(const Hand &hand, int copies) { return std::count(hand.begin(), hand.end(), copies); }

// ---- moves ----

// Copies, length, kicker: 3 of each of 2 ranks in a row, each with a pair as its kicker, are {3, 2, 2}.
typedef std::array<int, 3> Kind;

// A move beats another of its kind if its rank, the lowest of the row, is higher.
struct Move {
    Kind kind;
    int rank;
    Hand cards;
    bool is_pass() const { return kind[0] == 0; }
};

const Move PASS = {};
const Kind BOMB = {{4, 1, 0}}, ROCKET = {{1, 2, 0}}, ROW_OF_BOMBS = {{4, 0, 0}};
// The shortest row of so many copies; rows of bombs are legal, too, but this bot plays none.
const int SHORTEST[] = {0, 5, 3, 2, RANKS};

// Adds every way to choose so many more kickers, of these ranks and above, to a move.
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

// Lists every move that the hand can lead.
std::vector<Move> moves(const Hand &hand) {
    std::vector<Move> found;
    for (int copies = 1; copies <= 4; copies++) {
        for (int low = 0; low < RANKS; low++) {
            Move move = {{{copies, 0, 0}}, low, {}};
            for (int rank = low; rank < RANKS && hand[rank] >= copies; rank++) {
                move.cards[rank] = copies;
                int length = ++move.kind[1];
                if (length > 1 && (length < SHORTEST[copies] || rank > ACE)) continue;
                int number = copies == 3 ? length : copies == 4 ? 2 : 0;
                for (int kicker = 0; kicker <= (number ? 2 : 0); kicker++) {
                    Move one = move;
                    one.kind[2] = kicker;
                    add_kickers(hand, one, kicker ? number : 0, 0, found);
                }
            }
        }
    }
    if (hand[LITTLE_JOKER] && hand[BIG_JOKER]) found.push_back({ROCKET, LITTLE_JOKER, hand_of({52, 53})});
    return found;
}

// Finds out what a player played; rows of bombs are of a kind of their own, which only a bomb beats.
Move move_of(const Cards &cards) {
    Hand hand = hand_of(cards);
    if (cards.empty()) return PASS;
    for (const Move &move : moves(hand))
        if (move.cards == hand) return move;
    return {ROW_OF_BOMBS, 0, hand};
}

bool beats(const Move &move, const Move &table) {
    if (move.kind == table.kind) return move.rank > table.rank;
    return move.kind == ROCKET || (move.kind == BOMB && table.kind != ROCKET);
}

// Gets the longest row of so many copies as cards; none if that is no move.
Hand longest_row(const Hand &hand, int copies) {
    int best = 0, end = 0, length = 0;
    for (int rank = 0; rank < TWO; rank++) {
        length = hand[rank] >= copies ? length + 1 : 0;
        if (length > best) best = length, end = rank + 1;
    }
    Hand row{};
    if (best >= SHORTEST[copies])
        for (int rank = end - best; rank < end; rank++) row[rank] = copies;
    return row;
}

// Estimates how many moves the hand needs: kickers go with trios and bombs, and rows are played as rows.
int turns(const Hand &hand) {
    static std::map<Hand, int> known;
    auto found = known.find(hand);
    if (found != known.end()) return found->second;
    int small = number_of(hand, 1) + number_of(hand, 2), trios = number_of(hand, 3);
    int best = small + trios + number_of(hand, 4) - std::min(small, trios);
    if (hand[LITTLE_JOKER] && hand[BIG_JOKER]) best--;
    for (int copies = 1; copies <= 3; copies++) {
        Hand row = longest_row(hand, copies);
        if (sum(row)) best = std::min(best, 1 + turns(without(hand, row)));
    }
    return known[hand] = std::max(best, sum(hand) ? 1 : 0);
}

// ---- what the bot reads: JSON, as far as Botzone uses it ----

struct Value {
    std::vector<Value> list;
    std::map<std::string, Value> keys;
    int number = 0;
    bool has(const std::string &key) const { return keys.count(key) > 0; }
    Cards cards() const {
        Cards found;
        for (const Value &one : list) found.push_back(one.number);
        return found;
    }
};

struct Reader {
    const char *at;

    char next() {
        while (*at == ' ' || *at == '\t' || *at == '\r') at++;
        if (!*at) throw std::runtime_error("the line is cut off");
        return *at;
    }

    std::string text() {
        std::string found;
        for (at++; *at && *at != '"'; at++) {
            if (*at == '\\' && at[1]) at++;
            found += *at;
        }
        next();
        at++;
        return found;
    }

    Value value() {
        Value found;
        char first = next();
        if (first == '{' || first == '[') {
            char last = first == '{' ? '}' : ']';
            at++;
            while (next() != last) {
                if (first == '[') {
                    found.list.push_back(value());
                } else {
                    if (next() != '"') throw std::runtime_error("a key is missing");
                    std::string key = text();
                    if (next() != ':') throw std::runtime_error("a colon is missing");
                    at++;
                    found.keys[key] = value();
                }
                if (next() == ',') at++;
            }
            at++;
        } else if (first == '"') {
            text();
        } else {
            const char *begin = at;
            found.number = std::atoi(at);
            while (*at && !std::strchr(" ,:]}", *at)) at++;
            if (at == begin) throw std::runtime_error("a value is missing");
        }
        return found;
    }
};

// ---- what the bot knows ----

struct Table {
    std::set<int> cards;  // the bot's, as ids
    int seat;             // the bot's: 0 is the landlord, then come 1 and 2
    int left[3];          // how many cards each seat has left
    Move move;            // the one to beat; PASS where the bot leads
    int by;               // the seat that played it
};

// Reads a game so far: each request has the last moves of the two others, the older first.
Table look(const std::vector<Value> &requests, const std::vector<Value> &responses) {
    size_t bids = 0;
    while (requests.at(bids).has("bid")) bids++;
    const Value first = requests[bids];
    const Cards own = first.keys.at("own").cards();
    Table table = {std::set<int>(own.begin(), own.end()), 0, {20, 17, 17}, PASS, 0};
    if (first.has("pos")) {
        table.seat = (first.keys.at("pos").number - first.keys.at("landlord").number + 3) % 3;
        if (table.seat == 0)
            for (int card : first.keys.at("publiccard").cards()) table.cards.insert(card);
    } else {
        table.seat = own.size() == 20 ? 0 : first.keys.at("history").list.at(0).list.empty() ? 1 : 2;
    }
    for (size_t turn = bids; turn < requests.size(); turn++) {
        const std::vector<Value> history = requests[turn].keys.at("history").list;
        for (int place : {1, 2}) {
            const Cards played = history.at(place - 1).cards();
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

// ---- what it does ----

// Bids 1 to 3 if what the hand wins makes up for the turns that it needs, and no player bid as much.
int bid(const Hand &hand, const Cards &earlier) {
    int points = 5 * hand[BIG_JOKER] + 3 * hand[LITTLE_JOKER] + 2 * hand[TWO] + hand[ACE] + number_of(hand, 4);
    points -= turns(hand);
    int wanted = points >= 0 ? 3 : points >= -1 ? 2 : points >= -2 ? 1 : 0;
    for (int other : earlier)
        if (other >= wanted) return 0;
    return wanted;
}

// Chooses a move, or the pass.
Move choose(const Table &table) {
    const Hand hand = hand_of(Cards(table.cards.begin(), table.cards.end()));
    const bool leads = table.move.is_pass();
    const int fewest = table.seat ? table.left[0] : std::min(table.left[1], table.left[2]);
    Move best = PASS;
    std::tuple<int, int, int> lowest;
    for (const Move &move : moves(hand)) {
        if (!leads && !beats(move, table.move)) continue;
        const int after = turns(without(hand, move.cards)), size = sum(move.cards);
        const bool is_bomb = move.kind == BOMB || move.kind == ROCKET;
        const bool feeds = leads && size == fewest && size <= 2;  // an enemy may play its last cards over it
        const int price = after ? 2 * is_bomb + 2 * feeds : 0;
        const auto cost = std::make_tuple(after + price, feeds ? -move.rank : move.rank, -size);
        if (best.is_pass() || cost < lowest) best = move, lowest = cost;
    }
    if (leads || best.is_pass()) return best;
    const int now = turns(hand), after = turns(without(hand, best.cards));
    const bool is_bomb = best.kind == BOMB || best.kind == ROCKET;
    if (after == 0) return best;
    if (table.seat && table.by)  // the partner's: help it only with a low card
        return after < now && best.rank <= 7 && !is_bomb ? best : PASS;
    if (is_bomb) return after <= 2 || fewest <= 4 ? best : PASS;
    return after <= now || fewest <= 4 ? best : PASS;
}

// Answers the last request, with a number in an auction, else with a list of ids.
Value respond(const std::vector<Value> &requests, const std::vector<Value> &responses) {
    Value answer;
    const Value last = requests.at(requests.size() - 1);
    if (last.has("bid")) {
        answer.number = bid(hand_of(last.keys.at("own").cards()), last.keys.at("bid").cards());
        return answer;
    }
    const Table table = look(requests, responses);
    Hand wanted = choose(table).cards;
    for (int card : table.cards) {
        if (wanted[rank_of(card)]-- <= 0) continue;
        answer.list.push_back(Value());
        answer.list.back().number = card;
    }
    return answer;
}

void print(const Value &answer, bool is_bid) {
    std::cout << "{\"response\":";
    if (is_bid) std::cout << answer.number;
    const char *before = "[";
    for (int card : answer.cards()) std::cout << before << card, before = ",";
    std::cout << (is_bid ? "" : answer.list.empty() ? "[]" : "]") << "}\n";
    if (keep_running) std::cout << ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<\n";
    std::cout.flush();
}

int main(int count, char **words) {
    if (count > 1 && std::string(words[1]) == "--keep-running") keep_running = true;
    std::vector<Value> requests, responses;
    for (std::string line; std::getline(std::cin, line);) {
        const Value message = Reader{line.c_str()}.value();
        if (message.has("requests")) {  // the whole game so far
            requests = message.keys.at("requests").list;
            responses = message.keys.at("responses").list;
        } else {  // a kept process gets only the newest request
            requests.push_back(message);
        }
        responses.push_back(respond(requests, responses));
        print(responses.back(), requests.back().has("bid"));
        if (!keep_running) break;
    }
}
