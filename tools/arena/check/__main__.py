"""
Check whether Botzone will accept a bot, in numbered steps. Run this before you upload.

    python -m tools check "python3 bot.py" --keep-running "python3 bot.py --keep-running"
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import click
from rich.text import Text

from ddzbot.players.registry import is_player

from ...judge.game_command import bot_words, make_limits
from ...judge.process_limits import Limits
from ...programs.sandbox import warn_of_open_programs
from ...shared.bounds import reason_of, unwritable
from ...shared.errors import InputError
from ...shared.interrupts import Command
from ...shared.json_text import json_text
from ...shared.language import padded, tr, translate
from ...shared.message import Message, joined, prose
from ...shared.options import FILE, sandbox_option, turn_options
from ...shared.paths import call_of
from ...shared.shell import joined_words
from ...shared.terminal import Console, say
from .again import meet
from .bench import Bench
from .requests import examples
from .run import Finding, Status, choose, run_steps
from .scenes import GAMES
from .steps import STEPS
from .turn import save as save_turn
from .watched import Terms

STATUSES: dict[Status, Message] = {
    "pass": Message("pass", "step"),
    "fail": Message("fail", "step"),
    "not run": Message("not run", "step"),
    "not asked for": Message("not asked for", "step"),
}
STYLES = {"pass": "green", "fail": "bold red", "not run": "yellow", "not asked for": "dim"}
NAME_WIDTH = max(len(step.name) for step in STEPS)
STATUS_WIDTH = max(map(len, STYLES))

EPILOG = """
\b
Exit status:
  0    every step passed
  1    a step failed
  2    bad usage, or a program that does not exist
"""


@click.command(epilog=EPILOG, context_settings={"show_default": True}, cls=Command, in_chinese=True)
@click.argument("bot", required=False)
@click.option("--keep-running", "kept", metavar="COMMAND", help="The bot's command line for keep-running.")
@click.option("--game", type=click.Choice([*GAMES, "both"]), default="both", help="The game to check.")
@click.option(
    "--only",
    "steps",
    default="",
    metavar="NAME",
    show_default=False,
    help="Run only these steps, by number or name: 3,lead.",
)
@click.option("--rounds", type=click.IntRange(1), default=3, help="Whole games to play of each kind.")
@turn_options
@click.option("--save-turn", "save", type=FILE, help="Save the turn of the first failure to FILE.")
@click.option("--turn", "again", type=FILE, help="Replay only the turn in FILE.")
@click.option("--requests", is_flag=True, help="Print one request of every kind. Needs no BOT.")
@sandbox_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object at the end.")
def main(
    bot: str | None,
    kept: str | None,
    game: str,
    steps: str,
    rounds: int,
    turn_time: float | None,
    memory: float,
    save: Path | None,
    again: Path | None,
    requests: bool,
    as_json: bool,
) -> None:
    """
    Check whether Botzone will accept BOT, in numbered steps.

        python -m tools check "python mybot/bot.py"
        python -m tools check mcm:setting=thesis --only 3,lead

    BOT is a command line, or a player of this project. A first word python is the interpreter of this command.
    Keep-running is checked with the command line of --keep-running, or with BOT itself if it prints the marker line.
    """
    games = GAMES if game == "both" else (game,)
    terms = Terms(make_limits(turn_time, memory))
    if requests:
        for example in examples(games):
            say(f"{example.game}, {example.name}")
            for request in example.lines:
                say(f"    {request.decode().rstrip()}")
        return
    if bot is None:
        raise click.MissingParameter(param_type="argument", param_hint="'BOT'")
    try:
        numbers = choose(steps)
        bench = Bench(bot_words(bot), bot_words(kept) if kept else None, games, terms, rounds)
    except ValueError as error:
        raise InputError(str(error)) from None
    warn_of_open_programs([bench.command, *([bot_words(kept)] if kept else [])])
    if again:
        sys.exit(_again(again, bench))
    say(_name_site(terms.limits), err=True)
    findings = _run(bench, numbers, show=not as_json)
    unseen = bench.unseen() if any(finding.name == "games" for finding in findings) else ""
    fallbacks = bench.fallbacks()
    if not as_json:
        if fallbacks:
            say(_fallbacks(fallbacks, len(bench.notes)))
        say(_verdict(findings, unseen))
    failed = next((finding for finding in findings if finding.turn), None)
    if failed and save:
        _save(save, bot, kept, failed, say_so=not as_json)
    complies = all(finding.complies for finding in findings)
    if as_json:
        steps_run = [each.as_json() for each in findings]
        report = {"bot": bot, "complies": complies, "steps": steps_run, "never_seen": unseen, "fallbacks": fallbacks}
        click.echo(json_text({**report, "imitates": {"site": "Botzone", **asdict(terms.limits)}}, ascii_only=True))
    sys.exit(0 if complies else 1)


def _name_site(limits: Limits) -> Message:
    """Names the site that the check imitates, and its settings."""
    return Message(
        "As Botzone: {first} s for the first turn, {later} s for others, {kept} s for those of a kept process, "
        "{mib} MiB; of your environment a program gets PATH, HOME, language and time zone alone.",
        first=f"{limits.first_turn:g}",
        later=f"{limits.later_turn:g}",
        kept=f"{limits.keep_running_turn:g}",
        mib=f"{limits.memory_mib:g}",
    )


def _run(bench: Bench, numbers: set[int], show: bool) -> list[Finding]:
    findings = []
    try:
        for finding in run_steps(bench, numbers):
            findings.append(finding)
            if show:
                _show(finding)
    except OSError as error:
        raise InputError(Message("the check cannot continue: {why}", why=prose(error))) from None
    return findings


def _verdict(findings: Sequence[Finding], unseen: str) -> Message:
    """Says what all came to, and what games would have shown had they come to it."""
    if failed := [finding.name for finding in findings if finding.status == "fail"]:
        return Message("failed: {steps}", steps=", ".join(failed))
    return Message("passed; never seen: {unseen}", unseen=unseen) if unseen else Message("passed", "check")


def _fallbacks(fallbacks: Mapping[str, int], turns: int) -> Message:
    """Says in how many turns the player of our own bot did not choose: for want of time, or of its network."""
    chose = joined(Message("{name} chose {count}", name=player, count=count) for player, count in fallbacks.items())
    sentence = "in {count} of {turns} turns the player did not choose itself: {chose}"
    return Message(sentence, count=sum(fallbacks.values()), turns=turns, chose=chose)


def _save(path: Path, bot: str, keep_command: str | None, failed: Finding, say_so: bool) -> None:
    assert failed.turn
    try:
        lines = save_turn(path, failed.turn, {"bot": bot, "step": failed.name, "sentence": failed.sentence})
    except OSError as error:
        raise InputError(unwritable(path, error)) from None
    if not say_so:
        return
    options = ["--keep-running", keep_command] if keep_command else []
    run = keep_command if keep_command and failed.turn.mode == "keep_running" else bot
    kept_in = "{file} keeps that turn, {lines} what the bot read; to meet it again, judged or alone:"
    say(tr(kept_in, file=path, lines=lines))
    say(f"    {call_of('check', bot, *options, '--turn', str(path))}")
    alone = joined_words(bot_words(run)) if is_player(run) or Path(run).is_dir() else run
    say(f"    {alone} < {joined_words([str(lines)])}")


def _again(path: Path, bench: Bench) -> int:
    try:
        met = meet(path, bench)
    except (ValueError, OSError) as error:
        why = prose(error) if isinstance(error, ValueError) else reason_of(error)
        raise InputError(Message("{file}: {problem}", file=path, problem=why)) from None
    for stream, content in (
        ("input", met.turn.input),
        ("output", met.turn.output),
        ("stderr", met.turn.stderr.encode()),
    ):
        for line in content.decode("utf-8", "replace").splitlines():
            say(f"{stream:<7} {line}")
    say(met.problem or tr("it answered legally"))
    return 1 if met.problem else 0


def _show(finding: Finding) -> None:
    summary = Text.assemble(
        f"{finding.number:2} {finding.name:<{NAME_WIDTH}}  ",
        (padded(translate(STATUSES[finding.status]), STATUS_WIDTH), STYLES[finding.status]),
        f"  {translate(finding.sentence)}",
    )
    Console().print(summary, soft_wrap=True)


if __name__ == "__main__":
    main()
