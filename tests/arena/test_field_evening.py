"""A whole evening: programs that are good, break and do not compile, one command that was killed, and its page."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from selenium.webdriver.common.by import By

from tests.arena.hostile import GOOD, KEPT
from tests.arena.some_files import rows_in, timeless
from tests.arena.test_field import play_field
from tests.browser import open_browser
from tests.support import ROOT, eventually, started
from tools.arena import report
from tools.arena.files.results_file import read

pytestmark = pytest.mark.whole

BOTS = ROOT / "tests" / "bots"
ODD = "<img src=x onerror=alert(1)>"
ESCAPES = "\x1b[2Jred"
BOMB = """
import os, sys, time
sys.stdin.readline()
first = os.getpid()
while True:
    try:
        os.fork()
    except OSError:
        if os.getpid() == first:
            sys.exit("no more processes")
        time.sleep(600)
"""
"""Starts as many processes as it may, and leaves them behind; the check need not wait for its time to be over."""


@pytest.fixture
def field(tmp_path: Path) -> Path:
    folder = tmp_path / "class"
    folder.mkdir()
    (folder / f"{ODD}.py").write_text(KEPT)
    for name, bot in ((ESCAPES, "crash_late"), ("illegal_move", "illegal_move")):
        (folder / name).mkdir()
        (folder / name / "main.py").write_text((BOTS / f"{bot}.py").read_text("utf-8"))
        (folder / name / "obedient_one_shot.py").write_text(GOOD)
    (folder / "wrong.cpp").write_text("int main() { return nothing; }\n")
    (folder / "fork_bomb.py").write_text(BOMB)
    return folder


def command(field: Path) -> list[str]:
    options = ["--rules", "botzone", "--sets", "1-2", "--seed", "5", "--jobs", "2", "--quiet"]
    quick = "import tools.shared.storage.autosave as m; m.AUTOSAVE_SECONDS = 0.1"
    short = "import tests.check.few as few, tools.arena.field.entries as e; e._judge_safely = few.judge_shortly"
    program = f"{quick}; {short}; import tools.arena.class_of_programs as t; t.main()"
    return [sys.executable, "-c", program, str(field), "rule", *options]


def environment(tmp_path: Path) -> dict[str, str]:
    own = {name: value for name, value in os.environ.items() if name != "DDZ_SANDBOX"}
    return {**own, "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(tmp_path / "state"), "COLUMNS": "150"}


@pytest.mark.timeout(1800)
def test_an_evening_resumes_after_a_kill_and_a_program_at_fault_pays(field: Path, tmp_path: Path) -> None:
    env, results = environment(tmp_path), tmp_path / "class.json"
    with started(command(field), cwd=tmp_path, env=env, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as killed:
        assert eventually(lambda: results.exists() and b'"block"' in results.read_bytes())
        assert killed.poll() is None
        killed.kill()
        killed.wait()
        before = timeless(rows_in(results))
    again = subprocess.run(command(field), cwd=tmp_path, env=env, capture_output=True, text=True)
    assert again.returncode == 0, again.stderr
    assert "wrong does not play: it does not compile:" in again.stderr
    assert "fork_bomb does not play: " in again.stderr
    assert "\x1b" not in again.stdout + again.stderr and "\\x1b[2Jred" in again.stdout
    assert "`illegal_move`, of " in again.stdout and "was refused: card " in again.stdout
    assert "no fifth move (RE)" in again.stdout
    resumed = read(results)
    assert len(resumed.parts) == 2
    rows = resumed.rows_of(resumed.plan)
    assert all([row.set for row in played] == [*range(len(played))] for played in rows)
    # What was kept of the killed run stands there still.
    assert all(row in after for kept, after in zip(before, timeless(rows), strict=True) for row in kept)
    assert any(before)
    assert {entry.name for entry in resumed.parts[0].entries if entry.problem} == {"fork_bomb", "wrong"}
    look_at(tmp_path / "class.html", tmp_path / "chromium")


@pytest.mark.parametrize(("rules", "share"), [("mini", "share of games won"), ("botzone2", "share of sets won")])
def test_the_page_says_which_share_wp_is(
    rules: str, share: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = play_field(tmp_path, monkeypatch, {"random": "", "rule": ""}, rules=rules)
    assert done.exit_code == 0, done.output
    titled = [str(tmp_path / "class.json"), "--page", str(tmp_path / "titled.html"), "--title", "Class 3 <b>\x1b[2J"]
    assert CliRunner().invoke(report.main, titled).exit_code == 0
    browser = open_browser(tmp_path / "chromium", "browser")
    try:
        browser.get((tmp_path / "class.html").as_uri())
        note = browser.find_element(By.CSS_SELECTOR, "#match section p").text
        assert share in note and note.count("share of") == 1
        heads = [one.text for one in browser.find_elements(By.CSS_SELECTOR, ".ranks:not(.cross) th")]
        assert heads[2:9] == ["Elo", "LOS", "Sets", "ms: median, 95 %", "WP %", "ADP", "First sets"]
        cells = [one.text for one in browser.find_elements(By.CSS_SELECTOR, ".ranks:not(.cross) tr:nth-child(2) td")]
        assert (cells[4], cells[8]) == ("4", "2") and len(cells) == len(heads)
        assert browser.find_element(By.ID, "match-title").text == "Dou Dizhu: class"
        assert browser.title == "Dou Dizhu: class · ddzbot"
        assert re.match(r"\d{4}-\d\d-\d\d · 2 players", browser.find_element(By.ID, "match-subtitle").text)
        browser.get((tmp_path / "titled.html").as_uri())
        assert browser.find_element(By.ID, "match-title").text == "Class 3 <b>\\x1b[2J"
    finally:
        browser.quit()


def look_at(page: Path, profile: Path) -> None:
    browser = open_browser(profile, "browser")
    try:
        browser.get(page.as_uri())
        names = [one.text for one in browser.find_elements(By.CSS_SELECTOR, ".ranks:not(.cross) td.player")]
        assert {ODD, "\\x1b[2Jred", "wrong", "fork_bomb"} <= {*names} and len(names) == 6
        assert names[-2:] == ["fork_bomb", "wrong"]
        assert not browser.find_elements(By.CSS_SELECTOR, "#match img")
        data = json.loads(browser.find_element(By.ID, "data").get_attribute("textContent") or "")
        assert all(one["why"]["reviewed"] for one in data["match"]["players"] if one["name"] == ODD)
        browser.find_element(By.CSS_SELECTOR, ".one li a.bad").click()
        assert "fault" in browser.find_element(By.ID, "subtitle").text
        assert browser.get_log("browser") == []
    finally:
        browser.quit()
