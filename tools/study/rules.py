"""
Answer questions about the rules: what cards are, whether they beat others, what a hand may play, and whether the rules
of another program agree.

The answers are sentences and tables for people, and with ``--json`` one object for programs. The exit status is the
answer too: 0 for yes, 1 for no, 2 for input that cannot be understood, with an error message on stderr.
"""

import sys
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

import click
from rich.table import Column, Table

from ddzbot.cards import RANKS, CardsError, Hand, contains, hand_text, size
from ddzbot.rules import (
    KIND_NAMES,
    ROCKET,
    RULE_SETS,
    UNKNOWN,
    Move,
    RulesError,
    RuleSet,
    classify,
    explain,
    legal_moves,
    read_move,
)
from ddzbot.search.endgame_position import Endgame
from ddzbot.testing.own_rules import rules_of
from ddzbot.testing.search import Limits

from ..records.notation import NotationError, parse_position
from ..shared.default_rules import DEFAULT_RULES
from ..shared.errors import InputError
from ..shared.interrupts import Group
from ..shared.json_text import json_text
from ..shared.options import POSITIVE, sandbox_option
from ..shared.terminal import Console, say
from ..shared.typed_cards import typed_hand
from .perft import perft
from .rules_check import ASKED, print_corpus, run_check

YES, NO, BAD_INPUT = 0, 1, 2
MOST_DEPTH = 60
"""Of a count: more moves than a game has need no more."""

Command = TypeVar("Command", bound=Callable[..., Any])


def _read_cards(rules: RuleSet, text: str) -> Hand:
    """Reads cards that a player can hold under *rules*."""
    try:
        cards = typed_hand(text)
    except CardsError as error:
        raise InputError(str(error)) from None
    if not cards:
        raise InputError(f"{text!r} has no cards")
    if not contains(rules.deck, cards):
        raise InputError(f"cards {text!r}: the deck of rules {rules.name} is {hand_text(rules.deck)}")
    if size(cards) > rules.largest_hand:
        raise InputError(f"cards {text!r}: no hand has more than {rules.largest_hand} cards (rules {rules.name})")
    return cards


def _options(command: Command) -> Command:
    """Adds the options that every command has."""
    as_json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
    return _rules_option(as_json(command))


class _Rules(click.Choice[str]):
    """A rule set by its name, or in a Python file."""

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """Says what may be typed."""
        return f"[{'|'.join(RULE_SETS)}|FILE.py]"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Reads it."""
        if not str(value).endswith(".py"):
            return rules_of(super().convert(value, param, ctx))
        try:
            return rules_of(value)
        except RulesError as error:
            self.fail(str(error), param, ctx)


def _rules_option(command: Command) -> Command:
    return click.option(
        "--rules",
        type=_Rules([*RULE_SETS]),
        default=DEFAULT_RULES,
        show_default=True,
        help="Rule set, or a Python file that defines one.",
    )(command)


@click.group(help=__doc__, cls=Group)
def main() -> None:
    """Holds the commands together; each prints its answer and leaves with its status."""


@main.command("classify")
@click.argument("text", metavar="CARDS")
@_options
def classify_command(text: str, rules: RuleSet, as_json: bool) -> NoReturn:
    """
    Name the kind of CARDS, and test whether they may be played.

        python -m tools rules classify 33344456
    """
    cards = _read_cards(rules, text)
    legal, recognised = classify(rules, cards), classify(rules, cards, recognised=True)
    why_not = explain(rules, cards, cards)
    if as_json:
        _print_json(
            rules=rules.name,
            cards=hand_text(cards),
            legal=[_as_json(move) for move in legal],
            recognised=[_as_json(move) for move in recognised],
            why_not=why_not and str(why_not),
        )
    elif legal:
        say(f"{hand_text(cards)}: {_readings(legal)} (rules {rules.name})")
    else:
        say(str(why_not))
        if recognised:
            say(f"Played by others, it is understood as {_readings(recognised)}.")
    sys.exit(YES if legal else NO)


@main.command("beats")
@click.argument("text", metavar="CARDS")
@click.argument("other_text", metavar="OTHER")
@_options
def beats_command(text: str, other_text: str, rules: RuleSet, as_json: bool) -> NoReturn:
    """
    Test whether CARDS may answer OTHER, and if not, print why.

        python -m tools rules beats 4444 3334
    """
    cards, to_beat = _read_cards(rules, text), read_move(rules, _read_cards(rules, other_text))
    why_not = explain(rules, cards, cards, to_beat)
    if as_json:
        names = {"cards": hand_text(cards), "other": hand_text(to_beat.cards)}
        _print_json(rules=rules.name, **names, beats=why_not is None, why_not=why_not and str(why_not))
    else:
        say(str(why_not) if why_not else f"{hand_text(cards)} beats {to_beat} (rules {rules.name})")
    sys.exit(NO if why_not else YES)


@main.command("legal")
@click.argument("text", metavar="HAND")
@click.option("--to-beat", "other_text", metavar="CARDS", help="The move on the table; without it the hand leads.")
@_options
def legal_command(text: str, other_text: str | None, rules: RuleSet, as_json: bool) -> NoReturn:
    """
    List every legal move of HAND.

        python -m tools rules legal 344556677KKKLB --to-beat 33
    """
    hand = _read_cards(rules, text)
    to_beat = None if other_text is None else read_move(rules, _read_cards(rules, other_text))
    legal = legal_moves(rules, hand, to_beat)
    if as_json:
        table = None if to_beat is None else str(to_beat)
        moves = [_as_json(move) for move in legal]
        _print_json(rules=rules.name, hand=hand_text(hand), to_beat=table, count=len(moves), moves=moves)
    else:
        _print_by_kind(legal)
        if to_beat is not None and to_beat.kind == UNKNOWN:
            say(f"{to_beat} is not a move that the rules {rules.name} recognise: only bombs and the rocket beat it.")
    sys.exit(YES)


@main.command("perft")
@click.argument("text", metavar="POSITION")
@click.option("--depth", type=click.IntRange(1, MOST_DEPTH), default=3, show_default=True, help="Moves, passes too.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def perft_command(text: str, depth: int, as_json: bool) -> None:
    """
    Count the games of --depth moves from POSITION, all hands in one line, by first move.

        python -m tools rules perft "mini 9TTQ/JKA/2L . @0 - 0 -/-/-" --depth 4
    """
    try:
        position = Endgame.of(parse_position(text))
    except NotationError as error:
        raise InputError(str(error)) from None
    splits = perft(position, depth)
    total = sum(split.games for split in splits)
    if as_json:
        moves = [{"move": str(split.move), "count": split.games} for split in splits]
        _print_json(rules=position.rules.name, depth=depth, count=total, moves=moves)
        return
    table = Table("move", Column("games", justify="right"), box=None)
    for split in splits:
        table.add_row(str(split.move), f"{split.games:,}")
    table.add_row("all", f"{total:,}")
    Console().print(table)


@main.command("check")
@click.argument("program", metavar="PROGRAM")
@click.option("--ask", "question", type=click.Choice([*ASKED]), default="moves", show_default=True, help="What to ask.")
@click.option("--tries", type=click.IntRange(1), default=3000, show_default=True, help="Cases to try at most.")
@click.option("--minutes", type=POSITIVE, default=0.5, show_default=True, help="Stop after so long.")
@click.option("--turn-time", type=POSITIVE, default=5, show_default=True, metavar="S", help="Seconds for an answer.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the random cases.")
@sandbox_option
@_options
def check_command(
    program: str,
    rules: RuleSet,
    question: str,
    tries: int,
    minutes: float,
    turn_time: float,
    seed: int,
    as_json: bool,
) -> NoReturn:
    """
    Find where the rules of PROGRAM differ. It reads JSON lines, such as {"hand": "4456", "to_beat": "3"}, and
    answers each by one, such as ["pass", "4", "5", "6"].

        python -m tools rules check ./mygenerator --rules standard
    """
    run_check(program, rules, question, Limits(tries, 60 * minutes), turn_time, seed, as_json)


@main.command("corpus")
@click.option("--grow", "more", type=click.IntRange(0), default=0, help="Add so many random positions.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the random positions.")
@_rules_option
def corpus_command(rules: RuleSet, more: int, seed: int) -> None:
    """
    Print positions with the number of their moves, and games, as JSON lines.

        python -m tools rules corpus --rules mini
    """
    print_corpus(rules, more, seed)


def _as_json(move: Move) -> dict[str, Any]:
    """Makes the JSON form of one reading: its cards, kind, lowest body rank (null for the pass) and chain length."""
    rank = RANKS[move.rank] if move.rank >= 0 else None
    return {"cards": hand_text(move.cards), "kind": KIND_NAMES[move.kind], "rank": rank, "length": move.length}


def _print_json(**values: Any) -> None:
    click.echo(json_text(values))


def _readings(moves: list[Move]) -> str:
    return ", or ".join(_reading(move) for move in moves)


def _reading(move: Move) -> str:
    if move.kind == ROCKET:
        return KIND_NAMES[ROCKET]
    ranks = [RANKS[move.rank], RANKS[move.rank + move.length - 1]]
    return f"{KIND_NAMES[move.kind]} of {' to '.join(dict.fromkeys(ranks))}"


def _print_by_kind(moves: list[Move]) -> None:
    by_kind: dict[str, list[str]] = {}
    for move in moves:
        by_kind.setdefault(KIND_NAMES[move.kind], []).append(str(move))
    table = Table("kind", "moves", "cards", box=None)
    for kind, texts in by_kind.items():
        table.add_row(kind, str(len(texts)), " ".join(texts))
    table.add_row("all", str(len(moves)), "")
    Console().print(table)


if __name__ == "__main__":
    main()
