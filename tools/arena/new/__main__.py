"""
Create your own bot: a folder with a small legal program and its test.

    python -m tools new mybot --language cpp --game FightTheLandlord2
"""

from pathlib import Path
from typing import NamedTuple

import click

from ...referee.games import GAME_OF_RULES
from ...shared.bounds import reason_of
from ...shared.errors import InputError
from ...shared.interrupts import Command
from ...shared.language import is_chinese, tr
from ...shared.message import Message
from ...shared.paths import call_of
from ...shared.shell import joined_words
from ...shared.terminal import say
from ...shared.words import comments
from ..check.scenes import GAMES

TEST = "test_bot.py"
README = """\
# {name}, a bot for {game}

`{source}` plays FightTheLandlord and FightTheLandlord2. Change all of it as you like; begin with `price` and `choose`.
Run these commands in the folder above this one.

    {commands}

The bot asks the judge to keep its process for a whole game, so it starts once per game and not once per turn. `match`
saves the results and the games. The last command says why the bot lost.

Upload only `{source}`. On the site, choose {language} and JSON messages, and allow the bot to keep running.
"""


class Language(NamedTuple):
    """What a program in it needs."""

    source: str
    build: tuple[str, ...]
    run: str
    name: str
    """For the site."""
    options: tuple[str, ...] = ()
    """Of the check: what the site gives is not the same for all."""


_GXX = ("g++", "-O2", "-std=c++11", "-o", "{program}", "{source}")
LANGUAGES = {
    "python": Language("bot.py", (), "python {}", "Python 3.6"),
    "cpp": Language("bot.cpp", _GXX, "{}", "C++11 or newer", ("--turn-time", "1")),
}


def skeleton(file: str) -> str:
    """Gets a file of a new bot, with its comments in the language of the terminal."""
    source = Path(__file__).with_name(file).read_bytes().decode()
    if is_chinese():
        for english in sorted(comments(), key=len, reverse=True):
            source = source.replace(english, comments()[english])
    return source


def commands_for(folder: Path, language: Language, game: str) -> list[str]:
    """Gets the commands that build, test, check and play the bot in *folder*, from here."""
    program, source = folder / Path(language.source).stem, folder / language.source
    build = [word.format(program=program, source=source) for word in language.build]
    run = language.run.format(joined_words([_called(program if build else source)]))
    rules = next(rules for rules, name in GAME_OF_RULES.items() if name == game)
    results, games = str(folder / "results.json"), str(folder / "games.ddzn.gz")
    files = ["--results", results, "--save-games", games]
    return [
        *([joined_words(build)] if build else []),
        joined_words(["python3", str(folder / TEST)]),
        call_of("check", run, "--game", game, *language.options),
        call_of("match", run, "rule", "--rules", rules, "--sets", "50", *files),
        call_of("report", results, "--why"),
    ]


def _called(program: Path) -> str:
    return str(program) if program.is_absolute() else f"./{program}"


@click.command(context_settings={"show_default": True}, cls=Command, in_chinese=True)
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--language", type=click.Choice([*LANGUAGES]), default="python", help="Language of the program.")
@click.option("--game", type=click.Choice(GAMES), default=GAMES[0], help="Game of the commands in its README.")
def main(folder: Path, language: str, game: str) -> None:
    """
    Create your own bot in FOLDER: a small legal program, its test, and a README with the next steps.

        python -m tools new mybot --language cpp
    """
    chosen = LANGUAGES[language]
    commands = commands_for(folder, chosen, game)
    readme = tr(
        README,
        name=folder.resolve().name,
        game=game,
        source=chosen.source,
        commands="\n    ".join(commands),
        language=chosen.name,
    )
    try:
        folder.mkdir(parents=True)
        for file in (chosen.source, TEST):
            (folder / file).write_bytes(skeleton(file).encode())
        (folder / "README.md").write_text(readme, encoding="utf-8")
    except OSError as error:
        raise InputError(Message("{file}: it cannot be made: {why}", file=folder, why=reason_of(error))) from None
    files = f"{chosen.source}, {TEST}, README.md"
    say(tr("{folder} has {files}; next:", folder=folder, files=files))
    for command in commands:
        say(f"    {command}")


if __name__ == "__main__":
    main()
