"""How contestants are written."""

import sys

import pytest

from tools.shared.contestants import parse_contestant


def test_a_name_is_a_registered_player() -> None:
    assert parse_contestant("rule").engine() is not None


def test_a_text_with_a_blank_or_slash_is_a_command_line() -> None:
    assert parse_contestant("python3 bot.py --player rule").command == ("python3", "bot.py", "--player", "rule")
    assert parse_contestant("./mybot").is_program


def test_a_player_of_ones_own_is_named_by_module_and_class() -> None:
    spec = "tests.protocol.bad_players:Raising"
    assert parse_contestant(spec).player == (spec, spec, {})


def test_a_player_of_ones_own_takes_options_too() -> None:
    spec = "ddzbot.players.mctshs:MctshsPlayer:worlds=8"
    assert parse_contestant(spec).player == (spec, "ddzbot.players.mctshs:MctshsPlayer", {"worlds": 8})


def test_the_first_word_python_is_the_interpreter_of_the_match() -> None:
    assert parse_contestant("python bot.py").command == (sys.executable, "bot.py")


@pytest.mark.parametrize(
    ("spec", "named"),
    [
        ("", "empty text"),
        ("nobody", "'nobody' is unknown; there are"),
        ("rule:strength=9", "strength"),
        ("rule:seed", "'seed' must be KEY=VALUE"),
        ("rule:=3", "rule"),
        ('./bot "x', "open|quotation"),
        ("no_such_module:Player", "cannot be imported"),
    ],
)
def test_a_contestant_that_cannot_play_is_refused_by_name(spec: str, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        parse_contestant(spec)
