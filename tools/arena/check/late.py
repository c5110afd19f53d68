"""
Positions that a bot may never come to by itself, and to which a fresh process can be put all the same.

A request has the whole history, so that a bot which never follows can be asked with three cards left, and one that
never bids as the landlord. The late positions are cut out of games between built-in players, on arranged deals, so
that histories have moves of every kind: for each seat a lead and a follow with 1 to 8 cards left. Of the turns with as
many cards the one is taken that has most of what the others have not: a bomb before, an enemy with one card, another
kind to beat. Before that, a built-in player played in the bot's place.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from ddzbot.cards import size
from ddzbot.engine import Engine
from ddzbot.game import HIGHEST_BID, SEATS, Game, auction
from ddzbot.rules import BOMB, ROCKET
from ddzbot.search.limit import Limit

from ...judge.game import Bot, JudgeGame
from ...referee.games import make_referee
from ...shared.language import seat_word
from ...shared.message import Message
from ..matches.programs import EngineBot
from .arranged import THEMES, deal
from .bench import OPPONENT
from .scenes import FTL2, Scene

MOST_CARDS = 8
DEALS = 40
"""So many games have a turn of every seat with each number of cards, to lead and to follow."""
PLAYERS = ("random", OPPONENT)
"""Who plays them, by turns: the one gets to odd positions, the other to those of good play."""

_Cell = tuple[int, bool, int]
"""A seat, whether it leads, and how many cards it has left."""


class _Found(NamedTuple):
    """A turn of such a game."""

    initdata: dict[str, Any]
    scripts: tuple[list[Any], ...]
    """By player, all that was said before it."""
    player: int
    features: frozenset[Any]
    """What another turn with as many cards may lack."""


def late_positions(games: Sequence[str]) -> list[Scene]:
    """
    Gets the late positions of a game, or of two games one half each, always the same.

    Each half has leads and follows of all seats. The order is such that soon there was something of everything.
    """
    if len(games) == 1:
        return [scene for _, scene in _positions(games[0])]
    by_game = [
        [scene for cell, scene in _positions(game) if sum(cell) % len(games) == part] for part, game in enumerate(games)
    ]
    return [scene for scenes in zip(*by_game, strict=True) for scene in scenes]


def kept_positions(games: Sequence[str]) -> list[Scene]:
    """Gets one late lead of each seat in each game, with the most cards of those positions."""
    return [
        scene
        for game in games
        for seat in range(SEATS)
        for cell, scene in _positions(game)
        if cell == (seat, True, MOST_CARDS)
    ]


@cache
def _positions(game: str) -> list[tuple[_Cell, Scene]]:
    by_cell: dict[_Cell, list[_Found]] = {}
    for index in range(DEALS):
        for cell, turn in _turns(game, index):
            by_cell.setdefault(cell, []).append(turn)
    cells = sorted(by_cell)
    random.Random(f"late/{game}").shuffle(cells)
    seen: Counter[Any] = Counter()
    chosen = []
    for cell in cells:
        best = max(by_cell[cell], key=lambda turn: sum(1 / (1 + seen[feature]) for feature in turn.features))
        seen.update(best.features)
        first, second, third = best.scripts
        answers = len(best.scripts[best.player]) + 1
        scripts = (first, second, third)
        chosen.append((cell, Scene(game, _name(cell), best.player, scripts, answers, deal=best.initdata)))
    return chosen


def _name(cell: _Cell) -> Message:
    seat, leads, cards = cell
    template = "late follow ({seat}, cards left: {cards})"
    if leads:
        template = "late lead ({seat}, cards left: {cards})"
    return Message(template, seat=seat_word(seat), cards=cards)


def _turns(game: str, number: int) -> Iterator[tuple[_Cell, _Found]]:
    """Plays a game between built-in players, and yields the turns with few cards left."""
    themes = [*THEMES]
    dice = random.Random(f"late/{game}/{number}")
    initdata = deal(game, dice, themes[number % len(themes)], number % SEATS)
    player = PLAYERS[number % len(PLAYERS)]
    bots: list[Bot] = [EngineBot(player, Engine(player), Limit()) for _ in range(SEATS)]
    match = JudgeGame(make_referee(game, initdata, ""), bots)
    responses: list[list[Any]] = [[] for _ in range(SEATS)]
    before = match.referee.game
    for turn in match.turns():
        assert turn.asked is not None and turn.answer is not None
        if before and size(before.hands[before.seat]) <= MOST_CARDS:
            cell = before.seat, before.to_beat is None, size(before.hands[before.seat])
            scripts = tuple(map(list, responses))
            yield cell, _Found(initdata, scripts, turn.asked, _features(before, turn.asked, len(responses[turn.asked])))
        responses[turn.asked].append(turn.answer.response)
        before = turn.game


def _features(game: Game, player: int, turns: int) -> frozenset[Any]:
    left = [size(hand) for hand in game.hands]
    enemies = (1, 2) if game.seat == 0 else (0,)
    table = game.to_beat
    features = {
        "a bomb before": any(move.kind in (BOMB, ROCKET) for move in game.plays),
        "an enemy with one card": any(left[seat] == 1 for seat in enemies),
        "a partner with one card": game.seat > 0 and left[3 - game.seat] == 1,
        "a move over others": table is not None and len(game.legal_moves()) > 1,
        "a long game": turns > 8,
        f"player {player} of landlord {game.landlord_position}": True,
        f"to beat {table.kind}" if table else "a lead": True,
    }
    return frozenset(feature for feature, there in features.items() if there)


def after_auctions() -> list[Scene]:
    """Gets the landlord's first lead after every whole auction, and each peasant's first turn for each landlord."""
    scenes, peasants = [], set()
    for index, bids in enumerate(sorted(_auctions(()), key=len, reverse=True)):
        over = auction(bids)
        assert over
        initdata = deal(FTL2, random.Random(f"auction/{index}"), [*THEMES][index % len(THEMES)], index % SEATS)
        for seat in range(SEATS):
            if not seat or (over[0], seat) not in peasants:
                peasants.add((over[0], seat))
                scenes.append(_after(bids, over[0], seat, initdata))
    return scenes


def _auctions(bids: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yields all auctions that begin with *bids*."""
    if auction(bids):
        yield bids
        return
    for bid in (0, *range(max(bids, default=0) + 1, HIGHEST_BID + 1)):
        yield from _auctions((*bids, bid))


def _after(bids: tuple[int, ...], landlord: int, seat: int, initdata: dict[str, Any]) -> Scene:
    """The first turn of a seat: the landlord leads its lowest card, and the next peasant passes."""
    scripts: list[list[Any]] = [[*bids[player : player + 1]] for player in range(SEATS)]
    if seat:
        scripts[landlord].append([min(initdata["allocation"][landlord])])
    if seat == SEATS - 1:
        scripts[(landlord + 1) % SEATS].append([])
    player = (landlord + seat) % SEATS
    first, second, third = scripts
    title = Message("after the bids {bids} ({seat})", bids=", ".join(map(str, bids)), seat=seat_word(seat))
    return Scene(FTL2, title, player, (first, second, third), len(scripts[player]) + 1, deal=initdata)
