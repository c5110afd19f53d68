"""The tables of a match of all against all as Markdown: the ranking, and how every pair stands."""

from ...shared.limits import limit_text
from ..files.results_file import Found
from ..matches.plan import Plan
from ..matches.runner import Progress
from .columns import EQUAL_RANKS, RANKING, Ranked, columns_of, letter_of
from .printers import markdown, markdown_of
from .standings import Meeting, Standings
from .text import troubles

_RANKING = columns_of(RANKING, "rank", "name", "elo", "wp", "adp", "ms", "sets")


def tables(progress: Progress, found: Found, standings: Standings) -> list[str]:
    """Makes the paragraphs of a page: the ranking, what it rests on, the WP of every pair, and what played."""
    troubled = filter(None, map(troubles, standings.players))
    return [
        markdown_of(_RANKING, map(Ranked, standings.players)),
        _rests_on(progress, found),
        *troubled,
        _reach(standings),
        _cross(standings, progress.plan),
        _networks_and_files(found, standings),
    ]


def _rests_on(progress: Progress, found: Found) -> str:
    plan = progress.plan
    basis = f"{len(plan.tables)} pairs on the same deals, `{plan.namespace}/{plan.seed}`: {plan.sets:,} sets each"
    if plan.neighbours > plan.sets:
        basis += f", and {plan.neighbours:,} for neighbours in Elo (bold)"
    left = sum(1 for _ in progress.left())
    unfinished = f" {left:,} sets are still to be played." if left else ""
    limit = f" Limit of a decision: {limit_text(plan.limit)}." if limit_text(plan.limit) else ""
    return (
        f"{basis}. Elo is by all of them, its mean 0; WP and ADP are by the first {plan.sets:,} of every pair, so "
        f"that each opponent counts alike; {EQUAL_RANKS}.{limit}{unfinished} Times: {_machines(found)}."
    )


def _machines(found: Found) -> str:
    """Names the processors, and how many games they played at a time."""
    origins = [part.provenance for part, played in zip(found.parts, found.played, strict=True) if played]
    machines = (
        f"{origin.cpu}, {origin.jobs} {'game' if origin.jobs == 1 else 'games'} at a time"
        for origin in origins
        if origin
    )
    return "; ".join(dict.fromkeys(machines))


def _cross(standings: Standings, plan: Plan) -> str:
    """Makes a table of the WP of all pairs, the best first; pairs with more sets than others are bold."""
    names = [player.name for player in standings.players]
    rows = [["", "", *map(letter_of, range(len(names)))]]
    for index, name in enumerate(names):
        row = [letter_of(index), f"`{name}`"]
        for opponent in names:
            meeting = standings.meetings.get((name, opponent))
            if meeting is None or not meeting.sets:
                row.append("" if meeting else "-")
            else:
                row.append(_cell(meeting, bold=meeting.sets > plan.sets))
        rows.append(row)
    return markdown(rows, "rl" + "c" * len(names))


def _cell(meeting: Meeting, bold: bool) -> str:
    mark = "**" * bold
    return f"{mark}{100 * meeting.wp.value:.1f}{mark}"


def _reach(standings: Standings) -> str:
    """Describes the table of pairs, and how far its numbers may be off."""
    ends = [end - meeting.wp.value for meeting in standings.meetings.values() if meeting.sets for end in meeting.wp[1:]]
    return (
        "WP of the row against the column, in percent; a 95 % interval reaches at most "
        f"{100 * max(map(abs, ends), default=0):.1f} to either side:"
    )


def _networks_and_files(found: Found, standings: Standings) -> str:
    """Names the networks and files that played, with the hashes that their names lack."""
    players: dict[str, list[str]] = {}
    for player in standings.players:
        files = found.last[player.name].players[player.name].files if player.name in found.last else {}
        hashes = ", ".join(file if digits in file else f"{file} {digits}" for file, digits in files.items())
        players.setdefault(hashes, []).append(f"`{player.name}`")
    used = [f"{files} ({', '.join(names)})" for files, names in players.items() if files]
    return f"Networks and files, by name or hash: {'; '.join(used)}." if used else ""
