"""Plans of experiments: read, played by one command, and written into a document."""

import gzip
import signal
import subprocess
import sys
from pathlib import Path
from statistics import fmean, stdev

import psutil
import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from tests.arena.some_files import keep_table, rows_in
from tests.support import ROOT, eventually, started
from tools.arena.files.results_file import read
from tools.arena.matches.in_subprocess import run_in_subprocess
from tools.arena.stats.row import Row
from tools.command import main as tools
from tools.lab.experiments import __main__ as command
from tools.lab.experiments.__main__ import main
from tools.lab.experiments.check import check
from tools.lab.experiments.plan import PlanError, read_plan
from tools.lab.experiments.render import NOT_PLAYED, draw, filled, table
from tools.lab.experiments.results import DocumentError
from tools.shared.work.workers import Workers

pytestmark = pytest.mark.whole

PLAN = """
[[match]]
name = "rule-random"
contestants = ["rule", "random"]
sets = 6
budget = "none needed"
published = "90"

[[match]]
name = "later"
contestants = ["rule", "rhcp"]
limit = "5p"
sprt = [0.0, 3.0]

[[seats]]
name = "table"
contestants = ["random", "rule", "random"]
games = 5
"""

DOC = """# Report

<!-- experiments: rule-random later -->
old
<!-- end of experiments -->

Between.

<!-- experiments: table -->
<!-- end of experiments -->
"""


PATIENCE = 60.0


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "plan.toml"
    path.write_text(PLAN)
    (tmp_path / "report.md").write_text(DOC)
    return path


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command checks and plays here; one test of a whole plan, and those of signals, start processes."""
    monkeypatch.setattr(command, "run_in_subprocess", lambda function, *arguments: function(*arguments))
    monkeypatch.setattr(command, "_ended", lambda words: CliRunner().invoke(tools, [*words[3:], "--quiet"]).exit_code)


def ask(*arguments: object) -> Result:
    """Runs the command."""
    return CliRunner().invoke(main, list(map(str, arguments)))


def play(plan: Path, *options: object) -> Result:
    """Plays what the plan has, and expects that it ends well."""
    done = ask(plan, "--jobs", "1", *options)
    assert done.exit_code == 0, done.output
    return done


def show(plan: Path, *names: str) -> str:
    """Writes the table of experiments as a document has it."""
    document = f"<!-- experiments: {' '.join(names)} -->\n<!-- end of experiments -->\n"
    return filled(document, read_plan(plan), plan.parent, plan)


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_a_plan_is_played_written_into_its_document_and_kept_compressed(plan: Path) -> None:
    doc, picture = plan.with_name("report.md"), plan.with_name("wp.png")
    options = ["--only", "rule-random", "--only", "table", "--jobs", "1", "--doc", doc, "--picture", picture]
    words = [sys.executable, "-m", "tools", "experiments", str(plan), *map(str, options)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    text = doc.read_text()
    (rows,), (table,) = (rows_in(plan.with_name(f"{name}.json")) for name in ("rule-random", "table"))
    winners = [row.games[0].out for row in table]
    line = next(line for line in text.splitlines() if line.startswith("| `rule` against `random`"))
    games = [game for row in rows for game in row.games]
    # In ABB the landlord is rule, and in BAA it is random.
    won = sum(game.landlord_won == (game.seating == "ABB") for game in games)
    assert len(games) == 12
    assert cells(line)[1:3] == ["none needed", "6"]
    assert cells(line)[3].startswith(f"{100 * won / 12:.1f} (")
    assert cells(line)[-1] == "90"
    seats = next(line for line in text.splitlines() if line.startswith("| `random` / `rule` / `random`"))
    out = " / ".join(f"{20 * winners.count(seat):.1f}" for seat in range(3))
    assert cells(seats)[1:3] == ["5", out]
    assert NOT_PLAYED in next(line for line in text.splitlines() if line.startswith("| `rule` against `rhcp`"))
    assert "old" not in text and "Between." in text
    assert "\nDeals: `report/1`.\n" in text
    assert "\nResults file: [rule-random](rule-random.json.gz).\n" in text
    assert picture.read_bytes().startswith(b"\x89PNG")
    results, kept = plan.with_name("rule-random.json"), plan.with_name("rule-random.json.gz")
    content = results.read_bytes()
    assert len(kept.read_bytes()) < len(content) / 2
    results.unlink()
    doc.write_text(DOC)
    for only in (["--no-play"], []):
        assert ask(plan, *options, *only).exit_code == 0
        assert (doc.read_text(), results.read_bytes()) == (text, content)
    results.unlink()
    kept.write_bytes(kept.read_bytes()[:-9])
    refused = ask(plan, *options)
    assert refused.exit_code == 2
    assert "rule-random.json.gz: this is not a whole compressed results file" in " ".join(refused.stderr.split())


def test_what_has_all_of_its_sets_is_not_played_again(plan: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play(plan, "--only", "rule-random")
    called: list[list[str]] = []
    monkeypatch.setattr(command, "_ended", lambda words: called.append(words) or 0)
    kept = plan.with_name("rule-random.json.gz")
    content = kept.read_bytes()
    kept.unlink()
    done = ask(plan, "--only", "rule-random")
    assert (done.exit_code, called, kept.read_bytes()) == (0, [], content)
    assert "rule-random.json: all of its sets are there" in " ".join(done.stderr.split())
    plan.write_text(PLAN.replace("sets = 6", "sets = 7"))
    assert ask(plan, "--only", "rule-random").exit_code == 0
    assert len(called) == 1
    plan.write_text(PLAN.replace("sets = 6", "sets = 6\nsprt = [0.0, 2.0]"))
    refused = ask(plan, "--only", "rule-random")
    assert refused.exit_code == 2 and "holds another match: sprt is None there" in " ".join(refused.stderr.split())
    assert len(called) == 1


def test_kept_matches_are_whole_also_where_a_sequential_test_ended_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("plan.toml", "rhcp-before.json.gz", "tenfold.json.gz"):
        (tmp_path / name).write_bytes((ROOT / "results" / "time" / name).read_bytes())
    monkeypatch.setattr(command, "_ended", lambda words: pytest.fail(" ".join(words)))
    for name in ("rhcp-before", "tenfold"):
        assert ask(tmp_path / "plan.toml", "--only", name).exit_code == 0


def test_the_command_of_an_experiment_is_the_one_that_it_plays(plan: Path) -> None:
    rule, later, table = read_plan(plan)
    assert "--seed report/1 --limit 5p --sets 100 --sprt 0.0 3.0" in " ".join(later.command(Path("x"), Workers(2)))
    assert table.command(Path("x"), Workers(2))[-4:] == ["--jobs", "2", "--results", "x/table.json"]
    assert rule.command(Path("x"), Workers(2))[:5] == ["-m", "tools", "match", "rule", "random"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[[match", "it cannot be read"),
        ("[[game]]\nname='a'", "'game' is unknown; a plan has [[match]], [[gauntlet]], [[seats]] and [[tournament]]"),
        ("match = 3", "'match' is unknown"),
        ("match = [3]", "[[match]] 1 is not a table"),
        ("[[match]]\nname='A'", "name 'A' must be small letters"),
        ("[[match]]\nname='a'\ncontestants=['rule']", "contestants ['rule'] must be 2 texts"),
        ("[[match]]\nname='a'\ncontestants=['rule', 3]", "Expected `str`, got `int` - at `$.contestants[1]`"),
        ("[[seats]]\nname='a'\ncontestants=['a', 'b']", "[[seats]] 1: contestants ['a', 'b'] must be 3 texts"),
        ("[[match]]\nname='a'\ncontestants=['a', 'b']\ngames=3", "'games' is unknown"),
        ("[[match]]\nname='a'\ncontestants=['a', 'b']\nsets='3'", "Expected `int`, got `str` - at `$.sets`"),
        ("[[match]]\nname='a'\ncontestants=['a', 'b']\nsets=true", "Expected `int`, got `bool` - at `$.sets`"),
        ("[[match]]\nname='a'\ncontestants=['a', 'b']\nlimit=3", "Expected `str`, got `int` - at `$.limit`"),
        (2 * "[[match]]\nname='a'\ncontestants=['a', 'b']\n", "two experiments are called a"),
        (
            "[[tournament]]\nname='a'\ncontestants=['a', 'b']",
            "[[tournament]] 1: contestants ['a', 'b'] must be 3 or more",
        ),
        ("[[tournament]]\nname='a'\ncontestants=['a', 'b', 'c']\nsprt=[0, 1]", "'sprt' is unknown"),
        ("[[match]]\nname='a'\ncontestants=['{CQL}', 'b']", "[names] has no {CQL}"),
        ("[names]\nCQL = 3", "[names] must have a contestant for each name"),
    ],
)
def test_a_bad_plan_is_refused_with_a_sentence_that_names_it(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(text)
    with pytest.raises(PlanError) as refused:
        read_plan(path)
    assert str(path) in str(refused.value) and sentence in str(refused.value)


CANNOT_PLAY = "champion:search=none,weights=nosuch.ddzw"


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("[[match]]\ncontestants = ['rule', 'nobody']", "contestant: player 'nobody' is unknown"),
        ("[[match]]\ncontestants = ['rule', 'random']\nlimit = '0.2sec'", "limit '0.2sec' must be like"),
        ("[[match]]\ncontestants = ['rule', 'random']\nrules = 'whist'", "'whist' is not one of"),
        ("[[match]]\ncontestants = ['rule', 'random']\nsets = -1", "'-1' must be a number from 1"),
        ("[[match]]\ncontestants = ['rule', 'random']\nsprt = [1.0]", "--sprt"),
        ("[[match]]\ncontestants = ['rule', './nosuch --fast']", "there is no program ./nosuch"),
        (
            f"[[match]]\ncontestants = ['rule', '{CANNOT_PLAY}']",
            f"contestant '{CANNOT_PLAY}' cannot play here (rules botzone): ",
        ),
        ("[[gauntlet]]\ncontestants = ['rule', 'random', 'rhcp', 'rhcp']", "each must be named once"),
        (
            "[[seats]]\ncontestants = ['rule', 'random', 'rhcp']\nrules = 'icga'",
            "with bidding no contestant has a fixed seat",
        ),
        ("[[tournament]]\ncontestants = ['rule', 'random', 'rhcp']\nneighbours = 3", "neighbours 3 must be at least"),
        (f"[[seats]]\ncontestants = ['rule', '{CANNOT_PLAY}', 'rule']", f"contestant '{CANNOT_PLAY}' cannot play here"),
    ],
)
def test_what_a_plan_cannot_play_is_said_before_the_first_game(entry: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(f"[[match]]\nname = 'first'\ncontestants = ['rule', 'random']\nsets = 1\n{entry}\nname = 'bad'\n")
    with pytest.raises(PlanError) as refused:
        check(path, read_plan(path), Workers(1), [])
    assert str(refused.value).startswith(f"{path}: bad: ") and said in str(refused.value)
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("later", ["match", "rule", "rhcp", "--limit", "5p", "--sprt", "0", "3", "--sets", "2"]),
        ("table", ["seats", "random", "rule", "random", "--sets", "2"]),
    ],
)
def test_a_file_that_a_plan_cannot_resume_is_reported_before_the_first_game(
    name: str, words: list[str], plan: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = plan.with_name(f"{name}.json")
    assert CliRunner().invoke(tools, [*words, "--quiet", "--jobs", "1", "--results", str(file)]).exit_code == 0
    experiments = [one for one in read_plan(plan) if one.name == name]
    before = file.read_bytes()
    check(plan, experiments, Workers(1), [])
    monkeypatch.setattr("tools.arena.files.identity.moves_of", lambda _rules, player: f"not {player.spec}")
    with pytest.raises(PlanError, match=f"^{plan}: {name}: .* would continue it: r[a-z]+: it makes other"):
        check(plan, experiments, Workers(1), [])
    check(plan, experiments, Workers(1), ["--mix"])
    other = [replace(one, seed=2) for one in experiments]
    with pytest.raises((PlanError, DocumentError), match=r"another (match|table)"):
        check(plan, other, Workers(1), [])
    assert file.read_bytes() == before


def test_the_command_plays_nothing_of_a_plan_with_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "run_in_subprocess", run_in_subprocess)  # the fault is one line, as here
    path = tmp_path / "plan.toml"
    path.write_text(
        "[[match]]\nname='a'\ncontestants=['rule', 'random']\n[[match]]\nname='b'\ncontestants=['rule', 'no']\n"
    )
    for words, said in (
        (["--only", "nothing"], "--only nothing: the plan has a, b"),
        ([], f"{path}: b: contestant: player 'no' is unknown"),
    ):
        done = ask(path, *words)
        assert done.exit_code == 2 and said in " ".join(done.stderr.split())
    assert not path.with_name("a.json").exists()


def test_fallbacks_play_if_the_user_allows_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(f"[[match]]\nname='a'\ncontestants=['rule', '{CANNOT_PLAY}']\n")
    called: list[list[str]] = []
    monkeypatch.setattr(command, "_ended", lambda words: called.append(words) or 0)
    assert ask(path, "--allow-fallback").exit_code == 0
    assert [words[-1] for words in called] == ["--allow-fallback"]


def test_a_match_that_fails_ends_the_command(plan: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "_ended", lambda words: 3)
    done = ask(plan)
    assert done.exit_code == 3 and "rule-random ended with exit code 3" in done.stderr


LONG = "[[match]]\nname = 'long'\nrules = 'mini'\ncontestants = ['rule', 'random']\nsets = 100000\n"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_match_ends_with_its_command_and_the_same_command_resumes_it(number: signal.Signals, tmp_path: Path) -> None:
    path, file = tmp_path / "plan.toml", tmp_path / "long.json"
    path.write_text(LONG)
    begun = [sys.executable, "-m", "tools", "experiments", str(path), "--jobs", "2"]
    with started(begun, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        assert eventually(lambda: file.exists() and file.read_bytes().count(b"\n") > 1)
        children = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(number)
        assert process.wait(PATIENCE) == (-number if number == signal.SIGKILL else 130)
        assert not psutil.wait_procs(children, timeout=PATIENCE)[1]
    assert number == signal.SIGKILL or read(file).torn == 0
    # The same command is not refused.
    check(path, read_plan(path), Workers(2), [])


@pytest.mark.parametrize(
    ("block", "sentence"),
    [("nothing", "there is no experiment nothing"), ("later table", "different kinds do not share a table")],
)
def test_a_document_that_does_not_fit_is_refused(plan: Path, block: str, sentence: str) -> None:
    text = f"<!-- experiments: {block} -->\n<!-- end of experiments -->\n"
    with pytest.raises(DocumentError, match=sentence):
        filled(text, read_plan(plan), plan.parent, plan)


def test_results_of_something_else_are_refused(plan: Path) -> None:
    experiments = read_plan(plan)
    other = replace(experiments[1], contestants=("rule", "random"))
    words = [*other.command(plan.parent, Workers(1))[2:], "--sets", "2", "--quiet"]
    assert CliRunner().invoke(tools, words).exit_code == 0
    with pytest.raises(DocumentError, match="results of another match than later"):
        filled(DOC, experiments, plan.parent, plan)
    plan.with_name("later.json").write_text("{}")
    with pytest.raises(DocumentError, match="it is not a ddzbot-match/3 file"):
        filled(DOC, experiments, plan.parent, plan)
    plan.with_name("later.json").unlink()
    keep_table(plan.with_name("table.json"), ["rule", "rule", "rule"], "", [0])
    with pytest.raises(DocumentError, match="results of another table than table"):
        filled(DOC, experiments, plan.parent, plan)


@pytest.mark.parametrize(("kind", "players", "size"), [("match", 2, "sets=1"), ("seats", 3, "games=1")])
def test_results_on_other_deals_or_by_other_rules_are_refused(plan: Path, kind: str, players: int, size: str) -> None:
    text = f"[[{kind}]]\nname='one'\ncontestants={['random'] * players}\n{size}\n"
    plan.write_text(text)
    play(plan)
    assert NOT_PLAYED not in show(plan, "one")
    for change in ("seed=2", "namespace='gate'", "rules='standard'", "limit='5p'"):
        plan.write_text(text + change + "\n")
        with pytest.raises(DocumentError, match=r"one\.json: these are results of another .* than one"):
            show(plan, "one")


def test_a_single_set_has_points_without_an_interval_and_a_contestant_its_name(plan: Path) -> None:
    plan.write_text("[[match]]\nname='one'\ncontestants=['anna=rule', 'rule']\nsets=1\n")
    play(plan)
    row = next(line for line in show(plan, "one").splitlines() if line.startswith("| `anna` against `rule`"))
    assert (cells(row)[1], cells(row)[5]) == ("1", "0.00")


def test_nothing_played_is_no_picture(plan: Path) -> None:
    assert draw(read_plan(plan), plan.parent, plan.with_name("wp.png")) == 0
    assert not plan.with_name("wp.png").exists()


TOURNAMENT = """
[[tournament]]
name = "everybody"
contestants = [
    "random",
    "rule",
    "rhcp",
]
rules = "mini"
sets = 4
neighbours = 6
picture = "ladder.png"
"""
BLOCK = "<!-- experiments: everybody -->\n<!-- end of experiments -->\n"


def test_a_tournament_is_played_and_what_was_kept_is_written_again_and_replaced_by_a_whole_one_alone(
    plan: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan.write_text(TOURNAMENT)
    doc, picture = plan.with_name("report.md"), plan.with_name("ladder.png")
    doc.write_text(BLOCK)
    assert ask(plan, "--no-play", "--doc", doc).exit_code == 0
    assert f"`random`, `rule`, `rhcp`: {NOT_PLAYED}." in doc.read_text() and not picture.exists()
    done = play(plan, "--doc", doc)
    text, drawn = doc.read_text(), picture.read_bytes()
    assert "(ladder.png)" in text and "ladder.png: drawn" in " ".join(done.stderr.split())
    assert "on the same deals, `report/1`: 4 sets each, and 6 for neighbours" in text
    doc.write_text(BLOCK)
    picture.unlink()
    plan.with_name("everybody.json").unlink()
    assert ask(plan, "--no-play", "--doc", doc).exit_code == 0
    assert (doc.read_text(), picture.read_bytes()) == (text, drawn)
    file, kept = plan.with_name("everybody.json"), plan.with_name("everybody.json.gz")
    whole = file.read_bytes()
    code = 130

    def dropped(words: list[str]) -> int:
        file.write_bytes(b"".join(whole.splitlines(keepends=True)[:-1]))
        return code

    monkeypatch.setattr(command, "_ended", dropped)
    assert ask(plan).exit_code == 130
    assert gzip.decompress(kept.read_bytes()) == whole
    code = 0
    assert ask(plan).exit_code == 0
    assert gzip.decompress(kept.read_bytes()) == file.read_bytes() != whole
    plan.write_text(TOURNAMENT.replace("sets = 4", "sets = 5"))
    with pytest.raises(DocumentError, match="results of another tournament than everybody of the plan"):
        show(plan, "everybody")


def test_a_player_plays_again_if_the_user_asks_for_it(plan: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[list[str]] = []
    monkeypatch.setattr(command, "_ended", lambda words: called.append(words) or 0)
    refused = ask(plan, "--replay-pairs", "rule")
    assert refused.exit_code == 2 and "only tournaments have pairs to play again" in " ".join(refused.stderr.split())
    plan.write_text(TOURNAMENT)
    assert ask(plan, "--replay-pairs", "rule", "--replay-pairs", "rhcp", "--mix").exit_code == 0
    assert [words[-5:] for words in called] == [["--mix", "--replay-pairs", "rule", "--replay-pairs", "rhcp"]]


PAIRED = """
[[match]]
name = "now"
contestants = ["rule", "random"]
sets = 8
paired = "before"

[[match]]
name = "before"
contestants = ["random", "random"]
sets = 6
"""


def rows_of(name: str, results: Path) -> list[Row]:
    return rows_in(results / f"{name}.json")[0]


def wins_of_first(row: Row) -> int:
    """How many of the two games of a set the first contestant won."""
    return sum(game.landlord_won == (game.seating == "ABB") for game in row.games)


def test_two_matches_on_the_same_deals_are_compared_set_by_set(plan: Path) -> None:
    for sets in (0, 1, 6):  # none and a single one in common say nothing
        plan.write_text(PAIRED.replace("sets = 6", f"sets = {max(sets, 1)}"))
        assert "less that of" not in show(plan, "now", "before")
        if sets:
            play(plan)
    now, before = ([wins_of_first(row) for row in rows] for rows in map(rows_of, ("now", "before"), 2 * [plan.parent]))
    mean = 100 * fmean(one - other for one, other in zip(now, before, strict=False)) / 2
    said = f"\n\nWP of `rule` less that of `random` on the same deals against `random`: {mean:+.1f} ("
    assert said in show(plan, "now", "before")


@pytest.mark.parametrize("other", ["seed = 2", 'rules = "standard"', 'namespace = "gate"'])
def test_only_matches_on_the_same_deals_are_paired(plan: Path, other: str) -> None:
    plan.write_text(f"{PAIRED}{other}\n")
    assert "now is paired with before, which has other deals or other opponents" in ask(plan, "--no-play").stderr
    plan.write_text(PAIRED.replace('paired = "before"', 'paired = "nobody"'))
    assert "now is paired with nobody, which is not a match" in ask(plan, "--no-play").stderr


FIELD = """
[[gauntlet]]
name = "now"
contestants = ["rule", "rhcp", "champion:search=none"]
sets = 5
paired = "before"

[[gauntlet]]
name = "before"
contestants = ["random", "rhcp", "champion:search=none"]
sets = 4
"""


def deals_of(name: str, results: Path, share: int) -> list[float]:
    """What the first contestant has of so many deals, against both opponents together."""
    first, second = ([wins_of_first(row) for row in rows] for rows in load_gauntlet(name, results))
    return [(one + other) / 4 for one, other in zip(first[:share], second[:share], strict=True)]


def load_gauntlet(name: str, results: Path) -> list[list[Row]]:
    plan = read(results / f"{name}.json").plan
    assert plan.pairs == [(plan.names[0], opponent) for opponent in plan.names[1:]]
    return rows_in(results / f"{name}.json")


def test_gauntlets_are_played_and_compared_deal_by_deal(plan: Path) -> None:
    plan.write_text(FIELD)
    doc = plan.with_name("report.md")
    doc.write_text("<!-- experiments: now before -->\n<!-- end of experiments -->\n")
    assert ask(plan, "--no-play", "--doc", doc).exit_code == 0
    assert [cells(line)[1] for line in doc.read_text().splitlines()[4:6]] == [NOT_PLAYED] * 2
    play(plan, "--doc", doc)
    text = doc.read_text()
    head, now, before = (cells(text.splitlines()[line]) for line in (2, 4, 5))
    assert head == ["player", "deals", "WP", "ADP", "`rhcp`", "`champion:search=none`", "ms median, 95 %"]
    own, others = deals_of("now", plan.parent, 5), deals_of("before", plan.parent, 4)
    assert (now[0], now[1], before[0], before[1]) == ("`rule`", "5", "`random`", "4")
    assert now[2].startswith(f"{100 * fmean(own):.1f} (") and before[2].startswith(f"{100 * fmean(others):.1f} (")
    for cell, rows in zip(now[4:6], load_gauntlet("now", plan.parent), strict=True):
        assert cell == f"{10 * sum(map(wins_of_first, rows)):.1f}"
    apart = [one - other for one, other in zip(own, others, strict=False)]
    spread = 100 * stdev(apart) / 2 * 3.182446
    points = f"{100 * fmean(apart):+.1f} ({100 * fmean(apart) - spread:+.1f} to {100 * fmean(apart) + spread:+.1f})"
    assert f"WP of `rule` less that of `random` on the same deals against the 2 opponents: {points}." in text
    assert f"{points}. Deals: `report/1`.\n" in text


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            ('"random", "rhcp"', '"random", "cql"'),
            "now is paired with before, which has other deals or other opponents",
        ),
        (('paired = "before"', 'paired = "nobody"'), "now is paired with nobody, which is not a gauntlet"),
        (("sets = 4", "sets = 4\nsprt = [0.0, 2.0]"), "[[gauntlet]] 2: 'sprt' is unknown"),
        (('"rule", "rhcp", "champion:search=none"', '"rule"'), "must be 2 or more texts"),
    ],
)
def test_a_bad_gauntlet_is_refused(plan: Path, change: tuple[str, str], sentence: str) -> None:
    plan.write_text(FIELD.replace(*change))
    assert sentence in " ".join(ask(plan, "--no-play").stderr.split())


def test_a_match_of_all_is_no_gauntlet(plan: Path) -> None:
    plan.write_text(FIELD)
    now, *_ = read_plan(plan)
    everybody = [word for word in now.command(plan.parent, Workers(1))[2:] if word != "--gauntlet"]
    assert CliRunner().invoke(tools, [*everybody, "--quiet"]).exit_code == 0
    with pytest.raises(DocumentError, match="results of another gauntlet than now of the plan"):
        show(plan, "now")


NAMED = """
[names]
CQL = "rule"

[[seats]]
name = "seats-{CQL}-rhcp"
contestants = ["{CQL}", "rhcp", "random"]
games = 4

[[seats]]
name = "first-{CQL}"
first_of = "seats-{CQL}-rhcp"
contestants = ["{CQL}", "rhcp", "random"]
games = 2
seated = ["CQL", "RHCP", "MCM"]
published = "44.4 / 21.6 / 34.0"
"""


def test_one_word_of_a_plan_seats_another_player_and_leaves_the_results_of_both(plan: Path) -> None:
    plan.write_text(NAMED)
    whole, first = read_plan(plan)
    assert (whole.name, whole.contestants) == ("seats-rule-rhcp", ("rule", "rhcp", "random"))
    assert first.file(plan.parent) == whole.file(plan.parent) and first.in_place_of["rule"] == "CQL"
    keep_table(whole.file(plan.parent), [*whole.contestants], "", [0, 2, 0, 1])
    by_name, as_written = (show(plan, one) for one in ("first-rule", "first-{CQL}"))
    assert by_name.splitlines()[1:] == as_written.splitlines()[1:] and NOT_PLAYED not in by_name
    plan.write_text(NAMED.replace('CQL = "rule"', 'CQL = "random"'))
    whole, first = read_plan(plan)
    assert whole.name == "seats-random-rhcp" and whole.contestants[0] == "random"
    assert NOT_PLAYED in filled(as_written, [whole, first], plan.parent, plan)
    assert whole.file(plan.parent) != plan.with_name("seats-rule-rhcp.json")
    plan.write_text(NAMED.replace('CQL = "rule"', 'CQL = "mcm:setting=thesis"'))
    whole, first = read_plan(plan)
    assert (whole.name, whole.contestants[0]) == ("seats-mcm-setting-thesis-rhcp", "mcm:setting=thesis")
    assert first.first_of == whole.name


def test_a_table_of_several_deals_says_which_row_has_which(tmp_path: Path) -> None:
    entries = (
        f"[[match]]\nname = 'm{number}'\ncontestants = ['rule', 'random']\nseed = {seed}\nrules = '{rules}'\nsets = 1\n"
        for number, (seed, rules) in enumerate([(1, "botzone"), (2, "botzone"), (1, "botzone"), (1, "mini")])
    )
    plan = tmp_path / "plan.toml"
    plan.write_text("".join(entries))
    experiments = read_plan(plan)
    deals = "`report/1` (rows 1, 3), `report/2` (row 2), `report/1` of rules `mini` (row 4)"
    assert table(experiments, tmp_path).endswith(f"\n\nDeals: {deals}.")
    assert table(experiments[:1], tmp_path).endswith("\n\nDeals: `report/1`.")
