"""The champion's training: it learns, resumes with the same bits, also with any number of workers, and is packed."""

import re
import signal
import threading
import time
from pathlib import Path
from typing import Any

import click
import pytest
import torch
from click.testing import CliRunner

from ddzbot.kernel.bid_net import KernelBidNet
from ddzbot.kernel.binding import Kernel
from ddzbot.kernel.fast_net import FastNet
from ddzbot.net.fast_net import LOADER, architecture_of
from ddzbot.rules import BOTZONE2, rule_set
from tests.net.bid_models import random_parameters
from tests.net.positions import random_views
from tests.training.champion.tiny import ROUND, TINY
from tools.shared.interrupts import stop_on_signals
from tools.training.champion import games as self_play
from tools.training.champion import learner, pack, words
from tools.training.champion.league import ITSELF, QUICK, League
from tools.training.champion.learner import ChampionLearner, Schedule, _losses
from tools.training.command import main
from tools.training.loop import Training

pytestmark = pytest.mark.whole


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in TINY.items():
        monkeypatch.setattr(learner, name, value)


class Champion(Training):
    """A training whose learner is the champion's."""

    learner: ChampionLearner


def training(
    folder: Path, kernel: Kernel, seed: int = 1, rules: str = "mini", workers: int = 1, objective: str = "wp"
) -> Champion:
    return Champion(folder, ChampionLearner(kernel, rule_set(rules), seed, workers, objective))


def tensors(state: Any) -> list[torch.Tensor]:
    """Lists all numbers of a state, however deep they lie."""
    if isinstance(state, dict):
        return [tensor for value in state.values() for tensor in tensors(value)]
    if isinstance(state, (list, tuple)):
        return [tensor for value in state for tensor in tensors(value)]
    return [torch.as_tensor(state)] if state is not None else []


def equal(one: Champion, other: Champion) -> bool:
    pairs = zip(tensors(one.learner.state()), tensors(other.learner.state()), strict=True)
    return all(torch.equal(first, second) for first, second in pairs)


def rounds(number: int, one: Champion) -> Champion:
    for _ in range(number):
        one.round()
    return one


# A signal.


def test_a_signal_ends_the_learning_of_all_seats_and_takes_it_back(kernel: Kernel, tmp_path: Path) -> None:
    through, stopped = (rounds(1, training(tmp_path, kernel)) for _ in range(2))
    stopped.learner.stopped = lambda: True
    stopped.round()
    assert (stopped.learner.done, len(stopped.rows)) == (0, 0)
    assert equal(stopped, training(tmp_path, kernel))
    stopped.learner.stopped = lambda: False
    assert equal(rounds(1, stopped), through)


@pytest.mark.usefixtures("usual_handlers")
def test_a_signal_waits_for_no_games_that_have_not_begun(
    kernel: Kernel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[int] = []

    def play(*_: object) -> None:
        played.append(1)
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        time.sleep(0.2)

    monkeypatch.setattr(self_play, "play_unit", play)
    monkeypatch.setattr(learner, "ROUND_UNITS", 200)
    with stop_on_signals() as stopped:
        begun = training(tmp_path, kernel)
        begun.round()
        assert stopped()
    assert (begun.learner.done, len(played) < 100) == (0, True)


# What a round does.


def test_a_round_plays_its_games_and_changes_every_network(kernel: Kernel, tmp_path: Path) -> None:
    before, after = training(tmp_path, kernel), rounds(1, training(tmp_path, kernel))
    assert after.learner.done == ROUND
    for old, new in zip(before.learner.net.parameters(), after.learner.net.parameters(), strict=True):
        assert not torch.equal(old, new)


def test_the_averaged_network_follows_ever_more_slowly() -> None:
    schedule = Schedule(averaged_share=0.1)
    assert [schedule.kept_after(steps) for steps in (0, 10, 90)] == pytest.approx([0.0, 0.5, 0.9])


def test_the_first_steps_are_averaged_as_the_schedule_says(kernel: Kernel, tmp_path: Path) -> None:
    # A network that is never averaged is the first one; one that keeps nothing is the last.
    begun = training(tmp_path, kernel)
    first = next(begun.learner.net.parameters()).detach().clone()
    rounds(1, begun)
    last, averaged = (next(net.parameters()).detach() for net in (begun.learner.net, begun.learner.averaged))
    assert 0 < (averaged - last).abs().max() < (first - last).abs().max()


def test_learning_lowers_the_loss(kernel: Kernel, tmp_path: Path) -> None:
    rows = rounds(30, training(tmp_path, kernel)).rows
    assert all(0 <= row["landlord_wins"] <= 1 and row["plies"] > 5 for row in rows)
    for seat in range(3):
        losses = [row[f"loss_{seat}"] for row in rows]
        assert sum(losses[-5:]) < sum(losses[:5])


def test_the_rate_falls_with_the_square_root_of_the_games() -> None:
    schedule = Schedule(rate=0.01, constant_games=100)
    assert [schedule.rate_after(games) for games in (0, 100, 400, 10_000)] == pytest.approx([0.01, 0.01, 0.005, 0.001])


# Resuming.


def test_an_interrupted_training_ends_as_one_that_was_not(kernel: Kernel, tmp_path: Path) -> None:
    rounds(2, training(tmp_path, kernel)).save()
    resumed = rounds(2, training(tmp_path, kernel))
    whole = rounds(4, training(tmp_path / "whole", kernel))
    assert resumed.learner.done == whole.learner.done == 4 * ROUND
    assert equal(resumed, whole)
    assert not equal(resumed, rounds(1, whole))


def test_the_number_of_workers_changes_nothing(kernel: Kernel, tmp_path: Path) -> None:
    alone, together = (rounds(2, training(tmp_path, kernel, workers=workers)) for workers in (1, 2))
    assert equal(alone, together)


def test_with_a_league_a_training_ends_the_same_and_knows_whom_it_beats(kernel: Kernel, tmp_path: Path) -> None:
    def in_league(name: str, workers: int = 1) -> Champion:
        league = League([QUICK, ITSELF], share=1.0)
        return Champion(tmp_path / name, ChampionLearner(kernel, rule_set("mini"), 1, workers, league=league))

    rounds(2, in_league("half")).save()
    resumed, whole = rounds(2, in_league("half", 2)), rounds(4, in_league("whole"))
    assert equal(resumed, whole)
    assert min(whole.learner.league.beaten.values()) < 0.5
    assert not torch.equal(
        whole.learner.net.seats[0].first, rounds(4, training(tmp_path / "alone", kernel)).learner.net.seats[0].first
    )
    with pytest.raises(click.ClickException, match=r"was begun with rivals \['quick', 'itself'\], not \[\]"):
        training(tmp_path / "half", kernel)


def test_another_seed_is_another_training(kernel: Kernel, tmp_path: Path) -> None:
    assert not equal(*(rounds(1, training(tmp_path, kernel, seed=seed)) for seed in (1, 2)))


def test_the_objective_changes_games_and_learning(kernel: Kernel, tmp_path: Path) -> None:
    win, score = (rounds(2, training(tmp_path, kernel, objective=one)) for one in ("wp", "adp"))
    assert score.learner.exploration.by_score and not win.learner.exploration.by_score
    assert score.learner.schedule.score_share > win.learner.schedule.score_share
    assert not equal(win, score)


def test_the_score_is_learned_as_a_mean(kernel: Kernel, tmp_path: Path) -> None:
    # Of scores 3, 3, 3 and -3 the mean is 1.5 and the median 3: the loss must be least at the mean.
    scores = torch.tensor([[1.0, 3.0]] * 3 + [[0.0, -3.0]])

    def loss_at(value: float) -> float:
        return float(_losses(torch.tensor([[0.0, value]]).expand(4, 2), scores, Schedule())[1])

    assert min((loss_at(tenth / 10), tenth) for tenth in range(-30, 31))[1] == 15


def test_a_training_begins_with_the_network_of_another(kernel: Kernel, tmp_path: Path) -> None:
    first = rounds(1, training(tmp_path / "first", kernel))
    first.save()
    first.keep()
    second = training(tmp_path / "second", kernel, rules="botzone2", objective="adp")
    second.learner.begin_with(tmp_path / "first" / "net-00000.0.pt")
    for given, net, averaged in zip(
        first.learner.averaged.parameters(),
        second.learner.net.parameters(),
        second.learner.averaged.parameters(),
        strict=True,
    ):
        assert torch.equal(given, net) and torch.equal(given, averaged)
    rounds(1, second)
    with pytest.raises(click.ClickException, match="begun already: --begin-with is for a new folder"):
        second.learner.begin_with(tmp_path / "first" / "net-00000.0.pt")


@pytest.mark.parametrize("keeps", [True, False])
def test_the_rate_begins_anew_or_continues_from_the_first_networks(keeps: bool, kernel: Kernel, tmp_path: Path) -> None:
    first = training(tmp_path / "first", kernel)
    first.learner.done = 8_000_000
    first.keep()
    second = training(tmp_path / "second", kernel)
    second.learner.begin_with(tmp_path / "first" / "net-00008.0.pt", keeps)
    rounds(1, second)
    rate = second.learner.schedule.rate_after
    assert rate(8_000_000) < rate(second.learner.done) / 2
    assert float(second.rows[0]["rate"]) == pytest.approx(rate(second.learner.done + 8_000_000 * keeps), rel=1e-2)
    second.save()
    assert training(tmp_path / "second", kernel).learner.rate_games == (8_000_000 if keeps else 0)


def test_a_kept_network_says_how_its_training_began(kernel: Kernel, tmp_path: Path) -> None:
    first = training(tmp_path / "first", kernel)
    first.learner.done = 8_000_000
    first.keep()
    second = training(tmp_path / "second", kernel, rules="botzone2", objective="adp")
    second.learner.begin_with(tmp_path / "first" / "net-00008.0.pt", keep_rate=True)
    second.save()
    again = training(tmp_path / "second", kernel, rules="botzone2", objective="adp")
    again.keep()
    description = pack.packed_net(*pack.read_net(tmp_path / "second" / "net-00000.0.pt"), {}).description
    assert description["command"].endswith("--objective adp --seed 1 --begin-with CHECKPOINT --keep-rate")
    assert description["data"]["begun_with"] == {"rules": "mini", "games": 8_000_000}


def test_a_checkpoint_of_an_older_format_resumes(kernel: Kernel, tmp_path: Path) -> None:
    one = rounds(1, training(tmp_path, kernel))
    one.save()
    state = torch.load(one.checkpoint, weights_only=True)
    for name in ("recipe", "auction", "origin", "rate_games", "units"):
        del state[name]
    torch.save(state, one.checkpoint)
    assert equal(rounds(1, training(tmp_path, kernel)), rounds(1, one))


def test_without_a_kernel_one_sentence_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.training.kernel.native", lambda: None)
    result = CliRunner().invoke(main, ["learn", "champion", str(tmp_path)])
    assert result.exit_code == 1
    assert "Error: This needs the kernel, which `make kernel` compiles" in result.output


def test_a_training_never_takes_the_networks_that_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the project's own folder its weights would be the project's."""
    monkeypatch.setattr(words, "weights_folder", lambda _: str(tmp_path / "weights"))
    monkeypatch.chdir(tmp_path)
    for folder in (".", str(tmp_path)):
        done = CliRunner().invoke(main, ["learn", "champion", folder, "--rules", "mini", "--count", "1", "--sets", "0"])
        assert done.exit_code == 2
        assert "has the networks that play; name another folder" in " ".join(done.output.split())
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("file", ["checkpoint.pt", "net-00000.0.pt"])
def test_a_training_is_packed_and_promoted(kernel: Kernel, tmp_path: Path, file: str) -> None:
    one = rounds(1, training(tmp_path, kernel))
    one.save()
    one.keep()
    folder = tmp_path / "weights"
    for promote, described in ((False, "no network: none is current"), (True, "fast-")):
        options = ["--folder", str(folder), *(["--promote"] if promote else [])]
        result = CliRunner().invoke(main, ["pack", str(tmp_path / file), *options])
        assert result.exit_code == 0, result.output
        LOADER.forget()
        assert LOADER.load(kernel, "mini", folder=str(folder)).description.startswith(described)
    loaded, averaged = LOADER.load(kernel, "mini", folder=str(folder)), one.learner.averaged
    view = random_views(9, "mini")[8]
    assert loaded.net is not None
    theirs = [worth.win for worth in FastNet(kernel, averaged.parameters_for_kernel()).values(view)]
    assert [worth.win for worth in loaded.net.values(view)] == pytest.approx(theirs, abs=1e-5)


def test_a_file_with_other_tensors_is_refused_by_name(tmp_path: Path) -> None:
    torch.save(
        {"aim": "win", "architecture": architecture_of(256), "net": {"first": torch.zeros(3)}}, tmp_path / "odd.pt"
    )
    result = CliRunner().invoke(main, ["pack", str(tmp_path / "odd.pt")])
    assert result.exit_code == 1
    assert "odd.pt: this is not a network of a training" in result.output


def test_a_training_keeps_its_number_of_units(kernel: Kernel, tmp_path: Path) -> None:
    wide = rounds(1, Champion(tmp_path / "wide", ChampionLearner(kernel, rule_set("mini"), 1, units=512)))
    wide.save()
    state = torch.load(wide.checkpoint, weights_only=True)
    for name in (None, "units"):  # those of before there was one format say it by their architecture
        torch.save({key: value for key, value in state.items() if key != name}, wide.checkpoint)
        with pytest.raises(
            click.ClickException, match=r"checkpoint\.pt was begun with units 512, not 256: give the same"
        ):
            training(tmp_path / "wide", kernel)
        assert (
            Champion(tmp_path / "wide", ChampionLearner(kernel, rule_set("mini"), 1, units=512)).learner.done == ROUND
        )
    packed = pack.packed_net(*pack.read_net(wide.checkpoint), {})
    assert packed.architecture == "fast-896-512-32-32-bent"
    assert "--units 512" in packed.description["command"]
    with pytest.raises(click.ClickException, match="has 512 units in its first layer: give --units 512"):
        training(tmp_path / "narrow", kernel).learner.begin_with(wide.checkpoint)


def test_a_network_of_another_architecture_is_refused_by_name(kernel: Kernel, tmp_path: Path) -> None:
    one = training(tmp_path, kernel)
    one.save()
    state = {**torch.load(one.checkpoint, weights_only=True), "architecture": "fast-768"}
    del state["units"]
    torch.save(state, one.checkpoint)
    with pytest.raises(click.ClickException, match=r"was begun with units fast-768, not 256"):
        training(tmp_path, kernel)
    with pytest.raises(
        click.ClickException, match=r"checkpoint\.pt: no network of the champion: the architecture is fast-768"
    ):
        pack.read_net(one.checkpoint)


# The command.


def test_a_training_ends_with_a_network_that_plays_and_says_how(kernel: Kernel, tmp_path: Path) -> None:
    for games in (ROUND, 2 * ROUND):
        words = ["learn", "champion", str(tmp_path), "--rules", "mini", "--count", str(games), "--sets", "1", "--quiet"]
        done = CliRunner().invoke(main, words)
        assert done.exit_code == 0, done.output
        begins = "starts from scratch" if games == ROUND else f"continues after {ROUND} games"
        assert f"{begins}, and plays against itself until it has learned from {games} games." in done.output
        assert f"{games} games, 0.0 CPU minutes: wins " in done.output
        (path,) = (tmp_path / "weights").glob("fast-*.ddzw")
        LOADER.forget()
        assert LOADER.load(kernel, "mini", folder=str(path.parent)).description == path.name
        assert f"{path} plays:" in done.output
    assert f"train learn champion {tmp_path} --rules mini --objective wp --seed 1 --minutes 2" in done.output
    for words in ("play", "serve", "match champion:search=none rhcp --sets 2000"):
        assert re.search(rf"DDZ_WEIGHTS={path.parent} \S+ -m tools {words} --rules mini\n", done.output), done.output


def test_a_training_says_which_network_it_begins_with(kernel: Kernel, tmp_path: Path) -> None:
    first = training(tmp_path / "first", kernel)
    first.learner.done = 8_000_000
    first.save()
    words = ["learn", "champion", str(tmp_path / "second"), "--rules", "mini", "--count", str(ROUND), "--sets", "0"]
    done = CliRunner().invoke(main, [*words, "--quiet", "--begin-with", str(first.checkpoint)])
    assert done.exit_code == 0, done.output
    assert "starts from a network of 8,000,000 games" in done.output


def test_the_command_printed_at_the_end_resumes_the_folder(kernel: Kernel, tmp_path: Path) -> None:
    begin = (
        "--rules botzone2 --seed 7 --objective adp --auction --units 512 --rival quick --share 0.5 --count 16 --sets 0"
    )
    done = CliRunner().invoke(main, ["learn", "champion", str(tmp_path), *begin.split(), "--quiet"])
    assert done.exit_code == 0, done.output
    said = re.search(r"and learns on by +\S+ -m tools train (.*) --minutes 2\n", done.output)
    again = CliRunner().invoke(main, [*said[1].split(), "--count", "32", "--sets", "0", "--quiet"]) if said else done
    assert (again.exit_code, "continues after 16 games" in again.output) == (0, True), done.output + again.output


def test_minutes_are_those_of_a_processor(kernel: Kernel, tmp_path: Path) -> None:
    words = ["learn", "champion", str(tmp_path), "--rules", "mini", "--minutes", "1e-5", "--sets", "0", "--quiet"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0 and f"{ROUND} games, " in done.output, done.output
    assert "until it has used 1e-05 CPU minutes, in about 0 by the clock" in done.output


# Games that begin with an auction.


def test_games_with_an_auction_are_other_games(kernel: Kernel, tmp_path: Path) -> None:
    bids = KernelBidNet(kernel, random_parameters(1))
    found = [Champion(tmp_path, ChampionLearner(kernel, BOTZONE2, 1, 1, "score", net)) for net in (bids, bids, None)]
    trained = [rounds(1, one) for one in found]
    assert equal(trained[0], trained[1])
    assert not equal(trained[0], trained[2])
    trained[0].save()
    with pytest.raises(click.ClickException, match="was begun with auction True, not False: give the same"):
        Champion(tmp_path, ChampionLearner(kernel, BOTZONE2, 1, 1, "score"))


def test_rules_without_an_auction_are_refused(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["learn", "champion", str(tmp_path), "--rules", "botzone", "--auction"])
    assert (done.exit_code, "--auction: no network: none is current for bid-1 under botzone" in done.output) == (
        1,
        True,
    )
