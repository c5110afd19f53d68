"""The options that several commands which play matches have; each group comes to a command as one value."""

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple

import click

from ddzbot.rules import RULE_SETS

from ..shared.contestants import Contestant
from ..shared.default_rules import DEFAULT_RULES
from ..shared.limits import typed_limit
from ..shared.options import FILE, sandbox_option, seed_option
from ..shared.seeds import REPORT
from ..shared.work.workers import Workers
from .fallbacks import fallback_option
from .matches.deals_file import read_deals
from .matches.plan import AnyPlan

USUAL_SETS = 100
_ALONE = Workers(1)

Command = Callable[..., Any]
Decorator = Callable[[Command], Command]


class Root(NamedTuple):
    """The value of ``--seed``: where the deals come from."""

    namespace: str
    seed: int

    def __str__(self) -> str:
        return f"{self.namespace}/{self.seed}"


class RootType(click.ParamType[Root]):
    """A seed such as ``7`` or ``gate/7``; a number alone is of the default *namespace*."""

    name = "seed"

    def __init__(self, namespace: str) -> None:
        self._namespace = namespace

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Root:
        """Reads the seed."""
        if isinstance(value, Root):
            return value
        namespace, _, seed = str(value).rpartition("/")
        if not re.fullmatch("[0-9]+", seed):
            self.fail(f"{value!r} must be a number from 0, perhaps behind a word: 7 or gate/7.", param, ctx)
        return Root(namespace or self._namespace, int(seed))


class Sets(NamedTuple):
    """The value of ``--sets``."""

    each: int
    """Of every pair."""
    neighbours: int | None = None
    """At most, of a pair next to each other in Elo; None if not given."""


class SetsType(click.ParamType[Sets]):
    """A number of sets such as ``200``, or ``200-500`` where all meet."""

    name = "sets"

    def __init__(self, neighbours: bool) -> None:
        self._neighbours = neighbours

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Sets:
        """Reads the numbers."""
        each, dash, most = str(value).partition("-")
        wrong = not all(re.fullmatch("0*[1-9][0-9]*", count) for count in ((each, most) if dash else (each,)))
        if wrong or (dash and not self._neighbours):
            forms = "a number from 1, or two such as 200-500" if self._neighbours else "a number from 1"
            self.fail(f"{value!r} must be {forms}.", param, ctx)
        return Sets(int(each), int(most) if dash else None)


def root_option(namespace: str = REPORT) -> Decorator:
    """Makes ``--seed`` of deals that have a namespace: the command gets a :class:`Root`."""
    help_text = "Root seed, or NAMESPACE/SEED such as gate/7; every deal follows from it."
    return seed_option(RootType(namespace), f"{namespace}/1", help_text)


def limit_option(usual: str = "", what: str = "0.2s, 5000p (playouts), or both with a comma.") -> Decorator:
    """Makes ``--limit`` of a decision in a match."""
    return click.option("--limit", default=usual, show_default=bool(usual), help=f"Limit per decision: {what}")


def sets_option(usual: str, neighbours: bool = False) -> Decorator:
    """Makes ``--sets``: the command gets :class:`Sets`, or None."""
    growth = " With 4-32, every pair plays 4, and then neighbours in Elo play up to 32." if neighbours else ""
    help_text = f"Duplicate sets of every pair: deals, each played from all sides.{growth} Default: {usual}."
    return click.option("--sets", type=SetsType(neighbours), metavar="N", help=help_text)


@dataclass(frozen=True)
class DealOptions:
    """What is played."""

    rules: str
    sets: Sets | None
    deals: Path | None
    seed: Root
    limit: str
    usual: int
    """The number of sets by default."""

    def plan(self, kind: type[AnyPlan], contestants: Iterable[Contestant], **own: Any) -> AnyPlan:
        """
        Makes the plan of a match of a *kind*, which may have fields of its *own*.

        :raises ValueError: if it cannot be played.
        """
        deals = read_deals(self.deals, self.rules) if self.deals else None
        sets = self.sets.each if self.sets else len(deals.hands) if deals else self.usual
        namespace, seed = self.seed
        plan = kind(self.rules, tuple(contestants), sets, seed, namespace, typed_limit(self.limit), deals, **own)
        plan.check()
        return plan


def deal_options(usual: int = USUAL_SETS, neighbours: bool = False, rules: Iterable[str] = RULE_SETS) -> Decorator:
    """Gives a command the options for what is played, as one :class:`DealOptions`."""

    def with_dealt(command: Command) -> Command:
        @wraps(command)
        def called(*words: Any, **options: Any) -> Any:
            own = {option: options.pop(option) for option in ("rules", "sets", "deals", "seed", "limit")}
            return command(*words, dealt=DealOptions(**own, usual=usual), **options)

        deals = "Play the deals of this file, which the command deals writes; --seed then seeds the players."
        return _decorate(
            called,
            click.option("--rules", type=click.Choice([*rules]), default=DEFAULT_RULES, help="Rule set of all games."),
            sets_option(f"{usual}, or every deal of --deals", neighbours),
            click.option("--deals", type=FILE, help=deals),
            root_option(),
            limit_option(),
        )

    return with_dealt


@dataclass(frozen=True)
class PlayOptions:
    """How a match is played and kept; a command that lacks an option has its default."""

    results: Path | None = None
    mix: bool = False
    replay_pairs: tuple[str, ...] = ()
    save_games: Path | None = None
    thoughts: bool = False
    replay_game: str | None = None
    page: Path | None = None
    title: str = ""
    minutes: float | None = None
    allow_fallback: bool = False
    strict: bool = False
    quiet: bool = False
    workers: Workers = _ALONE


replay_pairs_option = click.option(
    "--replay-pairs", multiple=True, metavar="PLAYER", help="Drop this player's sets in --results and play them again."
)


title_option = click.option("--title", default="", help="The heading of the page. Default: the name of its file.")


def play_options(*more: Decorator, games: bool = True) -> Decorator:
    """
    Gives a command the options for how a match is played and kept, and *more* of them, as one :class:`PlayOptions`.

    Without *games* it has no options for single games.
    """

    def with_run(command: Command) -> Command:
        @wraps(command)
        def called(*words: Any, **options: Any) -> Any:
            own = {field.name: options.pop(field.name) for field in fields(PlayOptions) if field.name in options}
            return command(*words, run=PlayOptions(**own), **options)

        of_games = (
            click.option("--thoughts", is_flag=True, help="Save the bots' comments on their moves, too."),
            click.option(
                "--replay-game",
                metavar="SET.GAME",
                help="Only replay this game (or PAIRING.SET.GAME), and print its record.",
            ),
            click.option(
                "--strict", is_flag=True, help="Exit code 1 after any failure, illegal move, timeout or fallback."
            ),
        )
        return _decorate(
            called,
            click.option("--results", type=FILE, help="Save results in this file, and play only what it lacks."),
            click.option("--mix", is_flag=True, help="Resume --results although a contestant has changed."),
            *more,
            click.option(
                "--save-games", type=FILE, help="Write each finished game to this file: .ddzn or .jsonl, also with .gz."
            ),
            *(of_games if games else ()),
            fallback_option,
            sandbox_option,
            click.option("--quiet", is_flag=True, help="No progress bar."),
        )

    return with_run


def _decorate(command: Command, *decorators: Decorator) -> Command:
    """Applies decorators so that the help has their options in this order."""
    for decorator in reversed(decorators):
        command = decorator(command)
    return command


@contextmanager
def refusals() -> Iterator[None]:
    """Makes an error in the command line of each ValueError: a plan or a file that cannot be used."""
    try:
        yield
    except ValueError as error:
        raise click.UsageError(str(error)) from None
