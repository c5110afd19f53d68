"""What every player owes: legal moves, the same ones again, its limits, and one sentence for what it lacks."""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ddzbot.belief.worlds import BELIEFS
from ddzbot.bidding import bid_by_hand
from ddzbot.engine import Engine
from ddzbot.game import shuffled, start
from ddzbot.net.current import MANIFEST
from ddzbot.players import champion, mctshs
from ddzbot.players.base import CannotPlay
from ddzbot.players.random_player import RandomPlayer
from ddzbot.players.registry import make_player
from ddzbot.rules import BOTZONE2, RULE_SETS
from ddzbot.search.limit import Limit
from ddzbot.view import BidView, View
from tests.search.positions import endgame, middle, opening
from tests.support import ROOT, find_python, kernel_path, require

LITTLE = Limit(playouts=60)
SEARCHES = (
    *(
        "champion",
        "champion:oversample=2",
        "mcm",
        "mcm:margin=4",
        "mcm:setting=thesis,margin=4",
    ),  # random values lie far apart
    *("mctshs", "mctshs:setting=thesis", "mctshs:setting=report"),
)
ALONE = ("champion:search=none", "mcm:search=none", "cql")
OTHERS = ("rhcp", "rule", "random")


@pytest.mark.usefixtures("with_kernel", "networks")
@pytest.mark.parametrize("number", range(2))
@pytest.mark.parametrize("text", [*SEARCHES, *ALONE])
def test_no_move_is_illegal_over_whole_games(text: str, number: int) -> None:
    # The players take the rule sets and the seats in turn.
    turn = [*SEARCHES, *ALONE].index(text) + 2 * number
    name, seat = [*RULE_SETS][turn % 5], turn % 3
    player, others = make_player(text, 1), RandomPlayer(2)
    game = start(shuffled(RULE_SETS[name], f"whole/{seat}"))
    while not game.finished:
        mover = player if game.seat == seat else others
        game = game.play(mover.choose(View.of(game, game.seat), LITTLE).move)  # which refuses an illegal move


@pytest.mark.usefixtures("without_kernel", "networks")
@pytest.mark.parametrize("text", ALONE)
def test_no_move_is_illegal_without_a_kernel_either(text: str) -> None:
    player, others, game = make_player(text, 1), RandomPlayer(2), start(shuffled(RULE_SETS["mini"], "whole"))
    while not game.finished:
        mover = player if game.seat == 1 else others
        game = game.play(mover.choose(View.of(game, game.seat), LITTLE).move)


@pytest.mark.usefixtures("with_kernel", "networks")
@pytest.mark.parametrize("text", [*SEARCHES, *ALONE, *OTHERS, "deeprocket", *map("mctshs:belief={}".format, BELIEFS)])
def test_the_same_view_and_seed_give_the_same_decision_whatever_came_before(text: str) -> None:
    used, view, limit = make_player(text, 3), middle("later", 10), Limit(playouts=500)
    used.choose(opening("earlier"), LITTLE)
    decision = used.choose(view, limit)
    assert decision == make_player(text, 3).choose(view, limit)
    assert used.best_so_far == decision.move or text in ("cql", "deeprocket", *OTHERS)


@pytest.mark.usefixtures("with_kernel", "networks")
@pytest.mark.parametrize("text", ["champion", "mcm", "mctshs"])
def test_what_goes_out_is_made(text: str) -> None:
    view = endgame(("3334", "55667788", "9TJQK"), 0)
    assert str(make_player(text, 3).choose(view, LITTLE).move) == "3334"


PROGRAM = """
import json, sys
sys.path.insert(0, sys.argv[1])
from ddzbot.game import shuffled, start
from ddzbot.players.registry import make_player
from ddzbot.rules import RULE_SETS
from ddzbot.search.limit import Limit
from ddzbot.view import View
view = View.of(start(shuffled(RULE_SETS[sys.argv[2]], "same")), 0)
for text in sys.argv[3:]:
    decision = make_player(text, 3).choose(view, Limit(playouts=200))
    print(json.dumps([text, str(decision.move), decision.debug]))
"""


def decided(python: str, folder: Path, rules: str, *texts: str, **environment: str) -> str:
    command = [python, "-B", "-S", "-c", PROGRAM, str(ROOT), rules, *texts]
    given = {**os.environ, "DDZ_WEIGHTS": str(folder), "PYTHONHASHSEED": "5", **environment}
    done = subprocess.run(command, capture_output=True, text=True, env=given, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("version", ["3.6", pytest.param("3.13", marks=pytest.mark.whole)])
def test_every_python_decides_the_same_with_and_without_a_kernel(folder: Path, version: str) -> None:
    python, path = require(find_python(version), f"CPython {version}"), require(kernel_path(), "a C compiler")
    texts = (*SEARCHES, "champion:search=none", "champion:search=none,move_temperature=1", *OTHERS)
    found = decided(python, folder, "botzone", *texts, DDZ_KERNEL=path)
    assert found == decided(sys.executable, folder, "botzone", *texts, DDZ_KERNEL=path, PYTHONHASHSEED="6")
    assert len(found.splitlines()) == len(texts) and found.count('"playouts"') >= 5
    alone = [
        decided(one, folder, "mini", "champion:search=none", DDZ_NO_KERNEL="1") for one in (python, sys.executable)
    ]
    assert alone[0] == alone[1] == decided(python, folder, "mini", "champion:search=none", DDZ_KERNEL=path)
    assert "playouts" not in json.loads(alone[0])[2]


# Limits.


@pytest.mark.usefixtures("with_kernel", "networks")
@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        # It plays a world to the end after each of eight moves.
        ("champion:prune_z=0", champion.USUAL_PLAYOUTS, champion.USUAL_PLAYOUTS + 7),
        ("mcm:margin=4", 1, mctshs.USUAL_PLAYOUTS),
        ("mctshs", 1, mctshs.USUAL_PLAYOUTS),
    ],
)
def test_without_a_limit_the_number_of_playouts_is_fixed(text: str, least: int, most: int) -> None:
    assert least <= make_player(text, 3).choose(opening("fixed"), Limit()).debug["playouts"] <= most


@pytest.mark.usefixtures("with_kernel", "networks")
@pytest.mark.parametrize("text", ["champion:prune_z=0", "mctshs"])
def test_the_limit_of_seconds_is_kept(text: str) -> None:
    # Of the processor: others may have it for as long as they want.
    began = time.process_time()
    make_player(text, 3).choose(opening("seconds"), Limit(seconds=0.1))
    assert time.process_time() - began < 0.1 + 0.25


@pytest.mark.usefixtures("with_kernel", "networks")
@pytest.mark.parametrize("text", ["mcm:margin=4", "mctshs"])
def test_a_proof_is_charged_to_the_limit_of_playouts(text: str) -> None:
    assert 350 <= make_player(text, 3).choose(opening("charged"), Limit(playouts=700)).debug["playouts"] < 700


# What is missing.


@pytest.mark.usefixtures("without_kernel", "networks")
@pytest.mark.parametrize("text", ["champion", "mcm", "mctshs"])
def test_without_the_kernel_there_is_no_search(text: str) -> None:
    with pytest.raises(CannotPlay, match=r"^no kernel: "):
        make_player(text).choose(opening("alone"), LITTLE)


@pytest.mark.usefixtures("with_kernel")
@pytest.mark.parametrize("text", ["champion", "mcm", "cql", "deeprocket"])
def test_without_sound_weights_it_cannot_play_and_another_one_does(
    text: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = (folder / MANIFEST).read_text()
    for number, (spoilt, reason) in enumerate(
        [("", "there is no .*"), ("{", ".*cannot be read"), (content, ".*the file cannot be read")]
    ):
        place = tmp_path / str(number)  # a folder's networks are looked for once in a process
        place.mkdir()
        if spoilt:
            (place / MANIFEST).write_text(spoilt)
        monkeypatch.setenv("DDZ_WEIGHTS", str(place))
        with pytest.raises(CannotPlay, match=f"^no network: {reason}"):
            make_player(text).choose(opening("spoilt"), LITTLE)
    decision = Engine(text).choose(opening("spoilt"), LITTLE)
    assert (decision.player, decision.failures[0].player) == ("mctshs", text)


@pytest.mark.usefixtures("with_kernel")
@pytest.mark.parametrize("text", ["champion", "mcm", "cql", "deeprocket"])
def test_a_file_can_be_named(text: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DDZ_WEIGHTS", str(tmp_path))
    prefix = {"champion": "fast", "deeprocket": "rocket"}.get(text, text)
    path = str(next(folder.glob(f"{prefix}-*.ddzw")))
    decision = make_player(f"{text}:weights={path}").choose(opening("named"), LITTLE)
    assert str(decision.debug.get("weights", path)).startswith(path)
    missing = r"^no network: none\.ddzw: the file cannot be read: No such file or directory$"
    with pytest.raises(CannotPlay, match=missing):
        make_player(f"{text}:weights=none.ddzw").choose(opening("named"), LITTLE)


# Bids and options.


@pytest.mark.parametrize("text", ["mcm", "mctshs", "rule"])
def test_a_player_without_a_way_of_its_own_bids_by_the_hand(text: str) -> None:
    view = BidView(BOTZONE2, shuffled(BOTZONE2, "bid").hands[1], ())
    assert make_player(text, 3).bid(view) == bid_by_hand(view)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("champion:search=deep", "champion: search=deep is unknown; there are rollout and none"),
        ("champion:solver=fast", "champion: solver=fast is unknown; there are exact and none"),
        ("champion:bids=high", "champion: bids=high is unknown; there are points and hand"),
        ("champion:objective=money", "champion: objective=money is unknown; there are wp and adp"),
        ("champion:max_moves=0", "max_moves=0 is not a number from 1 to 16"),
        ("champion:max_moves=17", "max_moves=17 is not a number from 1 to 16"),
        ("champion:max_moves=1.5", "max_moves=1.5 is not a number"),
        ("champion:margin=-1", "margin=-1 is not a number from 0 to 1000"),
        ("champion:margin=0.0001", "margin=0.0001 is not a number"),
        ("champion:prior=100001", "prior=100001 is not a number from 0 to 100000"),
        ("champion:prune_z=many", "prune_z=many is not a number from 0 to 100"),
        ("champion:oversample=17", "oversample=17 is not a number from 0 to 16"),
        ("champion:temperature=0", "temperature=0 is not a number from 0.001 to 1000"),
        ("champion:temperature=nan", "temperature=nan is not a number"),
        ("champion:blend=101", "blend=101 is not a number from 0 to 100"),
        ("champion:belief=strong", "model 'strong' is unknown; there are "),
        ("champion:belief=report", "champion: belief 'report' mixes several tables, and worlds are weighed "),
        ("champion:color=red", "'champion:color=red': the option 'color' is unknown; there are search, weights, "),
        ("mcm:setting=best", "mcm: setting=best is unknown; there are thesis and default"),
        ("mcm:search=deep", "mcm: search=deep is unknown; there are tree and none"),
        ("mcm:corrects=some", "mcm: corrects=some is unknown; there are all and logged"),
        ("mcm:branches=0", "mcm: branches=0 is not a number from 1 to 64"),
        ("mcm:margin=5", "mcm: margin=5 is not a number from 0 to 4"),
        ("mcm:prior=many", "mcm: prior=many is not a number from 0 to 16777216"),
        ("mcm:turns=-1", "mcm: turns=-1 is not a number from 0 to 16777216"),
        ("mcm:c=0.0001", "mcm: c=0.0001 is not a number from 0 to 1000"),
        ("mcm:belief=strong", "belief 'strong' is unknown; there are "),
        ("mcm:candidates=all", "mcm: candidates=all is unknown; there are less_split and mini"),
        ("mcm:candidates=mini,k=1", "mcm: k=1 is a margin of candidates=less_split alone"),
        ("mcm:k=256", "mcm: k=256 is not a number from 0 to 255"),
        ("mctshs:setting=best", "setting=best is unknown; there are thesis, default and report"),
        ("mctshs:setting=report,k=2", "mctshs: k=2 is a margin of candidates=less_split alone"),
        ("mctshs:belief=strong", "belief 'strong' is unknown; there are "),
        ("mctshs:candidates=all", "mctshs: candidates=all is unknown; there are less_split and mini"),
        ("mctshs:c=much", "c=much is not a number from 0 to 1000"),
        ("mctshs:long_list=65537", "long_list=65537 is not a number from 0 to 65536"),
        ("mctshs:worlds=300", "worlds=300 is not a number from 0 to 256"),
        ("deeprocket:search=none", "the option 'search' is unknown; there are weights, bid_weights"),
    ],
)
def test_bad_options_get_one_sentence(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        make_player(text)


@pytest.mark.usefixtures("with_kernel", "networks")
@pytest.mark.parametrize(
    "text",
    [
        *(
            "champion:max_moves=16,margin=1000,prior=0,prune_z=0",
            "champion:oversample=16,temperature=0.001",
            "champion:blend=100",
        ),
        *("mcm:branches=64,margin=4,prior=0", "mcm:prior=16777216,turns=16777216"),
    ],
)
def test_options_at_the_ends_of_their_ranges_are_taken(text: str) -> None:
    view = opening("ends")
    assert make_player(text).choose(view, LITTLE).move in view.legal_moves()
