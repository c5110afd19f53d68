"""
Check this machine: kernel, networks, packages, and one decision of the default player.

    python -m tools doctor
"""

import sys

import click

from ddzbot.players.registry import DEFAULT_PLAYER

from ...shared.interrupts import Command
from ...shared.json_text import json_text
from ...shared.terminal import say
from .findings import Finding, examined, plays_in_full


@click.command(cls=Command)
@click.option("--json", "as_json", is_flag=True, help="Print everything as one JSON object.")
def main(as_json: bool) -> None:
    """
    Check this machine: kernel, networks, packages, and one decision of the default player.

    Each missing part is printed with what to do about it.

    Exit code 0 if the default player itself plays with kernel and network under every rule set, else 1.
    """
    findings = examined()
    in_full = plays_in_full(findings)
    if as_json:
        click.echo(json_text(as_object(findings, in_full)))
    else:
        for finding in findings:
            say(f"{finding.part:<9} {finding.text}")
            if finding.advice:
                say(f"{'':<9} -> {finding.advice}")
        say(f"{DEFAULT_PLAYER} plays with {'kernel and network' if in_full else 'less than it could'}.")
    sys.exit(0 if in_full else 1)


def as_object(findings: list[Finding], in_full: bool) -> dict[str, object]:
    """Gets the findings as one JSON object; there are several networks, and packages that are missing."""
    parts = {finding.part: finding.fact for finding in findings if finding.part not in ("network", "without")}
    networks = [finding.fact for finding in findings if finding.part == "network"]
    advice = {finding.part: finding.advice for finding in findings if finding.advice}
    return {"plays_in_full": in_full, **parts, "networks": networks, "advice": advice}


if __name__ == "__main__":
    main()
