"""The players that stay at home: named like all others, imported late, and never packed."""

import subprocess
import sys

import pytest

from ddzbot.players.registry import PlayerError, add_player, is_player, parse_player, player_class, player_names
from tests.support import ROOT
from tools.opponents import PLAYERS, add_players


def test_every_one_of_them_is_a_player_under_its_name() -> None:
    assert set(PLAYERS) <= set(player_names())
    assert [player_class(name).name for name in PLAYERS] == list(PLAYERS)


def test_they_may_be_added_twice_and_a_name_belongs_to_one_class() -> None:
    before = player_names()
    add_players()
    assert player_names() == before
    with pytest.raises(ValueError, match="player 'rhcp' is taken"):
        add_player("rhcp", "tools.opponents.other", "OtherPlayer")


def test_a_word_without_a_key_is_a_player_s_own_option_only_where_it_has_one() -> None:
    for text in ("rlcard:doudizhu-rule-v1", "rlcard:model=doudizhu-rule-v1"):
        spec = parse_player(text)
        assert (spec.text, spec.name, spec.options) == (text, "rlcard", {"model": "doudizhu-rule-v1"})
    assert is_player("rlcard:some/folder/model.tar")
    with pytest.raises(PlayerError, match="the option 'thesis' must be KEY=VALUE"):
        parse_player("mctshs:thesis")
    with pytest.raises(PlayerError, match="the option '' must be KEY=VALUE"):
        parse_player("rlcard:doudizhu-rule-v1,")


def test_the_bot_does_not_know_them_and_naming_them_imports_none() -> None:
    code = (
        "import sys; from ddzbot.players.registry import player_names as names; before = names(); import tools; "
        "assert 'torch' not in sys.modules and 'rlcard' not in sys.modules; print(*set(names()) - set(before))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == set(PLAYERS)
