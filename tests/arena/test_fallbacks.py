"""A contestant that cannot play as named is refused before the first game, unless its fallback is allowed."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.arena.some_files import in_this_process
from tests.platforms import PLATFORMS
from tests.support import kernel_path, require
from tools.arena.fallbacks import refuse_fallbacks, would_fall_back
from tools.arena.playing import CHECK
from tools.command import main
from tools.shared.contestants import parse_contestant

LACKING = "champion:search=none,weights=nosuch.ddzw"
CHEATING = "tools.lab.cheating:CheatingChampion"
COMMANDS: dict[str, list[str]] = {
    "match": ["match", "random", "--sets", "1", "--quiet"],
    "game": ["match", "random", "--sets", "1", "--replay-game", "0.0"],
    "seats": ["seats", "random", "rule", "--sets", "1", "--quiet"],
    "everybody": ["match", "random", "rule", "--sets", "1", "--quiet"],
}


def ask(command: str, player: str, file: Path, *more: str, check: bool = False) -> Result:
    name, *words = COMMANDS[command]
    kept = [] if command == "game" else ["--results", str(file)]
    options = [*words, "--rules", "mini", "--jobs", "1", *kept, *more]
    return CliRunner().invoke(main, [name, player, *options], obj=CHECK if check else None)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_player_without_its_network_is_refused_before_the_first_game(command: str, tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    refused = ask(command, LACKING, file)
    assert refused.exit_code == 2
    said = " ".join(refused.stderr.split())
    assert f"contestant '{LACKING}' cannot play here (rules mini): " in said and "nosuch.ddzw" in said
    assert said.endswith("mctshs would play in its place, which --allow-fallback accepts")
    assert not file.exists()


@pytest.mark.whole
@pytest.mark.parametrize("command", ["game", "everybody"])
def test_a_fallback_plays_where_a_user_allows_it(command: str, tmp_path: Path) -> None:
    with in_this_process():
        done = ask(command, LACKING, tmp_path / "r.json", "--allow-fallback", "--limit", "5p")
    assert done.exit_code == 0, done.output


@pytest.mark.usefixtures("without_kernel")
@pytest.mark.parametrize(("player", "chose"), [("champion", "champion:search=none"), ("mctshs", "rule")])
def test_a_player_without_the_kernel_is_refused(player: str, chose: str, tmp_path: Path) -> None:
    refused = ask("match", player, tmp_path / "r.json")
    assert refused.exit_code == 2
    said = " ".join(refused.stderr.split())
    assert f"no kernel: DDZ_NO_KERNEL is set; {chose} would play in its place" in said
    assert ask("match", "rhcp", tmp_path / "r.json").exit_code == 0


@pytest.mark.parametrize("rules", PLATFORMS)
def test_a_player_that_has_all_it_needs_plays(rules: str) -> None:
    require(kernel_path(), "a C compiler")
    players = ["champion", "champion@9s", "mcm", "mctshs", "rhcp", "rule", "random", "./some program", CHEATING]
    refuse_fallbacks(rules, map(parse_contestant, players))


def test_a_player_that_cannot_bid_is_refused(tmp_path: Path) -> None:
    require(kernel_path(), "a C compiler")
    player = f"champion:bid_weights={tmp_path / 'nosuch.ddzw'}"
    assert would_fall_back("botzone", player) is None
    found = would_fall_back("botzone2", player)
    assert found is not None and "nosuch.ddzw" in found.because


@pytest.mark.parametrize("command", ["match", "seats", "everybody"])
def test_check_plays_nothing_and_makes_no_file(command: str, tmp_path: Path) -> None:
    done = ask(command, "rhcp", tmp_path / "new" / "r.json", check=True)
    assert (done.exit_code, done.output) == (0, "")
    assert [*tmp_path.iterdir()] == []


@pytest.mark.parametrize("command", ["match", "seats", "everybody"])
def test_check_says_what_is_wrong_with_a_file_and_leaves_it_alone(command: str, tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    with in_this_process():
        assert ask(command, "rhcp", file).exit_code == 0
        before = file.read_bytes()
        assert ask(command, "rhcp", file, check=True).exit_code == 0
        refused = ask(command, "rhcp", file, "--seed", "2", check=True)
    assert refused.exit_code == 2 and "another" in refused.stderr
    assert file.read_bytes() == before
