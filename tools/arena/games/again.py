"""Plays a recorded deal again by other players, from the auction, from the first move or from a later one."""

import re
from collections.abc import Mapping, Sequence
from itertools import zip_longest

from ddzbot.cards import hand_text
from ddzbot.engine import Engine
from ddzbot.game import SEAT_NAMES, SEATS, Game, auction, start
from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View

from ...records.record import GameRecord, RecordError, record_of
from ...records.screen import result_text
from ...shared.contestants import parse_contestant
from ...shared.seeds import player_seed
from ..matches.game_records import note_of_asked
from ..matches.outcome import Asked
from ..matches.table import show_hands, timed

_EVENT = re.compile(r"(?P<deal>.+) game (?P<game>[0-9]{1,3})")


def parse_players(words: Sequence[str]) -> dict[str, str]:
    """
    Reads which players play: ``SEAT=PLAYER``, or ``PLAYER`` for all seats that are not named.

    :raises ValueError: for a seat that is named twice.
    """
    players: dict[str, str] = {}
    for word in words:
        seat, equals, player = word.partition("=")
        key, contestant = (seat, player) if equals and seat in SEAT_NAMES else ("", word)
        if key in players:
            raise ValueError(f"--replay {word!r}: {key or 'every seat'} has a player already, {players[key]!r}")
        players[key] = contestant
    return players


def players_for(record: GameRecord, wanted: Mapping[str, str]) -> tuple[str, str, str]:
    """
    Gets the player at each position: one that :func:`parse_players` has read, or else the one in the record.

    :raises ValueError: for a name of the record that is not a player of this program.
    """
    names = list(record.names)
    for seat, seat_name in enumerate(SEAT_NAMES):
        position = record.position_of(seat)
        names[position] = wanted.get(seat_name, wanted.get("", names[position]))
        try:
            is_player = not parse_contestant(names[position]).is_program
        except ValueError as error:
            raise ValueError(f"{seat_name}: {error}; name another player with --replay {seat_name}=PLAYER") from None
        if not is_player:
            problem = (
                f"{seat_name}: {names[position]!r} is a program, and only players of this project play from a record"
            )
            raise ValueError(f"{problem}; name one with --replay {seat_name}=PLAYER")
    return names[0], names[1], names[2]


def play_again(
    record: GameRecord,
    names: tuple[str, str, str],
    limit: Limit,
    ply: int = 0,
    seed: int | None = None,
    bid: bool = False,
) -> GameRecord:
    """
    Plays the same cards again after *ply* moves of the record, or with *bid* from the auction on.

    *names* are the players by position. Without a *seed* the players of a match get those that they had, so that the
    same players with a limit of playouts make the same moves.

    :raises RecordError: if a hand is unknown, or a move before is illegal.
    """
    engines = [parse_contestant(name).engine() for name in names]
    seeds = _seeds(record, seed)
    asked: list[Asked] = []
    game = _after_auction(record, engines, seeds) if bid else record.game(ply)
    while not game.finished:
        position = (game.landlord_position + game.seat) % SEATS
        engines[position].reseed(seeds[position])
        show_hands(engines[position], game)
        decision = timed(engines[position], View.of(game, game.seat), limit, position, asked)
        game = game.played(decision.move)
    notes = {move: recorded.note for move, recorded in enumerate(record.moves[:ply])}
    notes.update({choice.ply: note_of_asked(choice, True) for choice in asked if choice.ply is not None})
    event = record.tags.get("Event", "")
    since = "from the auction" if bid else f"from move {ply + 1}"
    tags = {"Event": f"{event}, again {since}" if event else f"again {since}"}
    return record_of(game, names, notes, tags)


def _after_auction(record: GameRecord, engines: Sequence[Engine], seeds: Sequence[int]) -> Game:
    deal = record.deal
    if not deal.rules.bidding:
        raise RecordError(f"rules {deal.rules.name} have no auction that could be played again")
    bids: list[int] = []
    while auction(bids) is None:
        position = len(bids)
        engines[position].reseed(seeds[position])
        bids.append(engines[position].bid(BidView(deal.rules, deal.hands[position], tuple(bids))).bid)
    landlord = auction(bids)
    assert landlord is not None
    return start(deal, bids, landlord[0])


def _seeds(record: GameRecord, seed: int | None) -> list[int]:
    event = _EVENT.fullmatch(record.tags.get("Event", ""))
    deal, game = (event["deal"], int(event["game"])) if event else ("again", 0)
    if seed is not None:
        deal = f"{deal}/{seed}"
    return [player_seed(deal, game, position) for position in range(SEATS)]


def difference_lines(record: GameRecord, again: GameRecord) -> list[str]:
    """Describes what differs between a record and what was played again."""
    lines = []
    if record.bids != again.bids:
        lines.append(f"bids {_bids(record)}, again {_bids(again)}")
    if record.landlord_position != again.landlord_position:
        lines.append(f"the landlord sits at position {again.landlord_position}: this is another game")
        return [*lines, *_results(record, again)]
    pairs = list(zip_longest(record.moves, again.moves))
    alike = [old is not None and new is not None and old.cards == new.cards for old, new in pairs]
    if all(alike):
        return [*lines, f"all {len(pairs)} moves are the same"]
    same = alike.index(False)
    if same:
        lines.append(f"moves 1 to {same} are the same" if same > 1 else "move 1 is the same")
    lines.append(f"{'move':>6}  {'seat':<14} {'recorded':<22} again")
    for ply, (old, new) in enumerate(pairs[same:], same):
        texts = ["" if move is None else hand_text(move.cards) or "pass" for move in (old, new)]
        lines.append(f"{ply + 1:>6}  {SEAT_NAMES[ply % SEATS]:<14} {texts[0]:<22} {texts[1]}".rstrip())
    return [*lines, *_results(record, again)]


def _bids(record: GameRecord) -> str:
    return " ".join("?" if bid is None else str(bid) for bid in record.bids) or "none"


def _results(record: GameRecord, again: GameRecord) -> list[str]:
    return [f"recorded: {result_text(record.result)}", f"again:    {result_text(again.result)}"]
