"""Files of deals: written by the command, read line by line, and played by a match that resumes with no other file."""

import errno
import gzip
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from ddzbot.bidding import hand_points
from ddzbot.game import fits, shuffled
from ddzbot.rules import rule_set
from tools.arena.deals import chance_of, kept_deals, main, points_apart
from tools.arena.files.results_file import read
from tools.arena.match import main as match
from tools.arena.matches.deals_file import DealsFile, deals_text, read_deals
from tools.arena.matches.plan import Match
from tools.arena.matches.sets import SetPlayer
from tools.arena.options import Root

MINI = rule_set("mini")
DEAL = "9TTQKAA2B 9JJQKKA2L 99TTQKA22 JJQ"
HEAD = "ddzbot-deals/1 mini\n"


def written(folder: Path, *arguments: str, name: str = "deals.txt") -> Path:
    done = CliRunner().invoke(main, [str(folder / name), "--rules", "mini", *arguments])
    assert done.exit_code == 0, done.output
    return folder / name


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return written(tmp_path, "--count", "3")


def test_what_was_written_is_read_again(file: Path) -> None:
    found = read_deals(file, "mini")
    assert [found.deal(MINI, index) for index in range(3)] == [
        shuffled(MINI, f"report/1/00000{index}") for index in range(3)
    ]
    assert len(found.sha256) == 16 and found.file == str(file)


def test_every_rule_set_has_deals(tmp_path: Path) -> None:
    for rules in ("botzone", "botzone2", "standard", "icga"):
        deals = [(shuffled(rule_set(rules), "x"), "x")]
        (tmp_path / rules).write_text(deals_text(rule_set(rules), deals, "one"))
        assert fits(read_deals(tmp_path / rules, rules).deal(rule_set(rules), 0))


def test_a_packed_file_has_the_same_deals_and_the_same_hash(file: Path, tmp_path: Path) -> None:
    packed = written(tmp_path, "--count", "3", name="deals.txt.gz")
    assert gzip.decompress(packed.read_bytes()) == file.read_bytes()
    assert read_deals(packed, "mini")[1:] == read_deals(file, "mini")[1:]


def test_a_full_disk_is_one_sentence_and_leaves_the_old_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old, held = file.read_bytes(), list[bytes]()

    def full(_: int) -> None:
        held.append(file.read_bytes())
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    done = CliRunner().invoke(main, [str(file), "--rules", "mini", "--count", "50"])
    said = f"Error: deals file {file}: it cannot be written (No space left on device)\n"
    assert (done.exit_code, done.output) == (2, said)
    # A command that is killed just before the last step leaves the old file, too.
    assert held == [old] == [file.read_bytes()]
    assert list(file.parent.iterdir()) == [file]


def test_filters_keep_what_they_say_and_lose_the_rest(tmp_path: Path) -> None:
    narrow = read_deals(written(tmp_path, "--count", "5", "--points-apart", "2"), "mini")
    assert all(points_apart(narrow.deal(MINI, index)) <= 2 for index in range(5))
    first = [shuffled(MINI, f"report/1/{index:06d}") for index in range(5)]
    assert any(points_apart(deal) > 2 for deal in first)
    points = [hand_points(MINI, hand) for hand in first[0].hands]
    assert points_apart(first[0]) == max(points) - min(points)


@pytest.mark.usefixtures("with_kernel")
def test_the_networks_chance_decides_who_stays(tmp_path: Path) -> None:
    even = read_deals(written(tmp_path, "--count", "4", "--chance", "40", "60"), "mini")
    assert all(0.4 <= chance_of(even.deal(MINI, index)) <= 0.6 for index in range(4))
    wide = [chance_of(shuffled(MINI, f"report/1/{index:06d}")) for index in range(20)]
    assert min(wide) < 0.4 and max(wide) > 0.6


def test_under_rules_with_an_auction_the_best_hand_is_thought_to_be_the_landlord() -> None:
    rules = rule_set("botzone2")
    deal = shuffled(rules, "auction")
    best = max(range(3), key=lambda position: hand_points(rules, deal.hands[position]))
    turned = deal._replace(hands=(deal.hands[best], deal.hands[best - 2], deal.hands[best - 1]))
    assert chance_of(deal) == pytest.approx(chance_of(turned))


def test_filters_that_let_nothing_through_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.arena.deals.MOST_IN_VAIN", 7)
    with pytest.raises(ValueError, match="of 7 deals in a row none passed: the filters are too narrow"):
        list(kept_deals("mini", Root("report", 1), [lambda deal: False]))


def test_no_deal_is_looked_for_after_the_last_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.arena.deals.MOST_IN_VAIN", 7)
    first = shuffled(MINI, "report/1/000000")
    monkeypatch.setattr("tools.arena.deals.points_apart", lambda deal: 0 if deal == first else 1)
    assert len(read_deals(written(tmp_path, "--count", "1", "--points-apart", "0"), "mini").hands) == 1


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "its first line is '', not 'ddzbot-deals/1 mini'"),
        ("ddzbot-deals/1 botzone\n", "not 'ddzbot-deals/1 mini'"),
        (HEAD, "there is no deal in it"),
        (HEAD + DEAL + "\n" + DEAL[:-4] + "\n", "line 3: a deal is three hands and the bottom, not 3 texts"),
        (HEAD + DEAL.replace(" JJQ", " JJX"), "line 2: cards 'JJX': 'X' is not a rank"),
        (HEAD + DEAL.replace("JJQ", "JJJ"), "line 2: this is not the deck of rules mini in three hands of 9 cards"),
    ],
)
def test_a_bad_file_is_refused_with_its_line(text: str, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "deals.txt"
    path.write_text(text)
    with pytest.raises(ValueError) as caught:
        read_deals(path, "mini")
    assert str(caught.value).startswith(f"deals file {path}") and sentence in str(caught.value)


def played(file: Path, results: Path, *more: str) -> tuple[int, str]:
    options = ["--rules", "mini", "--deals", str(file), "--results", str(results), "--jobs", "1", "--quiet", *more]
    done = CliRunner().invoke(match, ["rule", "random", *options], env={"COLUMNS": "200"})
    return done.exit_code, done.output


def test_a_match_plays_the_cards_of_the_file(file: Path) -> None:
    plan = replace(
        Match.of("mini", ("rule", "random"), 1, 1), deals=DealsFile("x", "y", read_deals(file, "mini").hands[2:])
    )
    player = SetPlayer(plan)
    record = player.record(0, 0, 1)
    player.close()
    deal = shuffled(MINI, "report/1/000002")
    assert (record.hands, record.bottom) == (deal.hands, deal.bottom)
    assert record.tags["Event"] == "x y deal 0 game 1"


def test_the_results_name_the_file_and_go_on_with_no_other_one(file: Path, tmp_path: Path) -> None:
    results = tmp_path / "results.json"
    status, said = played(file, results, "--sets", "2")
    digits = read_deals(file, "mini").sha256
    assert status == 0 and f"deals {file} {digits}, seeds report/1" in said
    assert json.loads(results.read_text().splitlines()[0])["deals"] == {"file": str(file), "sha256": digits}
    moved = file.rename(tmp_path / "moved.txt")
    assert played(moved, results)[0] == 0
    assert read(results).played == [2, 1]
    other = written(tmp_path, "--count", "3", "--seed", "2")
    status, said = played(other, results)
    assert status == 2 and f"holds another match: deals is '{digits}' there" in said
    done = CliRunner().invoke(match, ["rule", "random", "--rules", "mini", "--sets", "3", "--results", str(results)])
    assert done.exit_code == 2 and "and None here" in done.output


def test_a_match_is_no_longer_than_its_file(file: Path, tmp_path: Path) -> None:
    status, said = played(file, tmp_path / "results.json", "--sets", "4")
    assert status == 2 and f"deals file {file} has 3 deals: sets 4 are too many" in said
