"""
Play all programs of a folder against each other, and write a page of results to share.

    python -m tools class class/ --seed 36
"""

import os
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from ddzbot.rules import rule_set

from ..programs.sandbox import warn_of_open_programs
from ..referee.games import GAME_OF_RULES
from ..shared.contestants import parse_contestant
from ..shared.errors import InputError
from ..shared.interrupts import Command
from ..shared.message import Message
from ..shared.options import EXISTING_FOLDER, FILE, POSITIVE
from ..shared.paths import call_of
from ..shared.terminal import say
from ..shared.work.workers import Workers
from .field.entries import Field, field_of
from .field.forecast import Rounds, before_the_check, before_the_games
from .matches import everybody
from .matches.plan import WITH_BIDDING, WITHOUT_BIDDING
from .options import DealOptions, PlayOptions, deal_options, play_options, refusals, replay_pairs_option, title_option
from .playing import begin

SETS, NEIGHBOURS = 4, 32
"""Of every pair, and at most of neighbours."""
_FEWEST = 2
"""Contestants of a match."""


@click.command("class", context_settings={"show_default": True}, cls=Command, in_chinese=True)
@click.argument("folder", type=EXISTING_FOLDER)
@click.argument("players", nargs=-1)
@deal_options(SETS, neighbours=True, rules=GAME_OF_RULES)
@play_options(
    replay_pairs_option,
    click.option(
        "--jobs",
        "workers",
        type=click.IntRange(1),
        default=os.cpu_count() or 1,
        callback=lambda _context, _parameter, jobs: Workers(jobs),
        help="Processes that play.",
    ),
    click.option("--minutes", type=POSITIVE, help="Start no new set after this time. The same command resumes."),
    click.option("--page", type=FILE, help="Write the page to share here, with lost games reviewed."),
    title_option,
)
def main(folder: Path, players: tuple[str, ...], dealt: DealOptions, run: PlayOptions) -> None:
    """
    Play all programs of FOLDER against each other, and against built-in PLAYERS.

        python -m tools class class/ --seed 36
        python -m tools class class/ rule --minutes 60

    Programs are files, folders with a Makefile or sources, and zips. Each is compiled and checked once. If one
    fails, the command says why, and the others play. Results, games and page are named after the folder. Every pair
    plays --sets, and then neighbours in Elo play on until the order is clear.

    Ctrl-C stops; the same command resumes, and a new program plays its own pairs.
    """
    with refusals():
        name = folder.resolve().name
        run = replace(
            run,
            results=run.results or Path(f"{name}.json"),
            save_games=run.save_games or Path(f"{name}.ddzn.gz"),
            page=run.page or Path(f"{name}.html"),
        )
        each, neighbours = dealt.sets or (SETS, None)
        games = WITH_BIDDING if rule_set(dealt.rules).bidding else WITHOUT_BIDDING
        rounds = Rounds(each, neighbours or max(NEIGHBOURS, each), len(games), run.workers.jobs)
        field = _field(folder, players, dealt.rules, run, rounds)
        contestants = [*map(parse_contestant, players), *field.contestants]
        plan = dealt.plan(everybody.Field, contestants, neighbours=rounds.most)
        begin(plan, run, field.entries)


def _field(folder: Path, players: tuple[str, ...], rules: str, run: PlayOptions, rounds: Rounds) -> Field:
    """Compiles and checks the programs of a folder."""
    warn_of_open_programs([[str(folder)]])
    show = partial(say, err=True)

    def forecast(programs: int, fresh: int) -> Iterator[str]:
        return before_the_check(programs, fresh, len(players), rounds)

    field = field_of(folder, players, rules, run.workers.jobs, show, run.quiet, run.replay_pairs, forecast)
    playing = len(field.contestants)
    if playing + len(players) < _FEWEST:
        few = Message("{playing} of its {all} programs plays", playing=playing, all=len(field.entries))
        some = few if playing else Message("none of its programs plays")
        problem = "class {folder}: {some}; name a player of ours to meet: {example}"
        raise InputError(Message(problem, folder=folder, some=some, example=call_of("class", str(folder), "rule")))
    if all(field.seconds.values()):
        show(before_the_games(field.seconds, len(players), rounds))
    return field


if __name__ == "__main__":
    main()
