"""``NAME:help`` lists the options of a player with their defaults and their docstrings."""

from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

from ddzbot.belief.worlds import BELIEFS
from ddzbot.players.base import Player
from ddzbot.players.registry import option_names, player_class, player_names
from tools.arena.match import main as match
from tools.judge.__main__ import command as judge
from tools.release.bundle import main as bundle
from tools.shared.contestants import parse_contestant
from tools.shared.player_help import PlayerHelp, options_of
from tools.tables.play.__main__ import main as play
from tools.tables.serve.__main__ import main as serve


@pytest.mark.parametrize("name", player_names())
def test_every_option_of_every_player_is_listed_with_its_default_and_meaning(name: str) -> None:
    kind = player_class(name)
    options = options_of(kind)
    assert [option.name for option in options] == (option_names(kind) or [])  # None: a class that takes any
    for option in options:
        assert option.meaning.endswith(".") and not {"`", ":data"} & {*option.meaning.split()}, option
        default = kind.options_type._field_defaults[option.name] if kind.options_type else None
        assert option.default == ("" if default is None else str(default))
    if name == "mcm":  # A constant of names is the names.
        (belief,) = [option for option in options if option.name == "belief"]
        assert ", ".join(BELIEFS) in belief.meaning


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (match, ["mcm:help", "rule"]),
        (play, ["--bot", "mcm:help"]),
        (serve, ["--bot", "mcm:help"]),
        (judge, ["mcm:help", "rule", "rule"]),
        (bundle, ["--player", "mcm:help"]),
    ],
    ids=["match", "play", "serve", "judge", "bundle"],
)
def test_commands_print_it_and_end_with_0(command: Any, words: list[str]) -> None:
    done = CliRunner().invoke(command, words)
    assert done.exit_code == 0, done.output
    assert done.stderr == ""
    said = " ".join(done.stdout.split())
    assert "search tree tree, or none for the network alone." in said
    assert "McmOptions" not in said
    assert said.endswith("Write mcm:OPTION=VALUE,OPTION=VALUE.")


class TwoOptions(NamedTuple):
    """Options of a player of one's own."""

    depth: int = 3
    """How deep it looks;
    the deeper, the slower."""
    silent: str = "yes"


class Own(Player):
    """Looks deep. Its options are :class:`TwoOptions`."""

    options_type = TwoOptions


class Named(Player):
    """Names its options in its constructor."""

    def __init__(self, seed: int = 0, depth: int = 4, word: str | None = None) -> None:
        super().__init__(seed)


def test_a_player_of_ones_own_has_help_too() -> None:
    assert options_of(Own) == [("depth", "3", "How deep it looks; the deeper, the slower."), ("silent", "yes", "")]
    assert options_of(Named) == [("depth", "4", ""), ("word", "", "")]
    with pytest.raises(PlayerHelp, match="has options: depth, silent"):
        parse_contestant("tests.tools.test_player_help:Own:help")


def test_a_player_without_options_says_so_and_a_command_line_may_have_the_word() -> None:
    done = CliRunner().invoke(match, ["rule:help", "random"])
    assert done.exit_code == 0
    assert done.stdout.splitlines()[-1] == "It has no options."
    assert parse_contestant("./bot --player mcm:help").is_program


@pytest.mark.parametrize("spec", ["missing:help", ":help", "help", "mcm:k=3:help"])
def test_help_for_no_player_is_an_error(spec: str) -> None:
    with pytest.raises(ValueError, match="contestant"):
        parse_contestant(spec)
