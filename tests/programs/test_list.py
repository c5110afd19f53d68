"""The players that stay at home: named like all others, imported late, and never packed."""

import json
import subprocess
import sys

import pytest

from ddzbot.players.registry import PlayerError, add_player, is_player, parse_player, player_class, player_names
from tests.support import ROOT
from tools.judge.game_command import bot_words
from tools.judge.icga_engine import words_of
from tools.programs import PLAYERS, add_players, program_of
from tools.shared.contestants import parse_contestant


def test_every_one_of_them_is_a_player_under_its_name() -> None:
    assert set(PLAYERS) <= set(player_names())
    assert [player_class(name).name for name in PLAYERS] == list(PLAYERS)


def test_they_may_be_added_twice_and_a_name_belongs_to_one_class() -> None:
    before = player_names()
    add_players()
    assert player_names() == before
    with pytest.raises(ValueError, match="player 'rhcp' is taken"):
        add_player("rhcp", "tools.programs.other", "OtherPlayer")


def test_a_word_without_a_key_is_a_player_s_own_option_only_where_it_has_one() -> None:
    for text in ("rlcard:doudizhu-rule-v1", "rlcard:model=doudizhu-rule-v1"):
        spec = parse_player(text)
        assert (spec.text, spec.name, spec.options) == (text, "rlcard", {"model": "doudizhu-rule-v1"})
    assert is_player("rlcard:some/folder/model.tar")
    with pytest.raises(PlayerError, match="the option 'thesis' must be KEY=VALUE"):
        parse_player("mctshs:thesis")
    with pytest.raises(PlayerError, match="the option '' must be KEY=VALUE"):
        parse_player("rlcard:doudizhu-rule-v1,")


@pytest.mark.whole  # rlcard must be there
def test_a_judge_starts_a_program_that_knows_them() -> None:
    assert program_of("rule") == [str(ROOT / "bot.py")]
    assert {name: program_of(name) for name in PLAYERS} == {name: ["-m", "tools.programs"] for name in PLAYERS}
    assert words_of(parse_contestant("rlcard"))[1:] == [
        "-m",
        "tools.programs",
        "--protocol",
        "icga",
        "--player",
        "rlcard",
    ]
    own = [0, 4, 5, 9, 13, 16, 17, 20, 24, 29, 30, 33, 36, 40, 41, 44, 46, 48, 50, 52]
    line = json.dumps({"requests": [{"own": own, "history": [[], []], "publiccard": [0, 4, 5]}], "responses": []})
    words = [*bot_words("rlcard"), "--limit", "600s"]
    done = subprocess.run(words, cwd=ROOT, input=line + "\n", capture_output=True, text=True, check=True)
    answer = json.loads(done.stdout)
    assert answer["debug"]["player"] == "rlcard" and answer["response"]


def test_the_bot_does_not_know_them_and_naming_them_imports_none() -> None:
    code = (
        "import sys; from ddzbot.players.registry import player_names as names; before = names(); import tools; "
        "assert 'torch' not in sys.modules and 'rlcard' not in sys.modules; print(*set(names()) - set(before))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == set(PLAYERS)
