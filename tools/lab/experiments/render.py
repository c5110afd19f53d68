"""Turns results files into tables of a document, and a picture of all intervals."""

import os
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from math import isfinite
from pathlib import Path

from ddzbot.game import SEATS

from ...arena.reports.columns import interval
from ...arena.reports.markdown import tables
from ...arena.reports.picture import draw as draw_everybody
from ...arena.reports.printers import markdown
from ...arena.reports.results import Results
from ...arena.stats.paired import scores_by_deal, wp_difference
from ...shared.default_rules import DEFAULT_RULES
from ...shared.intervals import wilson
from .compressed import compressed_path
from .gauntlet import gauntlet_rows
from .limits import draw_limits, limit_rows, series, who_is_who
from .plan import Experiment
from .results import DocumentError, PlayedExperiment, played_of
from .strangers import are_strangers, draw_strangers, stranger_rows

_BLOCK = re.compile(r"(<!-- experiments: (?P<names>[\w{} -]+?) -->\n).*?(<!-- end of experiments -->)", re.DOTALL)
NOT_PLAYED = "not played yet"


def filled(text: str, experiments: Sequence[Experiment], results: Path, doc: Path) -> str:
    """
    Replaces what stands in each block of a document by the table of the experiments that the block names.

    A block begins with ``<!-- experiments: NAME NAME ... -->`` and ends with ``<!-- end of experiments -->``. Below a
    table stand links from *doc*, the file of the document, to the results files that are kept beside the plan.

    :raises DocumentError: for an unknown name, a block of both kinds, or a results file of something else.
    """
    by_name = {key: experiment for experiment in experiments for key in (experiment.written, experiment.name)}

    def replaced(block: re.Match[str]) -> str:
        names = block["names"].split()
        missing = [key for key in names if key not in by_name]
        if missing:
            raise DocumentError(f"block {block['names']!r}: there is no experiment {missing[0]}")
        chosen = [by_name[key] for key in names]
        files = _files(chosen, results, doc)
        return "\n\n".join([f"{block[1]}\n{table(chosen, results)}", *([files] if files else []), block[3]])

    return _BLOCK.sub(replaced, text)


def table(experiments: Sequence[Experiment], results: Path) -> str:
    """Makes the Markdown table of experiments of one kind, and says below it on which deals it was played."""
    kinds = {experiment.kind for experiment in experiments}
    deals = _deals(experiments)
    over = series([(experiment, None) for experiment in experiments]) if kinds <= {"tournament", "match"} else []
    if len(over) == 1:
        played = [(experiment, played_of(experiment, results)) for experiment, _ in over[0]]
        return "\n\n".join([markdown(limit_rows(played, NOT_PLAYED)), f"{who_is_who(played)} {deals}"])
    if len(kinds) != 1:
        names = ", ".join(experiment.name for experiment in experiments)
        raise DocumentError(f"{names}: different kinds do not share a table")
    if kinds == {"tournament"}:
        return "\n\n".join(chain.from_iterable(_tournament(experiment, results) for experiment in experiments))
    if kinds == {"seats"}:
        rows, remark = _seats_rows(experiments, results), who_sat_elsewhere(experiments)
    else:
        played = [(experiment, played_of(experiment, results)) for experiment in experiments]
        rows_of = stranger_rows if are_strangers(experiments) else gauntlet_rows
        rows = _match_rows(played) if kinds == {"match"} else rows_of(played, NOT_PLAYED)
        remark = _on_the_same_deals(played)
    return "\n\n".join([markdown(rows), f"{remark} {deals}".strip()])


def _files(experiments: Iterable[Experiment], results: Path, doc: Path) -> str:
    """Links the results files that are kept of some experiments; empty if none is."""
    files = dict.fromkeys(compressed_path(experiment.file(results)) for experiment in experiments)
    folder = Path(os.path.relpath(results, doc.parent))
    links = [f"[{file.name.partition('.')[0]}]({(folder / file.name).as_posix()})" for file in files if file.exists()]
    return f"Results file{'s' * (len(links) > 1)}: {', '.join(links)}." if links else ""


def _deals(experiments: Iterable[Experiment]) -> str:
    """Says where the deals come from and, where they are not the same in all rows, which row has which."""
    rows: dict[str, list[str]] = {}
    for row, experiment in enumerate(experiments, 1):
        rules = "" if experiment.rules == DEFAULT_RULES else f" of rules `{experiment.rules}`"
        rows.setdefault(f"`{experiment.namespace}/{experiment.seed}`{rules}", []).append(str(row))
    if len(rows) == 1:
        return f"Deals: {next(iter(rows))}."
    clauses = (f"{deals} (row{'s' * (len(numbers) > 1)} {', '.join(numbers)})" for deals, numbers in rows.items())
    return f"Deals: {', '.join(clauses)}."


def _on_the_same_deals(played: Sequence[tuple[Experiment, PlayedExperiment | None]]) -> str:
    """Says how far two of a table on the same deals are apart; nothing before both have two deals."""
    by_name = {
        experiment.name: (experiment, scores_by_deal(outcome.results.rows)) for experiment, outcome in played if outcome
    }
    sentences = []
    for experiment, scores in by_name.values():
        if experiment.paired not in by_name:
            continue
        partner, others = by_name[experiment.paired]
        difference = wp_difference(scores, others)
        if not isfinite(difference.low):  # fewer than two deals in common
            continue
        points = f"{100 * difference.value:+.1f} ({100 * difference.low:+.1f} to {100 * difference.high:+.1f})"
        a, *opponents = experiment.contestants
        met = f"`{opponents[0]}`" if len(opponents) == 1 else f"the {len(opponents)} opponents"
        sentences.append(
            f"WP of `{a}` less that of `{partner.contestants[0]}` on the same deals against {met}: {points}."
        )
    return " ".join(sentences)


def _tournament(experiment: Experiment, results: Path) -> list[str]:
    """Makes the paragraphs of a tournament, with its picture below the ranking."""
    played = played_of(experiment, results)
    if played is None or played.results.standings is None:
        return [f"{', '.join(f'`{contestant}`' for contestant in experiment.contestants)}: {NOT_PLAYED}."]
    ranking, *tables_below = tables(played.progress, played.found, played.results.standings)
    return [ranking, *([_link(experiment)] if experiment.picture else []), *tables_below]


def _link(experiment: Experiment) -> str:
    return f"![Elo of all players with intervals, and the WP of every pair]({experiment.picture})"


def who_sat_elsewhere(experiments: Iterable[Experiment]) -> str:
    """Says which of ours sit where a published table has another program; nothing where none does."""
    pairs = dict.fromkeys(pair for experiment in experiments for pair in experiment.in_place_of.items())
    return " ".join(f"`{our}` sits where the published table has {their}." for our, their in pairs)


def _match_rows(matches: Iterable[tuple[Experiment, PlayedExperiment | None]]) -> list[list[str]]:
    rows = [["match", "limit", "sets", "WP both sides", "landlord", "peasants", "ADP", "ms median, 95 %", "published"]]
    for experiment, played in matches:
        a, b = experiment.contestants
        start = [f"`{a}` against `{b}`", experiment.budget or experiment.limit]
        if played is None:
            rows.append([*start, NOT_PLAYED, "", "", "", "", "", experiment.published])
            continue
        (pairing,) = played.results.pairings
        summary, times = pairing.summary, pairing.times
        ms = " / ".join(f"{times[letter]['p50']:.0f}, {times[letter]['p95']:.0f}" for letter in "AB" if letter in times)
        sides = [interval(part and part.wp, 1, 100) for part in (summary, summary.landlord, summary.peasants)]
        rows.append([*start, _sets(played.results), *sides, interval(summary.adp, 2), ms, experiment.published])
    return rows


def _sets(results: Results) -> str:
    plan, (pairing,) = results.plan, results.pairings
    sets = f"{pairing.summary.sets:,}"
    if pairing.sprt and plan.sprt:
        low, high = plan.sprt[:2]
        return f"{sets}, SPRT {low:g} to {high:g}: {pairing.sprt.verdict}"
    return sets if results.finished else f"{sets} of {plan.sets:,}"


def _seats_rows(experiments: Iterable[Experiment], results: Path) -> list[list[str]]:
    head = [
        "landlord / landlord_down / landlord_up",
        "limit",
        "games",
        "went out %",
        "landlord won %",
        "peasants won %",
    ]
    rows = [[*head, "published %"]]
    for experiment in experiments:
        start = [" / ".join(f"`{contestant}`" for contestant in experiment.contestants)]
        start.append(experiment.budget or experiment.limit)
        played = played_of(experiment, results)
        winners = [row.games[0].out for row in played.results.rows[0]] if played else []
        if not winners:
            rows.append([*start, NOT_PLAYED, "", "", "", published(experiment)])
            continue
        games, out = len(winners), Counter(winners)
        shares = " / ".join(f"{100 * out[seat] / games:.1f}" for seat in range(SEATS))
        sides = (won_by(out[0], games), won_by(games - out[0], games))
        rows.append([*start, f"{games:,}", shares, *sides, published(experiment)])
    return rows


def won_by(games: int, of: int) -> str:
    """Writes a share of games in percent with its 95 % interval (Wilson), e.g. ``50.0 (30.0 to 70.0)``."""
    low, high = wilson(games / of, of)
    return f"{100 * games / of:.1f} ({100 * low:.1f} to {100 * high:.1f})"


def published(experiment: Experiment) -> str:
    """Writes the published result with its players: ``CQL 44.4 / RHCP 21.6 / MCM 34.0``."""
    figures = experiment.published.split(" / ")
    if len(figures) == len(experiment.seated):
        return " / ".join(f"{player} {figure}" for player, figure in zip(experiment.seated, figures, strict=True))
    return f"{' / '.join(experiment.seated)}: {experiment.published}" if experiment.seated else experiment.published


def draw_shown(text: str, experiments: Sequence[Experiment], results: Path, doc: Path) -> list[Path]:
    """
    Draws the pictures of tournaments that a page shows, and lists them; *text* is what stands in the file *doc*.

    :raises DocumentError: for a results file of something else, or none.
    """
    drawn = []
    for experiment in experiments:
        played = played_of(experiment, results) if experiment.picture and _link(experiment) in text else None
        path = doc.parent / experiment.picture
        if played and played.results.standings and draw_everybody(played.results.standings, path):
            drawn.append(path)
    return drawn


def draw(experiments: Sequence[Experiment], results: Path, picture: Path) -> int:
    """
    Draws WP with its interval for every match that was played, as one figure; returns how many there are.

    Tournaments that only the limit tells apart are drawn over their limits instead, and gauntlets against bots of other
    people by bot.
    """
    if are_strangers(experiments):
        return draw_strangers([(experiment, played_of(experiment, results)) for experiment in experiments], picture)
    if over := series([(experiment, played_of(experiment, results)) for experiment in experiments]):
        draw_limits(over, picture)
        return sum(map(len, over))
    played = [played_of(experiment, results) for experiment in experiments if experiment.kind == "match"]
    bars = [(one.experiment, one.results.pairings[0].summary) for one in played if one and one.results.rows[0]]
    if not bars:
        return 0
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(9, 1.2 + 0.45 * len(bars)), layout="constrained")
    for shift, key, colour in ((-0.2, None, "#333333"), (0.0, "landlord", "#c8791b"), (0.2, "peasants", "#2a7f9e")):
        parts = [summary if key is None else getattr(summary, key) for _, summary in bars]
        points = [(row + shift, [100 * share for share in part.wp]) for row, part in enumerate(parts) if part]
        values = [wp for _, (wp, _, _) in points]
        ends = [[wp - low for _, (wp, low, _) in points], [high - wp for _, (wp, _, high) in points]]
        axes.errorbar(
            values, [row for row, _ in points], xerr=ends, fmt="o", color=colour, label=key or "both sides", ms=4
        )
    labels = ["{}\n{}  {}".format(*one.contestants, one.budget or one.limit) for one, _ in bars]
    axes.set_yticks(range(len(bars)), labels, fontsize=7)
    axes.invert_yaxis()
    axes.axvline(50, color="grey", linewidth=0.8)
    axes.set(xlabel="games won by the first, % (95 % interval over sets)")
    figure.legend(loc="outside upper center", ncols=3, fontsize=8)
    # No date and no version inside: the same results make the same file.
    figure.savefig(picture, dpi=110, metadata={"Software": None})
    pyplot.close(figure)
    return len(bars)
