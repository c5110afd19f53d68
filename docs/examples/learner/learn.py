"""
Trains a small network by games against itself: `python learn.py FOLDER --minutes 5` makes a player in FOLDER.

Each move is valued by the chance that its side wins, as games ended in which it was made (Deep Monte Carlo).
"""

import argparse
import shutil
import time
from pathlib import Path

import learned
import numpy as np
import torch
from learned import CHOICE, HIDDEN, ROLE, ROWS, SEEN, VALUES
from torch.nn.functional import binary_cross_entropy_with_logits, embedding_bag

from ddzbot.env import Tables

STEPS, BATCH, RANDOM = 256, 2048, 0.03
"""Decisions of each table between two times of learning, decisions of one step of it, and how many are by chance."""


def sums(rows, roles, first, values):
    """Gets for each row of values, which stand from place *first* on, the sum of their rows of the table."""
    begin = (roles[:, None].astype(np.int64) * (SEEN + CHOICE) + first + np.arange(values.shape[1])) * VALUES
    return embedding_bag(torch.from_numpy(begin + np.minimum(values, VALUES - 1)), rows, mode="sum")


def play(tables, rows, last, chance, generator):
    """Plays on at every table; gets the decisions of games that ended, as rows, and which of them won."""
    made, turns, every = [], [], np.arange(tables.count)
    for _ in range(STEPS):
        owner, roles = np.repeat(every, tables.sizes), tables.seen[:, ROLE]
        with torch.no_grad():
            here = sums(rows, roles, 0, tables.seen)[torch.from_numpy(owner)]
            worth = torch.relu(here + sums(rows, roles[owner], SEEN, tables.choices)) @ last
        first, by_worth = tables.ends - tables.sizes, np.lexsort((worth.numpy(), owner))
        best = by_worth[tables.ends.astype(np.int64) - 1] - first
        chosen = np.where(generator.random(tables.count) < chance, tables.drawn(generator), best)
        made.append(np.hstack([tables.seen, tables.choices[first + chosen]]))
        positions = tables.positions.copy()
        tables.step(chosen)
        turns.append((positions, tables.ended.copy(), tables.rewards.copy()))
    won, known, points = [], np.zeros(tables.count, bool), np.zeros((tables.count, 3))
    for positions, ended, rewards in reversed(turns):
        known, points = known | ended, np.where(ended[:, None], rewards, points)
        won.append(np.where(known, (points > points.mean(1, keepdims=True))[every, positions], np.nan))
    made, won = np.concatenate(made), np.concatenate(won[::-1])
    return made[~np.isnan(won)], won[~np.isnan(won)].astype(np.float32)


def main():
    """Learns for so many CPU minutes."""
    parser = argparse.ArgumentParser(description="Train a small network in FOLDER.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--tables", type=int, default=1024)
    wanted = parser.parse_args()
    began, seen, generator = time.process_time(), 0, np.random.default_rng(1)
    torch.manual_seed(1)
    torch.set_num_threads(1)
    rows, last = torch.zeros(ROWS, HIDDEN), torch.randn(HIDDEN) / 8
    rows[[role * (SEEN + CHOICE) * VALUES + ROLE * VALUES + role for role in range(3)]] = torch.rand(3, HIDDEN)
    optimizer = torch.optim.Adam([rows.requires_grad_(), last.requires_grad_()], lr=1e-3)
    tables = Tables(wanted.tables, "botzone", seed=1)
    wanted.folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(learned.__file__, wanted.folder)
    while not seen or time.process_time() - began < 60 * wanted.minutes:
        made, won = play(tables, rows, last, RANDOM if seen else 1.0, generator)
        losses = []
        for at in np.array_split(generator.permutation(len(won)), max(1, len(won) // BATCH)):
            row = made[at]
            here = sums(rows, row[:, ROLE], 0, row)
            loss = binary_cross_entropy_with_logits(torch.relu(here) @ last, torch.from_numpy(won[at]))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        seen += len(won)
        print(f"{time.process_time() - began:5.0f} s, {seen:,} decisions, loss {np.mean(losses):.4f}", flush=True)
        torch.cat([rows.detach().flatten(), last.detach()]).numpy().tofile(wanted.folder / "learned.weights")


if __name__ == "__main__":
    main()
