"""
Take a seat against two bots, in the terminal.

    python -m tools play --rules botzone --seat landlord --save-games games.ddzn

With --endgame all hands are open, and the solver plays against you. With --learn you try again where you made mistakes.
Without a terminal the lines come from a pipe or a file, one move a line.
"""

import secrets
import sys
from collections.abc import Sequence
from pathlib import Path

import click
from click.core import ParameterSource

from ddzbot.game import SEAT_NAMES, SEATS
from ddzbot.rules import RULE_SETS, RuleSet
from ddzbot.search.endgame_position import side_of

from ...records.record import GameRecord
from ...records.sources import source_games
from ...shared.compiling import kernel_at_start
from ...shared.default_rules import DEFAULT_RULES
from ...shared.errors import InputError
from ...shared.interrupts import Command
from ...shared.limits import typed_limit
from ...shared.message import Message, prose
from ...shared.options import EXISTING_FILE, FILE, RULES, sandbox_option
from ...shared.paths import call_of
from ...shared.terminal import Console
from ...study.review.model import REVIEW_LIMIT
from ..table.bots import warn_of_open_bots
from ..table.games_file import GameStore
from ..table.levels import BEST, NAMES, level_named
from .asking import prepare
from .endgames import EndgameSitting, endgame_named, puzzle_list
from .learning import Learning
from .setup import DEFAULT_BOT, POSITIONS, Setup, is_unfinished, position_for
from .sitting import Sitting

BAD_INPUT = 2
OF_A_DEAL = ("bots", "seed", "save_games")
"""What a game has that begins with a deal."""
SEEDS = 1_000_000
"""A random seed is below this: short enough to be typed again."""


@click.command(help=__doc__, context_settings={"show_default": True}, cls=Command, in_chinese=True)
@click.option("--rules", type=RULES, default=DEFAULT_RULES, help="Rule set.")
@click.option(
    "--seat",
    type=click.Choice([*SEAT_NAMES, *POSITIONS]),
    help="Your seat, or in games with an auction your place in it.  [default: landlord, or 0]",
)
@click.option(
    "--bot",
    "bots",
    multiple=True,
    default=[DEFAULT_BOT],
    help=f"The bots that you play with: {', '.join(NAMES)}, or a player by name; repeat for two different ones.",
)
@click.option("--seed", type=click.IntRange(0), help="The deal; without it a random one, which the first line names.")
@click.option("--limit", default=BEST.limit, help="How long a bot, or a hint, thinks: 1s, 5000p (playouts) or both.")
@click.option("--save-games", type=FILE, help="Keep the games in this file.")
@click.option("--resume", type=EXISTING_FILE, help="Resume a game of this file.")
@click.option(
    "--endgame",
    is_flag=False,
    flag_value="",
    metavar="[NUMBER|HANDS]",
    help="Play a puzzle, or an endgame such as '345B 345L'; alone it lists the puzzles.",
)
@click.option(
    "--learn",
    type=click.Path(exists=True, path_type=Path),
    metavar="FILE|FOLDER",
    help="Practise the mistakes in these games: people's mistakes, or else the bots'.",
)
@click.option("--number", type=click.IntRange(1), metavar="N", help="Only this one of the games to learn from.")
@click.option("--puzzles", is_flag=True, help="Practise positions with only one good move instead.")
@click.option("--reveal", is_flag=True, help="Show the whole game at the end, with the bots' thoughts.")
@sandbox_option
@click.pass_context
def main(
    context: click.Context,
    rules: str,
    seat: str | None,
    bots: tuple[str, ...],
    seed: int | None,
    limit: str,
    save_games: Path | None,
    resume: Path | None,
    endgame: str | None,
    learn: Path | None,
    number: int | None,
    puzzles: bool,
    reveal: bool,
) -> None:
    """Read the options, and play until the person has had enough."""
    prepare()
    try:
        if endgame is not None:
            sys.exit(_endgame(context, endgame, rules, seat, limit))
        if learn is not None:
            sys.exit(_learn(context, learn, number, limit, puzzles))
        if puzzles or number:
            raise ValueError(Message("--puzzles and --number need --learn FILE"))
        if resume is None:
            setup = _setup(RULE_SETS[rules], seat, bots, seed)
            store, begun = (_opened(save_games, context) if save_games else None), None
        else:
            others = [parameter for parameter in OF_A_DEAL if parameter != "save_games" or save_games != resume]
            _refuse_beside(context, "--resume", Message("the game has its own"), ("rules", "seat", *others))
            store = _opened(resume, context)
            begun = store.resume(is_unfinished)
            setup = _begun(resume, begun)
        kernel_at_start()
        warn_of_open_bots(setup.bots)
        sitting = Sitting(Console(), setup, typed_limit(limit), store, begun, reveal)
    except ValueError as error:
        raise InputError(str(error)) from None
    sys.exit(sitting.play())


def _setup(rules: RuleSet, seat: str | None, bots: tuple[str, ...], seed: int | None) -> Setup:
    if len(bots) > SEATS - 1:
        raise ValueError(Message("{count} bots: you play with two others", count=len(bots)))
    chosen = secrets.randbelow(SEEDS) if seed is None else seed
    return Setup(rules, chosen, position_for(rules, seat), (level_named(bots[0]), level_named(bots[-1])))


def _endgame(context: click.Context, text: str, rules: str, seat: str | None, limit: str) -> int:
    """Plays an endgame, or lists the puzzles if *text* names none."""
    _refuse_beside(
        context, "--endgame", Message("all hands are open, and none are kept"), (*OF_A_DEAL, "resume", "reveal")
    )
    if not text:
        Console().print(puzzle_list())
        return 0
    if seat in POSITIONS:
        raise ValueError(
            Message("seat {seat}: an endgame has no auction; name {names}", seat=seat, names=", ".join(SEAT_NAMES))
        )
    named = context.get_parameter_source("rules") is ParameterSource.COMMANDLINE
    options = [*(("--rules", rules) if named else ()), *(("--seat", seat) if seat else ())]
    command = call_of("play", *options, "--endgame", text)
    endgame = endgame_named(text, RULE_SETS[rules] if named else None)
    side = None if seat is None else side_of(SEAT_NAMES.index(seat))
    kernel_at_start()
    return EndgameSitting(Console(), endgame, side, typed_limit(limit), command).play()


def _learn(context: click.Context, path: Path, number: int | None, limit: str, puzzles: bool) -> int:
    """Asks for better moves in the games of a file, or in the one of that *number*."""
    others = ("rules", "seat", "resume", "endgame", "reveal", *OF_A_DEAL)
    _refuse_beside(context, "--learn", Message("the games have their own"), others)
    given = context.get_parameter_source("limit") is ParameterSource.COMMANDLINE
    games = [(game.number, game.record) for game in source_games([path]) if number in (None, game.number)]
    if not games:
        raise ValueError(Message("{file}: there is no game {number}", file=path, number=number))
    kernel_at_start()
    return Learning(Console(), games, typed_limit(limit if given else REVIEW_LIMIT), puzzles).learn()


def _opened(path: Path, context: click.Context) -> GameStore:
    store = GameStore(path)
    context.call_on_close(store.leave)
    return store


def _begun(path: Path, record: GameRecord) -> Setup:
    try:
        return Setup.of_record(record)
    except ValueError as error:
        raise ValueError(Message("{file}: {problem}", file=path, problem=prose(error))) from None


def _refuse_beside(context: click.Context, option: str, why: str, others: Sequence[str]) -> None:
    for parameter in context.command.params:
        if parameter.name in others and context.get_parameter_source(parameter.name) is ParameterSource.COMMANDLINE:
            beside = parameter.opts[0]
            raise ValueError(Message("{one} does not go with {option}: {why}", one=beside, option=option, why=why))


if __name__ == "__main__":
    main()
