"""A match in a terminal: the running line, the results, the programs that played, and what is left."""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from statistics import fmean

from rich.table import Column, Table

from ddzbot.rules import rule_set

from ...shared.language import tr, translate
from ...shared.limits import limit_text
from ...shared.message import Message, clauses, joined
from ...shared.names import short_names
from ...shared.terminal import Console, print_line
from ..files.provenance import lines_of
from ..files.results_file import Entry, Found
from ..matches.cost import Cost
from ..matches.faults import FaultKind, faults_by_name, kinds_of_faults
from ..matches.plan import Plan
from ..matches.runner import Progress
from ..stats.estimates import Estimate
from ..stats.sprt import Verdict
from .auctions import auctions_of, lines_of_auctions
from .columns import (
    BY_ALL,
    BY_FIRST,
    EQUAL_RANKS,
    OF_SEATS,
    OF_SERIES,
    RANKING,
    SEATED,
    Ranked,
    columns_of,
    interval,
    letter_of,
    seats_of,
)
from .printers import row_of, terminal, texts
from .results import Pairing, Results, Tested
from .standings import Standing, Standings

_VERDICTS = {
    Verdict.RUNNING.value: Message("running"),
    Verdict.ACCEPTED_H0.value: Message("accepted H0"),
    Verdict.ACCEPTED_H1.value: Message("accepted H1"),
}
_MINUTE = 60
_LONGEST_WHOLE = 24
_WHOLE_RANKING = 140
"""Columns that hold a line of the ranking with all of these."""
_WITH_TENTHS, _MOST_ACROSS = 6, 8
"""Players whose cross table has tenths, and at most in a row of it, so that 80 columns hold a line."""


def running_line(progress: Progress) -> str:
    """Shows how each pairing stands, for a progress bar."""
    if progress.plan.three:
        return tr("games")
    if len(progress.plan.names) > _MOST_SHOWN:
        return progress_name(progress)
    if len(progress.stats) > 1:
        return tr("WP {share}", share=_shares(progress))
    status = tr("WP {share}", share=interval(progress.stats[0].wp(), 1, 100))
    return f"{status}  LLR {progress.sprt.llr:+.2f}" if progress.sprt else status


_MOST_SHOWN = 4
"""The most players with a WP in the line."""


def _shares(progress: Progress) -> str:
    """Writes the WP of each player so far, its opponents counting alike."""
    by_player: dict[str, list[float]] = {}
    for (a, b), stats in zip(progress.plan.pairs, progress.stats, strict=True):
        if stats.sets:
            by_player.setdefault(a, []).append(stats.wp().value)
            by_player.setdefault(b, []).append(1 - stats.wp().value)
    short = short_names(by_player)
    return ", ".join(f"{short[player]} {100 * fmean(shares):.0f}" for player, shares in by_player.items())


def progress_name(progress: Progress) -> str:
    """Names the sets that are played where neighbours meet more often."""
    return tr("every pair" if progress.every_pair else "neighbours")


def print_results(
    results: Results,
    console: Console,
    every: bool = True,
    entries: Iterable[Entry] = (),
    seers: Iterable[str] = (),
) -> None:
    """
    Prints one table for each pairing, and ratings and a cross table if there are several.

    Those *entries* of a field that do not play stand last, and above all *seers*, who see all hands.
    With *every* False, a match of three or more that all meet is printed without its pairings.
    """
    plan = results.plan
    for name in seers:
        print_line(console, tr("{name} sees the hands of all, which no judge shows: it is for measuring.", name=name))
    every = every or len(results.pairings) == 1
    if results.seats:
        _print_seats(results, console)
    if every or not plan.open:
        for index, pairing in enumerate(results.pairings):
            _print_pairing(plan, pairing, index if len(results.pairings) > 1 else None, console)
    if results.seats or len(results.pairings) == 1 or not plan.open:
        played = sum(map(len, results.rows))
        if not results.finished:
            print_unfinished(plan, played, console)
    out = [entry.name for entry in entries if entry.problem]
    if results.standings:
        _print_standings(results, results.standings, console, out)
    elif out:
        print_line(console, tr("{name}: {said}", name=", ".join(out), said=Message("does not play")))


def print_unfinished(plan: Plan, played: int, console: Console) -> None:
    """Prints how many of its sets a match has."""
    console.print(tr("unfinished: {sets} of {all} sets", sets=played, all=plan.sets * len(plan.tables)))


def print_parts(found: Found, console: Console) -> None:
    """Prints which programs played, once for each program and machine in turn."""
    parts = zip(found.parts, found.played, strict=True)
    for program, group in groupby(parts, key=lambda part: part[0].provenance):
        sets = sum(played for _, played in group)
        lines = lines_of(program) if program else [Message("the file does not say which program played")]
        head = tr("{sets} sets: {program}", sets=sets, program=lines[0])
        for line in (head, *(f"  {translate(detail)}" for detail in lines[1:])):
            console.print(line, soft_wrap=True)


def _print_pairing(plan: Plan, pairing: Pairing, number: int | None, console: Console) -> None:
    summary = pairing.summary
    title = tr("{a} against {b}", a=pairing.a, b=pairing.b)
    table = Table("", "WP %", "ADP", title=title, title_justify="left", title_style="bold")
    # With an auction a set is won by its points, and the first share is not the mean of the others.
    parts = {
        tr("sets, by points" if rule_set(plan.rules).bidding else "games"): summary,
        tr("games as landlord"): summary.landlord,
        tr("games as peasants"): summary.peasants,
    }
    for label, part in parts.items():
        wp, adp = interval(part and part.wp, 1, 100), interval(part and part.adp, 3)
        table.add_row(label, wp, adp)
    console.print(table)
    lost, tied, won = summary.sets_lost_tied_won
    console.print(
        tr(
            "sets {sets} (lost {lost}, tied {tied}, won {won})  Elo {elo}  LOS {los}",
            sets=summary.sets,
            lost=lost,
            tied=tied,
            won=won,
            elo=_elo(summary.elo),
            los=f"{summary.los:.3f}",
        )
    )
    rate = f"{summary.landlord_rate:.1f}"
    console.print(tr("{played}  landlord rate {rate} %", played=_what_is_played(plan), rate=rate))
    if pairing.sprt and plan.sprt:
        console.print(_describe_test(plan.sprt, pairing.sprt))
    names = {"A": pairing.a, "B": pairing.b}
    for line in lines_of_auctions(auctions_of(pairing.rows), names):
        console.print(line, soft_wrap=True)
    for letter, label in names.items():
        _print_contestant(letter, label, pairing, console)
        _print_faults(kinds_of_faults([(number or 0, letter, pairing.rows)], number is not None), console)


def _describe_test(hypotheses: Sequence[float], sprt: Tested) -> str:
    (low, high), (null, alternative, *_) = sprt.bounds, hypotheses
    return tr(
        "SPRT [{null}, {alternative}]: LLR {llr} ({low}, {high}), {verdict} after {sets} sets; "
        "the numbers of a stopped test are biased",
        null=f"{null:g}",
        alternative=f"{alternative:g}",
        llr=f"{sprt.llr:.2f}",
        low=f"{low:.2f}",
        high=f"{high:.2f}",
        verdict=_VERDICTS[sprt.verdict],
        sets=sprt.sets,
    )


def _what_is_played(plan: Plan) -> Message:
    deals: str = f"{plan.namespace}/{plan.seed}"
    if plan.deals:
        file = f"{plan.deals.file} {plan.deals.sha256}"
        deals = Message("{file}, seeds {deals}", file=file, deals=deals)
    limit = limit_text(plan.limit) or Message("none")
    return Message("rules {rules}  deals {deals}  limit {limit}", rules=plan.rules, deals=deals, limit=limit)


def _print_contestant(letter: str, name: str, pairing: Pairing, console: Console) -> None:
    counts, times = pairing.summary.counts[letter], pairing.times.get(letter)
    facts = [Message("{count} decisions a set", count=f"{counts.searched / (pairing.summary.sets or 1):.1f}")]
    if times:
        p50, p95, longest = (f"{times[key]:.1f}" for key in ("p50", "p95", "max"))
        facts.append(Message("ms p50 {p50} p95 {p95} max {max}", p50=p50, p95=p95, max=longest))
    fallbacks = pairing.summary.fallbacks.get(letter, {}).items()
    chose = joined(Message("{name} chose {count}", name=fallback, count=count) for fallback, count in fallbacks)
    fell = Message("fallbacks {count}", count=counts.fallbacks)
    facts += [
        Message("{fallbacks} ({chose})", fallbacks=fell, chose=chose) if chose else fell,
        Message("timeouts {count}", count=counts.timeouts),
        Message("illegal {count}", count=counts.illegal),
        Message("failures {count}", count=counts.failures),
    ]
    console.print(tr("{name}: {said}", name=name, said=joined(facts)))


def _print_faults(kinds: Sequence[FaultKind], console: Console) -> None:
    for kind in kinds:
        console.print(f"  {translate(kind.line)}", style="red", soft_wrap=True)


def _fit(names: Iterable[str]) -> bool:
    """Tests whether the names leave the numbers their room; longer ones fold."""
    return max(map(len, names), default=0) <= _LONGEST_WHOLE


def _print_seats(results: Results, console: Console) -> None:
    """Prints how often each seat went out, and each side won; of a series what each place was paid."""
    plan, three = results.plan, seats_of(results)
    columns = columns_of(SEATED, *(OF_SERIES if plan.in_turn else OF_SEATS))
    short = short_names(plan.names)
    rows = texts(columns, three, short.__getitem__)
    title = Message("{games} games, {played}", games=len(results.rows[0]), played=_what_is_played(plan))
    console.print(terminal(columns, rows, title, _fit(short.values())))
    for seat in three:
        _print_faults(seat.faults, console)


def troubles(player: Standing) -> str:
    """Describes how often others chose for a player, and its faults; empty if there were none."""
    parts = [
        Message("`{name}` chose for it {count} times", name=fallback, count=f"{count:,}")
        for fallback, count in player.fallbacks.items()
    ]
    for count, message in (
        (player.counts.failures, Message("failures {count}", count=f"{player.counts.failures:,}")),
        (player.counts.illegal, Message("illegal {count}", count=f"{player.counts.illegal:,}")),
        (player.counts.timeouts, Message("timeouts {count}", count=f"{player.counts.timeouts:,}")),
    ):
        parts += [message] if count else []
    if not parts:
        return ""
    decisions = f"{player.counts.searched:,}"
    return Message("`{name}`, of {count} decisions: {said}.", name=player.name, count=decisions, said=joined(parts))


def _print_standings(results: Results, ranking: Standings, console: Console, out: Sequence[str]) -> None:
    """Prints the ranking, what went wrong, and the cross table."""
    short = short_names(player.name for player in ranking.players)
    print_ranking(ranking.players, short, console, out)
    faults = faults_by_name(results.plan, results.rows)
    for player in ranking.players:
        if trouble := troubles(player):
            console.print(trouble, style="red", soft_wrap=True)
            _print_faults(faults[player.name], console)
    print_cross(ranking, short, console)


def print_ranking(
    players: Iterable[Standing], short: Mapping[str, str], console: Console, out: Iterable[str] = ()
) -> None:
    """Prints the ranking, with programs that do not play last, in two tables where the cells of one would be folded."""
    ranked = [*map(Ranked, players)]
    ratings = clauses([Message("Elo by all sets (mean 0), LOS over the next"), EQUAL_RANKS])
    firsts = Message("WP and ADP by the first sets of every pair")
    tables: list[tuple[str, tuple[str, ...]]] = [(ratings, BY_ALL), (firsts, BY_FIRST)]
    if console.width >= _WHOLE_RANKING:
        tables = [(clauses([ratings, firsts]), (*BY_ALL, *BY_FIRST))]
    for title, keys in tables:
        columns = columns_of(RANKING, "rank", "name", *keys)
        rows = texts(columns, ranked, short.__getitem__)
        rows += [row_of(columns, {"rank": "-", "name": name, "elo": Message("does not play")}) for name in out]
        console.print(terminal(columns, rows, title, whole_names=False))


def print_cross(ranking: Standings, short: Mapping[str, str], console: Console) -> None:
    """Prints how often each player beat each other one, in several tables where one would be too wide."""
    count = len(ranking.players)
    across = math.ceil(count / math.ceil(count / _MOST_ACROSS))
    for start in range(0, count, across):
        console.print(_cross(ranking, short, range(start, min(count, start + across))))


def _cross(ranking: Standings, short: Mapping[str, str], columns: range) -> Table:
    """Makes those *columns* of the cross table."""
    digits = 1 if len(ranking.players) <= _WITH_TENTHS else 0
    corner = Column(tr("WP % of row against column"), no_wrap=_fit(short.values()))
    cross = Table(corner, *map(letter_of, columns))
    for index, row in enumerate(ranking.players):
        meetings = [ranking.meetings.get((row.name, ranking.players[column].name)) for column in columns]
        cells = [f"{100 * meeting.wp.value:.{digits}f}" if meeting and meeting.sets else "-" for meeting in meetings]
        cross.add_row(f"{letter_of(index)} {short[row.name]}", *cells)
    return cross


def print_cost(progress: Progress, cost: Cost, seconds: Mapping[str, float], jobs: int, console: Console) -> None:
    """Prints what is still to be played, and how long that takes."""
    plan = progress.plan
    pairs = [Message("{pairs} pairs x {sets} sets", pairs=len(plan.tables), sets=plan.sets)]
    if plan.neighbours > plan.sets:
        neighbours = {"pairs": len(plan.names) - 1, "sets": plan.neighbours - plan.sets}
        pairs.append(Message("then {pairs} pairs of neighbours x {sets} more", **neighbours))
    left = {"sets": f"{cost.sets:,}", "games": len(plan.seatings())}
    sentence = tr("{pairs}; left are {sets} sets of {games} games.", pairs=joined(pairs), **left)
    console.print(sentence)
    if not cost.sets:
        return
    table = Table(tr("player"), tr("seconds a set against itself"), title_justify="left")
    short = short_names(seconds)
    for player, spent in seconds.items():
        table.add_row(short[player], f"{spent:.3f}")
    console.print(table)
    minutes = cost.seconds / _MINUTE
    sentence = tr(
        "That is about {work} core-minutes; with --jobs {jobs} on as many free cores {minutes} minutes.",
        work=f"{minutes:,.1f}",
        jobs=jobs,
        minutes=f"{minutes / jobs:,.1f}",
    )
    console.print(sentence)


def _elo(elo: Estimate) -> str:
    """Writes the Elo with its interval; where all or no sets were won it is a bound, the finite end."""
    if all(map(math.isfinite, elo)):
        return interval(elo, 0)
    if math.isinf(elo.low) and math.isinf(elo.high):
        return Message("unknown", "number")
    if math.isinf(elo.low):
        return Message("below {bound}", bound=f"{elo.high:.0f}")
    return Message("above {bound}", bound=f"{elo.low:.0f}")
