"""How contestants are written."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from ddzbot.search.limit import Limit
from tests.arena.hostile import KEPT
from tests.support import command_line
from tools.arena.files.results_file import read
from tools.arena.match import main as match
from tools.arena.matches.plan import Match
from tools.arena.matches.sets import SetPlayer
from tools.shared.contestants import parse_contestant
from tools.tables.table.bots import bot


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("rule", ()),
        ("python3 bot.py --player rule", ("python3", "bot.py", "--player", "rule")),
        ("python bot.py", (sys.executable, "bot.py")),
        ("./mybot", ("./mybot",)),
    ],
)
def test_a_text_with_a_blank_or_slash_is_a_command_line_and_a_name_a_player(
    text: str, command: tuple[str, ...]
) -> None:
    assert parse_contestant(text).command == command
    assert parse_contestant(text).is_program == bool(command)


def test_a_player_of_ones_own_is_named_by_module_and_class_and_takes_options_too() -> None:
    spec = "tests.protocol.bad_players:Raising"
    assert parse_contestant(spec).player == (spec, spec, {})
    spec = "ddzbot.players.mctshs:MctshsPlayer:worlds=8"
    assert parse_contestant(spec).player == (spec, "ddzbot.players.mctshs:MctshsPlayer", {"worlds": 8})


def test_a_limit_of_ones_own_is_refused_where_all_have_the_same() -> None:
    assert parse_contestant("rule").without_limit().spec == "rule"
    with pytest.raises(ValueError, match="'rule@2s': a limit of its own counts in matches alone"):
        parse_contestant("rule@2s").without_limit()
    with pytest.raises(ValueError, match="counts in matches alone"):
        bot("rule@2s", 1, 0)


def test_a_name_stands_before_the_rest() -> None:
    anna = parse_contestant("anna=./anna/bot --fast")
    assert (anna.spec, anna.command) == ("anna", ("./anna/bot", "--fast"))
    slow = parse_contestant("慢=champion:margin=3@2s")
    assert (slow.spec, slow.limit) == ("慢", Limit(2.0))
    assert slow.engine().choose is not None
    for text in ("mctshs:worlds=8", "./a=b", "python3 bot.py --x=1"):
        assert parse_contestant(text).spec == text


@pytest.mark.whole
def test_a_program_with_a_name_may_move_while_its_match_goes_on(tmp_path: Path) -> None:
    here, there, results = tmp_path / "anna.py", tmp_path / "class" / "anna.py", tmp_path / "results.json"
    there.parent.mkdir()
    here.write_text(KEPT)
    for sets, program in enumerate((here, there), 1):
        if program == there:
            here.rename(there)
        options = ["--rules", "mini", "--sets", sets, "--results", results, "--jobs", 1, "--quiet"]
        done = CliRunner().invoke(match, ["anna=" + command_line("python", program), "random", *map(str, options)])
        assert done.exit_code == 0 and "anna against random" in done.output, done.output
    found = read(results)
    assert (found.plan.names, found.played) == (("anna", "random"), [1, 1])


@pytest.mark.parametrize(
    ("spec", "named"),
    [
        ("", "empty text"),
        ("rule=./bot", "rule is a player of this project; give it another name"),
        ("person=rule", "a game calls a human player person; give the program another name"),
        ("anna=missing", "'missing' is unknown"),
        ("missing", "'missing' is unknown; there are"),
        ("rule:strength=9", "strength"),
        ("rule:seed", "'seed' must be KEY=VALUE"),
        ("rule:=3", "rule"),
        ('./bot "x', "open|quotation"),
        ("no_such_module:Player", "cannot be imported"),
        ("os:path", "player 'os:path' is no class with choose\\(view, limit\\)"),
        ("os:walk", "player 'os:walk' is no class with choose\\(view, limit\\)"),
        ("champion@soon", "'champion@soon': limit 'soon' must be like"),
        ("champion@", "must follow the @"),
        ("missing@2s", "'missing' is unknown"),
    ],
)
def test_a_contestant_that_cannot_play_is_refused_by_name(spec: str, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        parse_contestant(spec)


def test_a_player_may_have_a_limit_of_its_own() -> None:
    assert parse_contestant("champion").limit is None
    assert parse_contestant("champion:margin=3@2s,400p")[:4] == (
        "champion:margin=3@2s,400p",
        ("champion:margin=3", "champion", {"margin": 3}),
        (),
        Limit(2.0, 400),
    )
    at_sign = parse_contestant("champion:weights=nets@home.ddzw")
    assert at_sign.limit is None and at_sign.player is not None
    assert at_sign.player.options == {"weights": "nets@home.ddzw"}
    assert parse_contestant("python bot.py --user me@2s").is_program


def test_it_keeps_its_own_limit_and_the_others_keep_theirs() -> None:
    plan = Match.of("mini", ("mcm@30p", "mcm"), 2, 1, "train", "60p")
    own, same = (SetPlayer(one) for one in (plan, replace(plan, contestants=plan.contestants[::-1])))
    playouts = {letter: set[int]() for letter in "AB"}
    for game, seating in enumerate(plan.seatings()):
        for asked in own.outcome(0, 0, game).asked:
            playouts[seating[asked.position]].add(asked.debug.get("playouts", 0))
    assert 25 < max(playouts["A"]) <= 30 < 50 < max(playouts["B"]) <= 60
    swapped = {"ABB": "BAA", "BAA": "ABB"}
    for game, seating in enumerate(plan.seatings()):
        mirrored = same.outcome(0, 0, plan.seatings().index(swapped[seating]))
        assert [one.debug.get("playouts") for one in own.outcome(0, 0, game).asked] == [
            one.debug.get("playouts") for one in mirrored.asked
        ]
