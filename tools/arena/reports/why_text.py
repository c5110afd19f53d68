"""Says in ten lines of a terminal why a contestant lost."""

from collections.abc import Iterable
from pathlib import Path

from rich.table import Column

from ddzbot.search.limit import Limit

from ...shared.language import tr
from ...shared.limits import limit_text
from ...shared.message import Message, joined
from ...shared.paths import call_of
from ...shared.terminal import Console, folding_table
from ...study.review.causes import COSTLIEST, WORDS, Causes, Share, ply_of
from ...study.review.model import Review
from .why import Why

LINES = 5
"""Lines of kinds of mistakes; where there are more kinds, the last line has the others."""


def print_why(whys: Iterable[Why], limit: Limit | None, games: Path, console: Console) -> None:
    """Prints where the points of each contestant's lost games went; *games* is their file."""
    judge = Message("the network alone") if limit is None else limit_text(limit)
    for why in whys:
        console.print("")
        for line in _head(why, judge):
            console.print(line, soft_wrap=True)
        if why.causes.first:
            _print_kinds(why, console)
            console.print(_advice(why.causes, why.causes.first), soft_wrap=True)
            worst = why.causes.shares["kind"][0].worst[0]
            shows = f"{_call(why, worst, games)}  # {_place(why, worst)}"
            console.print(shows, style="dim", soft_wrap=True)


def _head(why: Why, judge: str) -> list[Message]:
    causes = why.causes
    counts = {"reviewed": f"{len(why.places):,}", "lost": f"{why.lost:,}", "decisions": f"{causes.decisions:,}"}
    if not causes.first:
        none = "Why {name} lost: no mistake in {decisions} decisions of {reviewed} of its {lost} lost games, by {judge}"
        return [Message(none, name=why.name, judge=judge, **counts)]
    title = (
        "Why {name} lost: {mistakes} mistakes cost {points} points in {reviewed} of its {lost} lost games "
        "({decisions} decisions, by {judge})"
    )
    costs = {"mistakes": f"{causes.mistakes:,}", "points": f"{causes.points:.1f}"}
    return [
        Message(title, name=why.name, judge=judge, **counts, **costs),
        Message("by role: {shares}", shares=_in_a_line(causes, causes.shares["role"])),
        Message("by part of the game: {shares}", shares=_in_a_line(causes, causes.shares["phase"])),
    ]


def _in_a_line(causes: Causes, shares: Iterable[Share]) -> str:
    return joined(
        Message("{name} {share} %", name=WORDS[share.name], share=f"{causes.percent(share.points):.1f}")
        for share in shares
    )


def _print_kinds(why: Why, console: Console) -> None:
    causes, kinds = why.causes, why.causes.shares["kind"]
    alone = kinds if len(kinds) <= LINES else kinds[: LINES - 1]
    sizes = [Column(justify="right", no_wrap=True) for _ in range(2)]
    table = folding_table(Column(no_wrap=True), *sizes, "", header=False)
    for kind in alone:
        places = " ".join(_place(why, review) for review in kind.worst)
        table.add_row(WORDS[kind.name], *_sizes(causes, kind.points), places)
    if others := kinds[len(alone) :]:
        places = " ".join(_place(why, kind.worst[0]) for kind in others[:COSTLIEST])
        table.add_row(tr("others"), *_sizes(causes, sum(kind.points for kind in others)), places)
    console.print(table)


def _sizes(causes: Causes, points: float) -> tuple[str, str]:
    return tr("{share} %", share=f"{causes.percent(points):.1f}"), tr("{points} points", points=f"{points:.1f}")


def _place(why: Why, review: Review) -> str:
    """Names a game of the games file and the move there, 0 for the auction: ``17/23``."""
    return f"{why.numbers[review.game]}/{ply_of(review)}"


def _advice(causes: Causes, first: tuple[str, str, str]) -> Message:
    """Says what to work at first, and if that is not sure."""
    kind, role, phase = (WORDS[cause] for cause in first)
    share = f"{causes.percent(causes.shares['kind'][0].points):.0f}"
    advice = "Work at this first: {kind} ({share} % of the lost points), above all as {role}, in the {phase}."
    sentence = Message(advice, kind=kind, role=role, phase=phase, share=share)
    if not causes.close:
        return sentence
    unsure = Message("Too few games to be sure: {kind} may cost more.", kind=WORDS[causes.close])
    return Message("{advice} {unsure}", advice=sentence, unsure=unsure)


def _call(why: Why, worst: Review, games: Path) -> str:
    """Writes the command that shows a mistake."""
    number = str(why.numbers[worst.game])
    if ply := ply_of(worst):
        return call_of("analyse", str(games), "--number", number, "--move", str(ply))
    return call_of("review", str(games), "--number", number)
