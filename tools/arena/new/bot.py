"""
A bot for FightTheLandlord and FightTheLandlord2 of Botzone: one line of JSON in, one line out. Python 3.6 or newer.

It scores each legal move by two things: the chance that it keeps the lead, and the cost of the rest of the hand, in
turns. Change `price` first; then read `choose`.
"""

import json
import sys
from functools import lru_cache
from itertools import combinations, product
from typing import Any, Iterator, List, NamedTuple, Sequence, Tuple

KEEP_RUNNING = True
"""Keeps one process for the whole game. Allow this on the site, too. If False, every turn starts a new process."""

# ---- cards: an id from 0 to 53 has a rank from 0 to 14, in the order 3456789TJQKA2, little joker, big joker ----

RANKS, ACE, TWO, LITTLE_JOKER, BIG_JOKER = 15, 11, 12, 13, 14
Hand = Tuple[int, ...]  # how many cards of each rank


def rank_of(card: int) -> int:
    """Returns the rank of a card id."""
    return card // 4 if card < 52 else card - 39


def hand_of(cards: Sequence[int]) -> Hand:
    """Counts the cards of each rank."""
    return tuple(sum(rank_of(card) == rank for card in cards) for rank in range(RANKS))


def without(hand: Hand, cards: Hand) -> Hand:
    """Takes cards out of a hand."""
    return tuple(held - played for held, played in zip(hand, cards))


# ---- moves ----


class Move(NamedTuple):
    """A move. It beats another move of its kind if its rank is higher."""

    kind: Tuple[int, int, int]  # copies, length, kicker: two trios in a row with two pairs are (3, 2, 2)
    rank: int  # the lowest rank of the row
    cards: Hand


PASS = Move((0, 0, 0), 0, (0,) * RANKS)
DECK = (4,) * 13 + (1, 1)
BOMB, ROCKET = (4, 1, 0), (1, 2, 0)
SHORTEST = {1: 5, 2: 3, 3: 2, 4: RANKS}  # shortest row for each number of copies; this bot plays no rows of bombs


def rows(hand: Hand, low: int) -> Iterator[Move]:
    """Yields the rows without kickers that begin at a rank. A single card, a pair and a trio are rows of length 1."""
    for copies in SHORTEST:
        for end in range(low + 1, RANKS + 1):
            if hand[end - 1] < copies:
                break
            if end == low + 1 or (end >= low + SHORTEST[copies] and end <= TWO):
                yield Move((copies, end - low, 0), low, (0,) * low + (copies,) * (end - low) + (0,) * (RANKS - end))
    if low == LITTLE_JOKER and hand[low] and hand[BIG_JOKER]:
        yield Move(ROCKET, low, hand_of([52, 53]))


def moves(hand: Hand) -> Iterator[Move]:
    """Yields every move that the hand can lead: rows, alone or with single cards or pairs of different ranks."""
    for (copies, length, _), low, row in (row for rank in range(RANKS) for row in rows(hand, rank)):
        slots = {3: length, 4: 2}.get(copies, 0)
        for kicker in (0, 1, 2) if slots else (0,):
            free = [rank for rank in range(RANKS) if not row[rank] and hand[rank] >= kicker]
            for kickers in combinations(free, slots if kicker else 0):
                cards = tuple(kicker if rank in kickers else held for rank, held in enumerate(row))
                yield Move((copies, length, kicker), low, cards)


def move_of(cards: Sequence[int]) -> Move:
    """Finds the move that the cards make. A row of bombs gets a kind of its own, which only a bomb beats."""
    hand = hand_of(cards)
    return next((move for move in moves(hand) if move.cards == hand), Move((4, 0, 0), 0, hand)) if cards else PASS


def beats(move: Move, table: Move) -> bool:
    """Tests whether a move beats the move of another player."""
    higher = move.kind == table.kind and move.rank > table.rank
    return higher or move.kind == ROCKET or (move.kind == BOMB and table.kind not in (BOMB, ROCKET))


# ---- the cost of a hand ----
WAYS = ((), (0, 1, 2, 3, 4), (0, 0, 1, 3, 6), (0, 0, 0, 1, 4), (0, 0, 0, 0, 1))  # [k][n]: ways to choose k of n cards


class Enemies:
    """The number of cards of each enemy, and all cards that the other players hold."""

    def __init__(self, sizes: Sequence[int], unseen: Hand) -> None:
        self.sizes, self.unseen = sizes, unseen
        self.threat, self.cheapest = lru_cache(None)(self._threat), lru_cache(None)(self._cheapest)

    def _threat(self, copies: int, length: int, rank: int) -> float:
        """Estimates how many higher moves of the same kind the enemies hold."""
        expected = 0.0
        for size, low in product(self.sizes, range(rank + 1, (ACE if length > 1 else BIG_JOKER) - length + 2)):
            row = float(size >= copies * length)
            for unseen in self.unseen[low : low + length]:
                row *= min(1.0, WAYS[copies][unseen] * (size / sum(self.unseen)) ** copies)
            expected += row
        return expected

    def holds(self, move: Move) -> float:
        """Estimates the chance that no enemy beats a move."""
        return 0.6 / (0.6 + self.threat(*move.kind[:2], move.rank))

    def price(self, row: Move) -> float:
        """Returns the price of a row in turns: 1, or below 0 for a bomb, because a bomb wins the lead."""
        if row.kind in (BOMB, ROCKET):
            return -0.7 if row.kind == BOMB else -1.7
        return 1

    def _cheapest(self, hand: Hand, kickers: int = 0) -> Tuple[float, int]:
        """Returns the cost of playing out a hand (`kickers` cards or pairs go as kickers), and the number of moves."""
        low = next((rank for rank, held in enumerate(hand) if held), None)
        if low is None:
            return (99 if kickers > 0 else 0), 0
        best = (99.0, 0)
        for row in rows(hand, low):
            cost, turns = self.cheapest(without(hand, row.cards), kickers - (row.kind[0] == 3) * row.kind[1])
            best = min(best, (self.price(row) + cost, 1 + turns))
            if row.kind[0] <= 2 and row.kind[1] == 1:
                best = min(best, self.cheapest(without(hand, row.cards), kickers + 1))
        return best


class Table(NamedTuple):
    """What the bot sees of a game."""

    cards: List[int]  # the bot's cards, as ids
    seat: int  # the bot's seat: 0 is the landlord; 1 and 2 follow in turn
    left: List[int]  # how many cards each seat has left
    unseen: Hand  # all cards that the other two players hold
    move: Move  # the move to beat; PASS when the bot leads
    by: int  # the seat that played it


def look(requests: Sequence[Any], responses: Sequence[Any]) -> Table:
    """Reads the game so far. Each request has the last move of each of the other two players, the older move first."""
    plays = [request for request in requests if "history" in request]
    opening = plays[0]
    cards = set(opening["own"])
    seat = 0 if len(cards) == 20 else 1 if not opening["history"][0] else 2
    if "pos" in opening:
        seat = (opening["pos"] - opening["landlord"]) % 3
        cards.update(opening["publiccard"] if seat == 0 else [])
    left, unseen = [20, 17, 17], without(DECK, hand_of(sorted(cards)))
    for answer in responses[len(requests) - len(plays) :]:
        cards.difference_update(answer)
        left[seat] -= len(answer)
    for request in plays:
        for step, played in enumerate(request["history"], 1):
            left[(seat + step) % 3] -= len(played)
            unseen = without(unseen, hand_of(played))
    older, newer = plays[-1]["history"]
    return Table(sorted(cards), seat, left, unseen, move_of(newer or older), (seat + (2 if newer else 1)) % 3)


# ---- decisions ----


def respond(requests: Sequence[Any], responses: Sequence[Any]) -> Any:
    """Answers the last request."""
    if "bid" in requests[-1]:
        return bid(hand_of(requests[-1]["own"]), requests[-1]["bid"])
    table = look(requests, responses)
    held = [[card for card in table.cards if rank_of(card) == rank] for rank in range(RANKS)]
    return [card for cards, count in zip(held, choose(table).cards) for card in cards[:count]]


def bid(hand: Hand, earlier: Sequence[int]) -> int:
    """Bids more when the hand needs fewer moves. Passes if another player has bid as much."""
    turns = Enemies((17, 17), without(DECK, hand)).cheapest(hand)[1]
    amount = (turns < 9) + (turns < 8) + (turns < 7)
    return amount if amount > max(earlier, default=0) else 0


def choose(table: Table) -> Move:
    """Chooses the move, or pass, that is worth most, in turns."""
    hand = hand_of(table.cards)
    leads, helps = table.move == PASS, table.move != PASS and table.seat > 0 < table.by  # it is the partner's move
    enemies = Enemies(table.left[:1] if table.seat else table.left[1:], table.unseen)
    lost = -8 / min(enemies.sizes) ** 2  # the value of leaving the lead to an enemy
    best, most = PASS, -99 if leads else lost - enemies.cheapest(hand)[0]
    if helps:
        most += (1 if table.seat == 1 else enemies.holds(table.move)) * (max(3 / table.left[table.by], 1) - lost)
    for move in (move for move in moves(hand) if leads or beats(move, table.move)):
        left = without(hand, move.cards)
        if not any(left):
            return move
        if move.kind[0] == 4 and (helps or move.kind[2]):  # keep bombs
            continue
        cost, turns = enemies.cheapest(left)
        holds, own = enemies.holds(move), max(3 / turns**2, 0.1)
        worth = holds * own + (1 - holds) * lost - cost
        worth += (leads and turns > 1) * (0.8 * (move.kind[1] > 1) - 0.1 * move.rank)
        if worth > most:
            best, most = move, worth
    return best


def main() -> None:
    """Answers each line. The first line has the whole game so far; later lines have only the newest request."""
    requests, responses = [], []  # type: List[Any], List[Any]
    for line in sys.stdin:
        message = json.loads(line)
        if "requests" in message:
            requests, responses = message["requests"], message["responses"]
        else:
            requests.append(message)
        responses.append(respond(requests, responses))
        sys.stdout.write(
            json.dumps({"response": responses[-1]}) + "\n" + KEEP_RUNNING * ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<\n"
        )
        sys.stdout.flush()
        if not KEEP_RUNNING:
            break


if __name__ == "__main__":
    main()
