"""The same players at several limits: a table with a row a limit, and a picture with a panel an opponent."""

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from string import ascii_uppercase

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ddzbot.search.limit import parse_limit

from ...arena.reports.columns import interval
from ...arena.stats.estimates import Estimate
from .plan import Experiment
from .results import PlayedExperiment

_Entry = tuple[Experiment, PlayedExperiment | None]


def series(entries: Sequence[_Entry]) -> list[list[_Entry]]:
    """Gets those that only the limit tells apart, fewest playouts first; some may lack the last players."""
    by_player: dict[tuple[str, ...], list[_Entry]] = {}
    for entry in sorted(entries, key=lambda entry: _playouts(entry[0])):
        by_player.setdefault((entry[0].rules, *entry[0].contestants[:2]), []).append(entry)
    return [group for group in by_player.values() if sum(entry[0].kind == "tournament" for entry in group) > 1]


def limit_rows(entries: Sequence[_Entry], not_played: str) -> list[list[str]]:
    """Makes the rows of a table, the head first: the WP of the first of each pair at each limit."""
    pairs = list(combinations(_players(entries), 2))
    letters = dict(zip(_players(entries), ascii_uppercase, strict=False))
    rows = [["playouts", "sets", *(f"{letters[a]} against {letters[b]}" for a, b in pairs)]]
    for experiment, played in entries:
        met = _met(played)
        sets = f"{min(sets for sets, _ in met.values()):,}" if met else not_played
        if played and not played.results.finished:
            sets += f" of {experiment.sets:,}"
        cells = [interval(met[pair][1], 1, 100) if pair in met else "" for pair in pairs]
        rows.append([f"{_playouts(experiment):,}", sets, *cells])
    return rows


def who_is_who(entries: Sequence[_Entry]) -> str:
    """Says which player each letter of the table is."""
    named = zip(ascii_uppercase, _players(entries), strict=False)
    return ", ".join(f"{letter} is `{player}`" for letter, player in named) + "."


def draw_limits(found: Sequence[Sequence[_Entry]], picture: Path) -> None:
    """Draws WP over playouts, a panel for each opponent and a line for each that met it; later series are dashed."""
    places = range(1, max(len(_players(entries)) for entries in found))
    figure = Figure(figsize=(4.2 * len(places), 4.6), layout="constrained")
    for panel, column in zip(figure.subplots(1, len(places), sharey=True, squeeze=False)[0], places, strict=True):
        for index, entries in enumerate(found):
            _draw_lines(panel, entries, column, ("o-", "s--", "^:")[index % 3])
        panel.axhline(50, color="grey", linewidth=0.8)
        panel.set_xscale("log")
        ticks = sorted({_playouts(entry) for entries in found for entry, played in entries if played})
        panel.set_xticks(ticks, [f"{playouts:,}" for playouts in ticks], rotation=45, fontsize=7)
        panel.minorticks_off()
        opponents = dict.fromkeys(_players(entries)[column] for entries in found if column < len(_players(entries)))
        panel.set_title("against " + "\nor ".join(opponents), fontsize=9)
        panel.set_xlabel("playouts a decision", fontsize=8)
        panel.grid(alpha=0.3)
        panel.legend(fontsize=7)
    figure.axes[0].set_ylabel("games won, % (95 % interval over sets)", fontsize=8)
    # No date and no version inside: the same results make the same file.
    figure.savefig(picture, dpi=100, metadata={"Software": None})


def _draw_lines(panel: Axes, entries: Sequence[_Entry], place: int, style: str) -> None:
    players = _players(entries)
    for index, player in enumerate(players[:place]):
        met = [(_playouts(entry), _met(played).get((player, players[place]))) for entry, played in entries]
        points = [(playouts_at, *(100 * share for share in meeting[1])) for playouts_at, meeting in met if meeting]
        if points and player not in panel.get_legend_handles_labels()[1]:
            playouts, wp, low, high = zip(*points, strict=True)
            ends = [[a - b for a, b in zip(wp, low, strict=True)], [b - a for a, b in zip(wp, high, strict=True)]]
            panel.errorbar(playouts, wp, ends, fmt=style, label=player, ms=4, capsize=2, lw=1, color=f"C{index}")


def _players(entries: Sequence[_Entry]) -> tuple[str, ...]:
    return max((experiment.contestants for experiment, _ in entries), key=len)


def _playouts(experiment: Experiment) -> int:
    return parse_limit(experiment.limit).playouts or 0


def _met(played: PlayedExperiment | None) -> dict[tuple[str, str], tuple[int, Estimate]]:
    """Gets how many sets every pair has played, and the WP of its first, by pair; both ways round of a tournament."""
    if played is None:
        return {}
    if played.results.standings:
        meetings = played.results.standings.meetings
        return {pair: (meeting.sets, meeting.wp) for pair, meeting in meetings.items() if meeting.sets}
    return {
        (pairing.a, pairing.b): (pairing.summary.sets, pairing.summary.wp)
        for pairing in played.results.pairings
        if pairing.rows
    }
