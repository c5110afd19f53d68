"""
Make the one file to upload: the bot, its kernel and its networks.

    python -m tools bundle                      # build/ddzbot.zip
    python -m tools bundle --player mcm:setting=thesis
    python -m tools bundle --game FightTheLandlord2    # with the networks of one game
    python -m tools bundle --kernel none        # without compiled code: plays by Python alone
    python -m tools bundle --player learned:Learned --add FOLDER    # a class of learned.py in FOLDER

The kernel is compiled for any x86-64 Linux with glibc 2.17 or newer, and carries its AVX2 code beside the portable one.
The same sources and compiler give the same bytes.
"""

import ast
import sys
import zipfile
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from ddzbot.net.current import MANIFEST, read_manifest
from ddzbot.net.packed import WeightsError
from ddzbot.players.registry import DEFAULT_PLAYER, PlayerError, PlayerSpec, checked_player, player_class

from ..referee.games import GAME_OF_RULES, GAMES
from ..shared.compiling import build, build_release
from ..shared.interrupts import Command
from ..shared.json_text import json_line
from ..shared.options import EXISTING_FOLDER, FILE
from ..shared.paths import ROOT
from ..shared.player_help import refuse_help
from ..shared.storage.whole_file import written_whole
from ..shared.terminal import Console

MOST_BYTES = 4_000_000
"""What the platform takes."""

_PLAYER_LINE = 'PLAYER = ""'
_TAKEN = ("__main__.py", "ddzbot", "weights")
"""What stands at the top of every bundle."""
_LONG_AGO = (1980, 1, 1, 0, 0, 0)
_BY_KIND = {"release": build_release, "home": build}


def members(
    kernel: Path | None,
    weights: Path,
    player: PlayerSpec | None = None,
    rules: Collection[str] = tuple(GAME_OF_RULES),
    added: Path | None = None,
) -> Iterator[tuple[str, bytes]]:
    """
    Yields name and bytes of every file of the bundle; of the networks those that *player*, by default the default
    one, plays with under these *rules*, by default those of all games of the platform. What lies in the folder *added*
    stands at the top.

    :raises WeightsError: if the manifest cannot be read.
    """
    player = player or checked_player(DEFAULT_PLAYER)
    yield "__main__.py", starter(player.text)
    yield from _added(added) if added else ()
    package = ROOT / "ddzbot"
    # Code for tests and trainings alone is not bundled; what a learner of the user saw, its player sees.
    rooms = (package / "testing", *(() if added else (package / "env",)))
    left_out = {*(path for room in rooms for path in room.rglob("*.py")), package / "kernel" / "training.py"}
    for path in sorted({*package.rglob("*.py")} - left_out):
        yield path.relative_to(ROOT).as_posix(), lean(path.read_bytes())
    if kernel:
        yield f"ddzbot/kernel/{kernel.name}", kernel.read_bytes()
    made = player.make()
    features = [*filter(None, (made.features, made.bid_features))]
    manifest = needed(read_manifest(str(weights)), features, rules)
    yield f"weights/{MANIFEST}", json_line(manifest)
    for file in sorted(manifest["files"]):
        yield f"weights/{file}", (weights / file).read_bytes()


def _added(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if path.is_file() and "__pycache__" not in parts and not any(part.startswith(".") for part in parts):
            if parts[0] in _TAKEN:
                raise OSError(f"{path}: the bundle has a {parts[0]} of its own; give it another name")
            yield "/".join(parts), path.read_bytes()


def lean(source: bytes) -> bytes:
    """
    Takes docstrings and the annotations of functions out of a module, because a judge compiles it at every turn.

    All lines keep their numbers, so that an error names a line of the repository.
    """
    lines = source.split(b"\n")
    for first, begin, last, end, instead in sorted(_superfluous(source, lines), reverse=True):
        rest = lines[last - 1][end:]
        lines[first - 1 : last] = [lines[first - 1][:begin] + instead, *[b""] * (last - first)]
        lines[last - 1] += rest
    return b"\n".join(lines)


def _superfluous(source: bytes, lines: list[bytes]) -> Iterator[tuple[int, int, int, int, bytes]]:
    """Yields from where to where a module has what nobody needs who only runs it, and what stands there instead."""
    for node in ast.walk(ast.parse(source)):
        body = getattr(node, "body", ())  # of a lambda it is an expression
        statements: list[ast.stmt] = body if isinstance(body, list) else []
        for statement in statements:
            match statement:
                case ast.Expr(value=ast.Constant(value=str()), end_lineno=int(last), end_col_offset=int(end)):
                    yield statement.lineno, statement.col_offset, last, end, b"pass" if len(statements) == 1 else b""
        match node:
            case ast.arg(annotation=ast.expr(end_lineno=int(last), end_col_offset=int(end))):
                yield node.lineno, node.col_offset + len(node.arg), last, end, b""
            case ast.FunctionDef(returns=ast.expr(lineno=first, end_lineno=int(last), end_col_offset=int(end)) as kind):
                yield first, lines[first - 1].rindex(b"->", 0, kind.col_offset), last, end, b""


def starter(player: str) -> bytes:
    """Gets ``bot.py`` with *player* in it."""
    source = (ROOT / "bot.py").read_text(encoding="utf-8")
    assert source.count(_PLAYER_LINE) == 1, "bot.py has one line for the player"
    return source.replace(_PLAYER_LINE, f"PLAYER = {player!r}").encode()


def needed(manifest: dict[str, Any], features: Iterable[str], rules: Collection[str]) -> dict[str, Any]:
    """Gets the manifest's entries of the networks with these *features* that are current under these *rules*."""
    current = {}
    for kind in features:
        by_rules = manifest["current"].get(kind, {})
        current[kind] = {rule_set: by_rules[rule_set] for rule_set in rules if rule_set in by_rules}
    named = {file for by_rules in current.values() for file in by_rules.values()}
    files = {file: entry for file, entry in manifest["files"].items() if file in named}
    return {**manifest, "files": files, "current": {kind: by_rules for kind, by_rules in current.items() if by_rules}}


def write(archive: Path, files: Iterator[tuple[str, bytes]]) -> None:
    """Writes a zip file with bytes that depend on *files* alone."""
    with written_whole(archive) as file, zipfile.ZipFile(file, "w") as bundle:
        for member, content in files:
            entry = zipfile.ZipInfo(member, _LONG_AGO)
            entry.external_attr = 0o644 << 16
            bundle.writestr(entry, content, zipfile.ZIP_DEFLATED, 9)


def contents(archive: Path) -> Table:
    """Makes the table of what is in a bundle, by kind of file."""
    table = Table(title=f"{archive}: {archive.stat().st_size:,} bytes")
    for heading in ("what", "files", "bytes", "packed"):
        table.add_column(heading, justify="left" if heading == "what" else "right")
    kinds: dict[str, list[zipfile.ZipInfo]] = {"Python": [], "kernel": [], "networks": []}
    with zipfile.ZipFile(archive) as bundle:
        for entry in bundle.infolist():
            room = {"ddzbot": "kernel", "weights": "networks"}.get(entry.filename.partition("/")[0], "added")
            kinds.setdefault("Python" if entry.filename.endswith(".py") else room, []).append(entry)
    for kind, entries in kinds.items():
        sizes = (sum(member.file_size for member in entries), sum(member.compress_size for member in entries))
        table.add_row(kind, str(len(entries)), *(f"{size:,}" for size in sizes))
    return table


def travelling(text: str, added: Path | None = None) -> PlayerSpec:
    """
    Reads the player of a bundle, which may be a class of a module in the folder *added*.

    :raises PlayerError: for an unknown one, and for one that needs files which do not travel.
    """
    refuse_help(text)
    if added:
        sys.path.insert(0, str(added))
    spec = checked_player(text)
    if ":" in spec.name:
        module = sys.modules[player_class(spec.name).__module__]
        if not (added and Path(str(module.__file__)).resolve().is_relative_to(added.resolve())):
            raise PlayerError(f"player {text!r}: a class of your own is packed from the folder that --add names")
        return spec
    if not player_class(spec.name).__module__.startswith("ddzbot."):
        raise PlayerError(f"player {text!r} needs more than a judge has, and is not packed; name another one")
    if {"weights", "bid_weights"} & set(spec.options):
        raise PlayerError(f"player {text!r}: a file of your own is not packed; promote it in a folder for --folder")
    return spec


@click.command(cls=Command)
@click.option(
    "--out",
    "archive",
    type=FILE,
    default=Path("build/ddzbot.zip"),
    show_default=True,
    help="The file to make.",
)
@click.option(
    "--player",
    default=DEFAULT_PLAYER,
    show_default=True,
    help="The player, perhaps with options; its networks are packed too.",
)
@click.option(
    "--game",
    type=click.Choice(list(GAMES)),
    help="Pack the networks of this game alone; in another one a simpler player plays.  [default: all games]",
)
@click.option(
    "--kernel",
    type=click.Choice([*_BY_KIND, "none"]),
    default="release",
    show_default=True,
    help="release: for any x86-64 Linux; home: by the compiler of this machine, for this machine.",
)
@click.option(
    "--folder",
    "weights",
    type=EXISTING_FOLDER,
    default=ROOT / "weights",
    help="Folder of networks, in place of weights/.",
)
@click.option(
    "--add",
    "added",
    type=EXISTING_FOLDER,
    help="Pack the files of this folder, too; the class of --player MODULE:CLASS may be there.",
)
def main(archive: Path, player: str, game: str | None, kernel: str, weights: Path, added: Path | None) -> None:
    """
    Make the one file to upload, with the bot, its kernel and its networks, and print what is in it.

        python -m tools bundle --player champion --out build/ddzbot.zip
    """
    try:
        spec = travelling(player, added)
    except PlayerError as error:
        raise click.BadParameter(str(error), param_hint="--player") from None
    rules = [rules for rules, played in GAME_OF_RULES.items() if game in (None, played)]
    library = _BY_KIND[kernel]() if kernel in _BY_KIND else None
    try:
        write(archive, members(library, weights, spec, rules, added))
    except (WeightsError, OSError) as error:
        raise click.UsageError(str(error)) from None
    plays = f"Player: {spec.text}" + (f", in {game} alone" if game else "")
    Console().print(contents(archive), plays)
    if archive.stat().st_size > MOST_BYTES:
        raise click.ClickException(f"{archive} is larger than the {MOST_BYTES:,} bytes that the platform accepts")


if __name__ == "__main__":
    main()
