"""
Games of public packages beside ours, position by position: ``python -m tests.rules.peer_games --games 20000``.

Moves are drawn by chance from those that both allow. Lists of moves, ends and payments must be those of ``standard``: a
move in one list alone is counted under the row of ``PEER_FAULTS`` that explains it, and is wrong if none does. A third
of the deals is shuffled, a third shuffled badly, so that it has more bombs and planes, and a third begins with the
position of such a row.
"""

import itertools
import random
import sys
import time
from collections import Counter, defaultdict
from functools import cache
from types import SimpleNamespace
from typing import Any

import click
from rich.progress import track
from rich.table import Table

from ddzbot.cards import FULL_DECK, RANK_COUNT, RANKS, UNIT, Hand, counts, hand_text, parse_hand
from ddzbot.game import HIGHEST_BID, SEATS, Deal, Game, auction, is_legal_bid, shuffled, start
from ddzbot.moves import Move
from ddzbot.rules import ICGA, STANDARD, legal_moves
from tests.rules.peer_faults import PEER_FAULTS, PeerFault
from tests.rules.peers import douzero_text, douzero_values, from_rlcard
from tools.shared.terminal import FAULT, Console

STAKES = STANDARD._replace(name="stakes", bidding=True, scoring=ICGA.scoring)
"""The moves of ``standard`` at OpenSpiel's payment: the bid, doubled by bombs, spring and anti-spring."""
ROUNDS = "the auction goes on when each player has bid"
THROWN_IN = "there is no landlord if all pass"
WON = "a win is paid 1, a loss 0"

DOUZERO_SEATS = ("landlord", "landlord_down", "landlord_up")


class Spiel:
    """A game of OpenSpiel, after its auction."""

    name = "OpenSpiel"
    also = (ROUNDS, THROWN_IN)

    def __init__(self, deal: Deal, chance: random.Random, planted: bool, met: Counter[str]) -> None:
        import pyspiel

        self.state = pyspiel.load_game("dou_dizhu").new_initial_state()
        self.first = 0 if planted else chance.randrange(SEATS)
        self._deal(deal)
        bids = self._auction(chance, planted, met)
        self.game = None if self.state.is_terminal() else self._begin(deal, bids)

    def _deal(self, deal: Deal) -> None:
        """Turns up a card of the first bidder, and deals in turn; a suit is as good as another."""
        suits = [iter(range(4)) for _ in range(RANK_COUNT)]
        self.state.apply_action(self.first)
        for rank in itertools.chain.from_iterable(zip(*map(ranks_of, deal.hands), strict=True)):
            self.state.apply_action(51 + (52 + rank - 13 if rank >= 13 else 13 * next(suits[rank]) + rank))

    def _auction(self, chance: random.Random, planted: bool, met: Counter[str]) -> list[int]:
        bids: list[int] = []
        while not self.state.is_terminal() and 0 in self.state.legal_actions():
            theirs = self.state.legal_actions()
            assert theirs == [bid for bid in range(HIGHEST_BID + 1) if is_legal_bid(bids, bid)], bids
            met[ROUNDS] += auction(bids[:SEATS]) is not None
            bids.append(HIGHEST_BID if planted else chance.choice(theirs))
            self.state.apply_action(bids[-1])
        assert self.state.is_terminal() == (not any(bids)) and auction(bids[:SEATS]), bids
        met[THROWN_IN] += self.state.is_terminal()
        return bids

    def _begin(self, deal: Deal, bids: list[int]) -> Game:
        self.landlord = self.state.current_player()
        assert self.landlord == (self.first + bids.index(max(bids))) % SEATS
        landlord, down, up = (deal.hands[(self.landlord + seat) % SEATS] for seat in range(SEATS))
        highest = (HIGHEST_BID,) if HIGHEST_BID in bids else (max(bids), 0, 0)
        return start(Deal(STAKES, (landlord, down, up), deal.bottom), highest)

    def moves(self) -> dict[Hand, int]:
        """Gets what may be played; of several actions that play the same cards the first."""
        actions = reversed(self.state.legal_actions())
        return {spiel_cards(self.state.action_to_string(action)): action for action in actions}

    def play(self, action: int) -> None:
        self.state.apply_action(action)

    def payment(self) -> list[float] | None:
        if not self.state.is_terminal():
            return None
        returns = self.state.returns()
        return [returns[(self.landlord + seat) % SEATS] for seat in range(SEATS)]

    def due(self, game: Game) -> list[float]:
        return list(game.scores())


class RLCard:
    """A game of RLCard, without the features of its environment."""

    name = "RLCard"
    also = (WON,)

    def __init__(self, deal: Deal, chance: random.Random, planted: bool, met: Counter[str]) -> None:
        from rlcard.games.doudizhu import Game as DoudizhuGame

        self.met = met
        self.table = DoudizhuGame()
        order = [rank for hand in (*deal.hands, deal.bottom) for rank in ranks_of(hand)]
        self.table.np_random = SimpleNamespace(shuffle=lambda deck: put_in_order(deck, order))
        self.state, _ = self.table.init_game()
        self.game: Game | None = start(deal)

    def moves(self) -> dict[Hand, str]:
        return {rlcard_cards(action): action for action in self.state["actions"]}

    def play(self, action: str) -> None:
        self.state, _ = self.table.step(action)

    def payment(self) -> list[float] | None:
        if not self.table.is_over():
            return None
        return list(self.table.judger.judge_payoffs(self.table.round.landlord_id, self.table.winner_id))

    def due(self, game: Game) -> list[float]:
        self.met[WON] += 1
        return [score > 0 for score in game.scores()]


class DouZero:
    """A game of DouZero, without the features of its environment, at its scores: with bombs, as ``adp`` counts them."""

    name = "DouZero"
    also = ()

    def __init__(self, deal: Deal, chance: random.Random, planted: bool, met: Counter[str]) -> None:
        from douzero.env.game import GameEnv

        self.action: list[int] = []
        player = SimpleNamespace(act=lambda infoset: self.action)
        self.table = GameEnv(dict.fromkeys(DOUZERO_SEATS, player))
        self.game: Game | None = start(deal)
        hands = map(douzero_values, map(hand_text, self.game.hands))
        bottom = douzero_values(hand_text(deal.bottom))
        self.table.card_play_init({**dict(zip(DOUZERO_SEATS, hands, strict=True)), "three_landlord_cards": bottom})

    def moves(self) -> dict[Hand, list[int]]:
        return {douzero_cards(tuple(move)): move for move in self.table.game_infoset.legal_actions}

    def play(self, action: list[int]) -> None:
        self.action = action
        self.table.step()

    def payment(self) -> list[float] | None:
        if not self.table.game_over:
            return None
        scores = self.table.num_scores
        return [scores["landlord"], scores["farmer"], scores["farmer"]]

    def due(self, game: Game) -> list[float]:
        return list(game.scores())


def ranks_of(hand: Hand) -> list[int]:
    return [rank for rank, held in enumerate(counts(hand)) for _ in range(held)]


def put_in_order(deck: list[Any], ranks: list[int]) -> None:
    """Puts RLCard's deck into the order of these ranks."""
    cards = defaultdict(list)
    for card in deck:
        cards[RANKS.index(from_rlcard(card.rank or card.suit[0]))].append(card)
    deck[:] = [cards[rank].pop() for rank in ranks]


@cache
def spiel_cards(text: str) -> Hand:
    return 0 if text == "Pass" else parse_hand(text.replace("-", "").replace("(BWJ)", "L").replace("(CJ)", "B"))


@cache
def rlcard_cards(text: str) -> Hand:
    return 0 if text == "pass" else parse_hand(from_rlcard(text))


@cache
def douzero_cards(values: tuple[int, ...]) -> Hand:
    return parse_hand(douzero_text(values)) if values else 0


PEERS: dict[str, Any] = {peer.name: peer for peer in (Spiel, RLCard, DouZero)}


def rows_of(name: str) -> list[PeerFault]:
    return [fault for fault in PEER_FAULTS if name in fault.projects.split(", ")]


def known_differences(name: str) -> set[str]:
    """Gets all that a package is known to do otherwise."""
    return {fault.what for fault in rows_of(name)} | {*PEERS[name].also}


def deal_of(number: int, planted: PeerFault | None, chance: random.Random) -> Deal:
    """Deals a game: of a row its lead to the landlord and its hand to the next, or, without a lead, to the landlord."""
    if planted is None and number % 3:
        return badly_shuffled(chance)
    if planted is None:
        return shuffled(STANDARD, f"peers/{number}")
    given = (
        [parse_hand(planted.to_beat), parse_hand(planted.hand)] if planted.to_beat else [parse_hand(planted.hand), 0]
    )
    rest = ranks_of(FULL_DECK - sum(given))
    chance.shuffle(rest)
    hands = [*map(ranks_of, (*given, 0, 0)[:SEATS])]
    for hand, cards in zip(hands, (20, 17, 17), strict=True):
        hand += [rest.pop() for _ in range(cards - len(hand))]
    return deal_in_order([*hands[0][:17], *hands[1], *hands[2], *hands[0][17:]])


def badly_shuffled(chance: random.Random) -> Deal:
    """Deals a sorted deck that was cut into packets of a few cards: hands of many bombs and planes."""
    deck, packets = ranks_of(FULL_DECK), []
    while deck:
        taken = chance.randint(2, 6)
        packets.append(deck[:taken])
        del deck[:taken]
    chance.shuffle(packets)
    return deal_in_order([rank for packet in packets for rank in packet])


def deal_in_order(ranks: list[int]) -> Deal:
    first, second, third, bottom = (sum(UNIT[rank] for rank in ranks[begin : begin + 17]) for begin in (0, 17, 34, 51))
    return Deal(STANDARD, (first, second, third), bottom)


def explain(rows: list[PeerFault], hand: Hand, to_beat: Move | None, moves: set[Hand], met: Counter[str]) -> set[Hand]:
    """Counts the rows by which *moves* are in one list alone, and gets the moves of no row."""
    asked = {"hand": hand_text(hand), "to_beat": str(to_beat or "")}
    right = {move.cards for move in legal_moves(STANDARD, hand, to_beat)}
    left = set(moves)
    for row in rows:
        theirs = {parse_hand(cards) if cards != "pass" else 0 for cards in row.answer(asked)}
        explained = moves & (theirs ^ right)
        met[row.what] += len(explained)
        left -= explained
    return left


def play(name: str, number: int, met: Counter[str]) -> int:
    """
    Plays one game of a package and the same one of ours, and counts its positions.

    :raises AssertionError: if a list, the end or the payment differs, and no row says so.
    """
    chance, rows = random.Random(f"peers/{number}"), rows_of(name)
    planted = rows[number // 3 % len(rows)] if number % 3 == 2 else None
    peer = PEERS[name](deal_of(number, planted, chance), chance, planted is not None, met)
    game = peer.game
    while game is not None and peer.payment() is None:
        theirs, ours = peer.moves(), {move.cards: move for move in game.legal_moves()}
        if theirs.keys() != ours.keys():
            hand, apart = game.hands[game.seat], theirs.keys() ^ ours.keys()
            unknown = explain(rows, hand, game.to_beat, apart, met)
            assert not unknown, f"{name}, game {number}: {game}: {[*map(hand_text, unknown)]}"
        both = sorted(theirs.keys() & ours.keys())
        cards = parse_hand(planted.to_beat) if planted and planted.to_beat and not game.plays else chance.choice(both)
        peer.play(theirs[cards])
        game = game.play(ours[cards])
        assert game.finished == (peer.payment() is not None), f"{name}, game {number}: {game}"
    if game is None:
        return 0
    assert peer.payment() == peer.due(game), f"{name}, game {number}: {peer.payment()}, not {peer.due(game)}"
    return len(game.plays)


@click.command()
@click.option("--games", type=click.IntRange(1), default=200, show_default=True, help="Of each package.")
@click.option("--first", type=click.IntRange(0), default=0, show_default=True, help="The number of the first game.")
@click.option("--only", type=click.Choice([*PEERS]), multiple=True, help="Only this package; may be given again.")
def main(games: int, first: int, only: tuple[str, ...]) -> None:
    """Play games of other packages beside ours, and count what differs; exit with 1 if no row explains it."""
    console, table = Console(), Table("package", "met", "times", box=None)
    for name in only or PEERS:
        met: Counter[str] = Counter()
        before = time.process_time()
        try:
            positions = sum(play(name, number, met) for number in track(range(first, first + games), name))
        except AssertionError as error:
            console.print(str(error), style=FAULT)
            sys.exit(1)
        table.add_row(name, f"games, in {time.process_time() - before:.0f} s", f"{games:,}")
        table.add_row("", "positions", f"{positions:,}")
        for what in sorted(known_differences(name), key=met.__getitem__, reverse=True):
            table.add_row("", what, f"{met[what]:,}")
    console.print(table)


if __name__ == "__main__":
    main()
