"""What a person reads of a match: the running line, the result, and the cross table."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from rich.table import Table

from ..shared.terminal import Console
from .auctions import auctions_of, lines_of_auctions
from .faults import fault_line
from .provenance import lines_of
from .results_file import Part
from .sprt import Sprt
from .stats import SetStats

Summary = dict[str, Any]


def running_line(stats: Sequence[SetStats], sprt: Sprt | None) -> str:
    """Says how each pairing stands, for a progress bar."""
    if len(stats) > 1:
        return "WP " + " ".join(f"{100 * one.wp().value:.0f}" for one in stats)
    wp = stats[0].wp()
    text = f"WP {100 * wp.value:.1f} ({100 * wp.low:.1f} to {100 * wp.high:.1f})"
    return f"{text}  LLR {sprt.llr:+.2f}" if sprt else text


def print_results(results: dict[str, Any], console: Console) -> None:
    """Prints one table for each pairing, and ratings and a cross table if there are several."""
    several = len(results["pairings"]) > 1
    for number, pairing in enumerate(results["pairings"]):
        _print_pairing(results, pairing, number if several else None, console)
    if not results["finished"]:
        played = sum(len(pairing["rows"]) for pairing in results["pairings"])
        console.print(f"unfinished: {played} of {results['sets'] * len(results['pairings'])} sets")
    if len(results["pairings"]) > 1:
        console.print(_ranking(results["ratings"]))
        console.print(_cross_table(results))


def print_parts(parts: Sequence[Part], console: Console) -> None:
    """Prints who played, once for each program and machine in turn."""
    alike = [list(group) for _, group in groupby(parts, key=lambda part: part.provenance)]
    for group in alike:
        sets = sum(part.played for part in group)
        who = group[0].provenance
        said = lines_of(who) if who else ["the file does not say which program played"]
        for line in (f"{sets} sets: {said[0]}", *(f"  {more}" for more in said[1:])):
            console.print(line, highlight=False, soft_wrap=True)


def _print_pairing(results: dict[str, Any], pairing: dict[str, Any], number: int | None, console: Console) -> None:
    summary = pairing["summary"]
    title = f"{pairing['a']} against {pairing['b']}"
    table = Table("", "WP %", "ADP", title=title, title_justify="left", title_style="bold")
    for name, part in (("both sides", summary), ("landlord", summary["landlord"]), ("peasants", summary["peasants"])):
        table.add_row(name, _interval(part, "wp", 1), _interval(part, "adp", 3))
    console.print(table)
    lost, tied, won = summary["sets_lost_tied_won"]
    console.print(
        f"sets {summary['sets']} (lost {lost}, tied {tied}, won {won})  Elo {_elo(summary)}  LOS {summary['los']:.3f}"
    )
    limit = results["limit"] or "none"
    deals = f"{results['namespace']}/{results['seed']}"
    if "deals" in results:
        deals = f"{results['deals']['file']} {results['deals']['sha256']}, seeds {deals}"
    console.print(
        f"rules {results['rules']}  deals {deals}  limit {limit}"
        f"  landlord rate {_number(summary['landlord_rate'], 1)} %"
    )
    if pairing["sprt"]:
        _print_sprt(results["sprt"], pairing["sprt"], console)
    names = {letter: pairing[letter.lower()] for letter in "AB"}
    for line in lines_of_auctions(auctions_of(pairing["rows"]), names):
        console.print(line, highlight=False, soft_wrap=True)
    for letter in "AB":
        _print_contestant(letter, pairing, console)
        fault = fault_line(pairing["rows"], letter, number)
        if fault:
            console.print(f"  {fault}", style="red", highlight=False, soft_wrap=True)


def _print_sprt(test: Sequence[float], sprt: dict[str, Any], console: Console) -> None:
    low, high = sprt["bounds"]
    console.print(
        f"SPRT [{test[0]:g}, {test[1]:g}]: LLR {sprt['llr']:.2f} ({low:.2f}, {high:.2f}), {sprt['verdict']}"
        f" after {sprt['sets']} sets; the numbers of a stopped test are biased"
    )


def _print_contestant(letter: str, pairing: dict[str, Any], console: Console) -> None:
    counts, times = pairing["summary"]["counts"][letter], pairing["times"].get(letter)
    searched = counts["searched"] / (pairing["summary"]["sets"] or 1)
    line = f"{pairing[letter.lower()]}: {searched:.1f} decisions a set"
    if times:
        line += f", ms p50 {times['p50']:.1f} p95 {times['p95']:.1f} max {times['max']:.1f}"
    stand_ins = pairing["summary"].get("stand_ins", {}).get(letter, {})
    chose = ", ".join(f"{name} chose {count}" for name, count in stand_ins.items())
    line += f", fallbacks {counts['fallbacks']}" + (f" ({chose})" if chose else "")
    line += "".join(f", {name} {counts[name]}" for name in ("timeouts", "illegal", "failures"))
    console.print(line, highlight=False)


def _ranking(ratings: Sequence[dict[str, Any]]) -> Table:
    title = "Elo by all pairings together (mean 0), LOS over the next"
    table = Table(title=title, title_justify="left")
    for heading in ("", "contestant", "Elo", "WP %", "sets", "LOS"):
        table.add_column(heading, justify="left" if heading in ("contestant", "Elo") else "right")
    for rank, one in enumerate(ratings, 1):
        elo = _interval(one, "elo", 0) if one["elo"] is not None else "unknown"
        table.add_row(str(rank), one["name"], elo, _number(one["wp"], 1), str(one["sets"]), _number(one["los"], 3))
    return table


def _cross_table(results: dict[str, Any]) -> Table:
    names = [one["name"] for one in results["ratings"]]
    table = Table("WP % of row against column", *names, title="Cross table", title_justify="left")
    found = {(pairing["a"], pairing["b"]): pairing["summary"]["wp"] for pairing in results["pairings"]}
    for row in names:
        cells = []
        for column in names:
            wp = found.get((row, column))
            mirrored = found.get((column, row))
            value = wp if wp is not None else 100 - mirrored if mirrored is not None else None
            cells.append(_number(value, 1))
        table.add_row(row, *cells)
    return table


def _elo(summary: Summary) -> str:
    """Says the Elo with its interval; where all or no sets were won it is a bound, the end of the interval there is."""
    low, high = summary["elo95"]
    if summary["elo"] is not None and None not in (low, high):
        return _interval(summary, "elo", 0)
    if low is None and high is None:
        return "unknown"
    return f"below {_number(high, 0)}" if low is None else f"above {_number(low, 0)}"


def _interval(part: Summary, name: str, digits: int) -> str:
    low, high = part[name + "95"]
    return f"{_number(part[name], digits)} ({_number(low, digits)} to {_number(high, digits)})"


def _number(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"
