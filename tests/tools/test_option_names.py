"""The names of options over all commands: one name has one meaning."""

import re
from collections.abc import Iterator

import click
import pytest

from ddzbot.game import SEAT_NAMES
from ddzbot.rules import RULE_SETS
from tests.support import ROOT
from tests.tools.all_commands import commands
from tools.command import groups, sentence_of
from tools.referee.games import GAMES

pytestmark = pytest.mark.whole


COMMANDS = dict(commands())


def options(command: click.Command) -> set[str]:
    return {
        name for one in command.params if isinstance(one, click.Option) for name in (*one.opts, *one.secondary_opts)
    }


def kind(option: click.Option) -> str:
    """Says what is typed behind an option: a number, a text, a file, or nothing."""
    if option.is_flag:
        return "nothing"
    if option.name == "seed":
        return "a seed, whatever a game takes as one"
    if option.metavar:
        return option.metavar
    if isinstance(option.type, click.Choice):
        return "a choice"
    return option.type.name.removesuffix(" range").upper() + f" x{option.nargs}" * (option.nargs > 1)


def test_one_name_has_one_meaning() -> None:
    kinds: dict[str, dict[str, list[str]]] = {}
    for command, name, option in everything():
        kinds.setdefault(name, {}).setdefault(kind(option), []).append(command)
    assert {name: found for name, found in kinds.items() if len(found) > 1} == {}


def everything() -> Iterator[tuple[str, str, click.Option]]:
    """Yields every option that a help shows: the command, each name, and the option."""
    for command, one in COMMANDS.items():
        for option in one.params:
            if isinstance(option, click.Option) and not option.hidden:
                yield from ((command, name, option) for name in option.opts)


def test_the_choices_of_a_name_are_of_one_list() -> None:
    for name, known in (
        ("--game", {*GAMES, "both"}),
        ("--rules", {*RULE_SETS}),
        ("--seat", {*SEAT_NAMES, "0", "1", "2"}),
    ):
        for command, found, option in everything():
            if found == name:
                assert isinstance(option.type, click.Choice) and {*option.type.choices} <= known, command


def test_no_command_has_more_than_20_options() -> None:
    many = {name: len(options(command)) for name, command in COMMANDS.items()}
    many = {name: count for name, count in many.items() if count > 20}
    assert many == {}


def test_every_option_is_on_a_page() -> None:
    pages = [*map(ROOT.joinpath, ("README.md", "CONTRIBUTING.md", "results/README.md")), *(ROOT / "docs").rglob("*.md")]
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", " ".join(page.read_text("utf-8") for page in pages)))
    assert {
        f"{command} {name}" for command, name, _ in everything() if name.startswith("--") and name not in named
    } == {" --version"}


def test_a_help_is_imperative_and_so_is_the_list_of_commands() -> None:
    listed = {name: sentence_of(module) for modules in groups().values() for name, module in modules.items()}
    for name, command in COMMANDS.items():
        for text in (command.help or "", listed.get(name, "")):
            assert not re.match(r"[A-Z][a-z]*[^s]s\b", text), (name, text)


def test_no_help_shows_an_empty_default() -> None:
    for name, command in COMMANDS.items():
        shown = command.get_help(click.Context(command, info_name=name, terminal_width=120))
        assert not re.search(r'\[default: (""|\()', shown), name
