"""
A3C (V. Mnih et al., "Asynchronous methods for deep reinforcement learning", 2016), as the papers compare it.

One network has a logit for each abstract move and a value of the situation. Workers share its parameters: each plays
some games with what the parameters are now, works out the gradient, and steps without waiting for the others (shared
RMSProp, no lock). A worker is a process. One worker alone steps in a fixed order, so that the same seed gives the same
training; the order of several is whatever the machine makes of it.
"""

import signal
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import active_children, parent_process
from typing import Any, NamedTuple, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ddzbot.game import SEATS
from ddzbot.kernel import native
from ddzbot.kernel.binding import Kernel
from ddzbot.rules import RuleSet, rule_set

from ...programs.naive import ABSTRACT_MOVES, INNER, A3cPlayer
from ...shared.interrupts import StoppedError
from ...shared.work.orphans import end_with
from .games import Choice, Finished, Policy, Situation, play_games
from .learner import Figures, RlLearner
from .naive_model import NaiveModel, rows_of

ROUND_UNITS = 32
"""Units of a round; after each round the workers wait for each other, so that it can be saved."""


class A3cSettings(NamedTuple):
    """The settings of learning."""

    unit_games: int = 16
    """Games whose decisions make one step."""
    rate: float = 3e-4
    decay: float = 0.99
    """RMSProp's decay of the mean squares at each step."""
    discount: float = 0.99
    """Per own decision."""
    steps: int = 5
    """Own decisions after which the value of the situation stands for the rest of the game."""
    value_share: float = 0.5
    """The weight of the value's loss beside that of the policy."""
    entropy_share: float = 0.01
    largest_slope: float = 0.5
    """Longer gradients are shortened to this length."""


class A3cModel(NaiveModel):
    """A logit for each abstract move, and the value of the situation."""

    def __init__(self) -> None:
        super().__init__()
        self.value = nn.Linear(INNER, 1)

    def both(self, rows: NDArray[np.void]) -> tuple[Tensor, Tensor]:
        """Gets logits, (n, 398), minus infinity for illegal moves, and values, (n,)."""
        units = self.units(rows)
        return self.legal_only(self.moves(units), rows), self.value(units).squeeze(1)


class Shared(NamedTuple):
    """The state that all workers share."""

    net: A3cModel
    squares: list[Tensor]
    """RMSProp's mean squares, by parameter."""


class Unit:
    """Plays units of games and makes their steps, in one process."""

    def __init__(self, kernel: Kernel, rules: RuleSet, seed: int, shared: Shared, settings: A3cSettings) -> None:
        self._learner = A3cLearner(kernel, rules, seed)
        self._shared, self._settings = shared, settings

    def run(self, number: int) -> Figures:
        """Plays unit *number* with a copy of the shared parameters, and steps."""
        self.renew()
        deals = self._learner.deals(number, self._settings.unit_games)
        policy = drawing(self._learner.net, self._learner.generator(number))
        played = play_games(self._learner.kernel, self._learner.rules, deals, [policy] * SEATS)
        rows, returns = returns_of(played, self._settings)
        loss, sizes = self.learn(rows, torch.from_numpy(returns))
        wins = sum(game.winner == 0 for game in played)
        return Figures(len(played), len(rows), wins, loss, float(sizes.mean()), float(sizes.max()))

    def renew(self) -> None:
        """Copies the shared parameters, by which it then plays and finds its gradient."""
        self._learner.net.load_state_dict(self._shared.net.state_dict())

    def learn(self, rows: NDArray[np.void], returns: Tensor) -> tuple[float, Tensor]:
        """Makes one step towards the *returns* of some decisions; gets the loss, and the values without their signs."""
        loss, values = self._loss(rows, returns)
        self._step(loss)
        return float(loss.detach()), values.detach().abs()

    def _loss(self, rows: NDArray[np.void], returns: Tensor) -> tuple[Tensor, Tensor]:
        logits, values = self._learner.net.both(rows)
        likely = torch.log_softmax(logits, 1)
        made = likely.gather(1, torch.from_numpy(rows["move"].astype(np.int64))[:, None]).squeeze(1)
        advantages = returns - values
        legal = torch.where(torch.isfinite(likely), likely, torch.zeros_like(likely))
        entropy = -(legal.exp() * legal).sum(1)
        loss = -(made * advantages.detach()).mean() + self._settings.value_share * advantages.square().mean()
        return loss - self._settings.entropy_share * entropy.mean(), values

    def _step(self, loss: Tensor) -> None:
        """Shared RMSProp: all workers share the squares, without locks."""
        net = self._learner.net
        net.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(net.parameters(), self._settings.largest_slope)
        with torch.no_grad():
            for own, parameter, square in zip(
                net.parameters(), self._shared.net.parameters(), self._shared.squares, strict=True
            ):
                assert own.grad is not None
                square.mul_(self._settings.decay).addcmul_(own.grad, own.grad, value=1 - self._settings.decay)
                parameter.addcdiv_(own.grad, square.sqrt().add_(1e-5), value=-self._settings.rate)


def drawing(net: A3cModel, generator: np.random.Generator) -> Policy:
    """Gets the policy that draws moves, each as likely as the network says."""

    def choose(choices: Sequence[Situation]) -> list[Choice]:
        rows, offers = rows_of(choices)
        with torch.no_grad():
            logits, values = net.both(rows)
        # The largest of logits with Gumbel noise is a draw by their softmax.
        moves = (logits.numpy() + generator.gumbel(size=logits.shape)).argmax(1)
        rows["move"] = moves
        worths = values.tolist()
        return [Choice(offers[row][int(moves[row])], (rows[row : row + 1], worths[row])) for row in range(len(rows))]

    return choose


def returns_of(played: Sequence[Finished], settings: A3cSettings) -> tuple[NDArray[np.void], NDArray[np.float32]]:
    """Gets all decisions, and what each is worth: what the game paid, or a later situation's value, discounted."""
    rows: list[NDArray[np.void]] = []
    returns: list[float] = []
    for game in played:
        for seat, decisions in enumerate(game.kept):
            rows += [row for row, _ in decisions]
            for index in range(len(decisions)):
                later = index + settings.steps
                if later < len(decisions):
                    returns.append(decisions[later][1] * settings.discount**settings.steps)
                else:
                    returns.append(game.reward(seat) * settings.discount ** (len(decisions) - 1 - index))
    return np.concatenate(rows), np.array(returns, np.float32)


class A3cLearner(RlLearner):
    """Learns A3C with some workers."""

    recipe = A3cPlayer.name
    features = A3cPlayer.features
    architecture = ABSTRACT_MOVES.architecture
    how = A3cSettings()
    net: A3cModel

    def __init__(
        self, kernel: Kernel, rules: RuleSet, seed: int, deals: int = 200, every: int = 4, workers: int = 1
    ) -> None:
        super().__init__(kernel, rules, seed, deals, every)
        self.net = A3cModel()
        self.squares = [torch.zeros_like(parameter.data) for parameter in self.net.parameters()]
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None
        self._unit: Unit | None = None
        if workers > 1:
            self.net.share_memory()
            for square in self.squares:
                square.share_memory_()  # type: ignore[no-untyped-call]
            begin = (self.rules.name, self.seed, Shared(self.net, self.squares))
            context = torch.multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(workers, cast(Any, context), _begin, begin)

    def played(self, number: int, games: int) -> Figures:
        """Plays a round of units; each worker has every so many'th."""
        units = range(number * ROUND_UNITS, (number + 1) * ROUND_UNITS)
        if self._pool is None:
            if self._unit is None:
                shared = Shared(self.net, self.squares)
                self._unit = Unit(self.kernel, self.rules, self.seed, shared, self.how)
            return _summed([self._unit.run(unit) for unit in units])
        shares = [units[worker :: self._workers] for worker in range(self._workers)]
        try:
            answers = list(self._pool.map(_units, shares))
        except StoppedError:
            # Nobody may step any more when the round is taken back.
            for worker in active_children():
                worker.kill()
                worker.join()
            raise
        self.helped = sum(seconds for _, seconds in answers)
        return _summed([figures for parts, _ in answers for figures in parts])

    def greedy(self) -> Policy:
        """Gets the policy that makes the most likely move."""

        def choose(choices: Sequence[Situation]) -> list[Choice]:
            rows, offers = rows_of(choices)
            with torch.no_grad():
                moves = self.net(rows).argmax(1).tolist()
            return [Choice(offers[row][moves[row]]) for row in range(len(rows))]

        return choose

    def learned(self) -> dict[str, Any]:
        """Gets the parameters and RMSProp's squares."""
        return {"net": self.net.state_dict(), "squares": self.squares}

    def learn_again(self, learned: Mapping[str, Any]) -> None:
        """Takes them back, into the memory that the workers share."""
        self.net.load_state_dict(learned["net"])
        for square, saved in zip(self.squares, learned["squares"], strict=True):
            square.copy_(saved)

    def close(self) -> None:
        """Ends the workers."""
        if self._pool:
            self._pool.shutdown()


def _summed(parts: Sequence[Figures]) -> Figures:
    """Makes one of the figures of several units."""
    return Figures(
        *(sum(part.games for part in parts), sum(part.decisions for part in parts)),
        sum(part.landlord_wins for part in parts),
        *(float(np.mean([part.loss for part in parts])), float(np.mean([part.value for part in parts]))),
        max(part.largest for part in parts),
    )


_unit: Unit


def _begin(rules: str, seed: int, shared: Shared) -> None:
    """Begins a worker."""
    global _unit
    parent = parent_process()
    assert parent is not None
    end_with(parent.sentinel)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    kernel = native()
    assert kernel is not None, "the process that began this worker has one"
    _unit = Unit(kernel, rule_set(rules), seed, shared, A3cLearner.how)


def _units(numbers: Sequence[int]) -> tuple[list[Figures], float]:
    """Runs units in a worker; gets what they found, and its CPU seconds."""
    began = time.process_time()
    return [_unit.run(unit) for unit in numbers], time.process_time() - began
