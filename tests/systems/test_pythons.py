"""The bot and ``ddzbot.api`` on other Pythons and other processors: they decide what is decided here."""

import json
import sys

import pytest
from filelock import FileLock

from tests.support import ROOT, kernel_path, require
from tests.systems.debian import ARM64, PLACE, SYSTEMS, System, fetch
from tests.systems.signature import committed
from tests.systems.test_arm64 import LEAD, ended
from tools.shared.compiling import FAST, FLAGS, ZIG, built, has_zig

pytestmark = [pytest.mark.whole, pytest.mark.systems, pytest.mark.timeout(3600)]

OTHERS = [system for system in SYSTEMS if system is not ARM64]
"""A wheel for arm64 is tested by itself."""
PLAYERS = ("champion", "mcm", "mctshs", "deeprocket", "cql", "rule")
AT_ONCE = """
from ddzbot.game import Game, shuffled, start
from ddzbot.kernel import native, objects
from ddzbot.rules import RULE_SETS
rules, lister = RULE_SETS["botzone"], native().lister()
made = [start(shuffled(rules, "at once"))]
while len(made) <= 20:
    game = made[-1]
    made.append(lister.game_play(game, lister.legal_moves(rules, game.hands[game.seat], game.to_beat)[0]))
right = [game for game in made[1:] if hash(game) == hash(Game(*game)) and {game: 1}[Game(*game)]]
print(objects.is_fit(), len(made) - 1, len(right))
"""
"""Games that are new, whose hashes Python has not been asked for."""
each = pytest.mark.parametrize("system", OTHERS, ids=lambda system: system.name)
of_commands = pytest.mark.parametrize(
    "system", [system for system in OTHERS if system.name != "PyPy 7.3.11"], ids=lambda system: system.name
)
"""PyPy 7.3.11 is a Python 3.9, on which commands do not run."""


def kernel_for(system: System) -> str:
    """Names the kernel that the bot may load there; empty where there can be none."""
    if system.architecture == "s390x":
        return ""
    if not system.qemu:
        return str(require(kernel_path(), "a C compiler"))
    require(has_zig(), "zig (extra zig)")
    library = PLACE / f"{system.qemu}.so"
    with FileLock(f"{library}.lock"):
        return str(built([*ZIG, "-target", f"{system.qemu}-linux-gnu"], [*FLAGS, *FAST, "-s"], library))


def both(system: System, *words: str, said: str = "") -> tuple[str, str]:
    """What a Python prints there and here, both without packages."""
    kernel = kernel_for(system)
    choice = {"DDZ_KERNEL": kernel} if kernel else {"DDZ_NO_KERNEL": "1"}
    mine = {"DDZ_KERNEL": str(require(kernel_path(), "a C compiler"))} if kernel else choice
    variables = {"PYTHONPATH": str(ROOT)}
    there = ended([*system.python(), *words], ROOT, system.environment(**choice, **variables), said)
    return there, ended([sys.executable, "-S", *words], ROOT, {**mine, **variables}, said)


@each
@pytest.mark.parametrize("player", PLAYERS)
def test_every_player_answers_as_here(system: System, player: str) -> None:
    limits = ("--limit", "600s,60p", "--first-limit", "600s")
    there, mine = map(json.loads, both(system, "bot.py", "--player", player, *limits, said=LEAD))
    for answer in (there, mine):
        del answer["debug"]["ms"]
    assert there == mine


@each
def test_a_program_sees_the_same_through_the_api(system: System) -> None:
    there, mine = both(system, "tests/systems/through_api.py")
    assert there == mine
    assert mine.count("equal") == 2


@of_commands
def test_every_player_decides_as_is_committed(system: System) -> None:
    kind = "python" if system.qemu else "kernel"
    there, mine = both(system, "tests/systems/signature.py", *(["--python"] if kind == "python" else []))
    assert there == mine == committed(kind).read_text("ascii")


def test_cpython_3_14_has_lists_and_games_that_the_kernel_makes() -> None:
    (system,) = (system for system in OTHERS if system.name == "CPython 3.14")
    assert both(system, "-c", AT_ONCE) == ("True 20 20\n",) * 2


def test_a_python_that_is_not_to_be_had_is_named_with_the_reason_and_leaves_nothing() -> None:
    nowhere = System("CPython 9", "no-such-release", "amd64", "python9")
    reason = fetch(nowhere)
    assert reason.startswith("apt-get") and "python9 of no-such-release" in reason and "\n" not in reason
    assert not nowhere.root.exists()
