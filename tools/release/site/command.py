"""
Makes the site of these pages and of the docstrings: ``python -m tools.make site``.

A warning of Sphinx is an error, and so is a link of a finished page that leads nowhere. Links to other sites are not
followed.
"""

import re
import shutil
import tempfile
from io import StringIO
from pathlib import Path

import click
from sphinx.application import Sphinx
from sphinx.errors import SphinxError
from sphinx.util.console import nocolor

from ...shared.interrupts import Command
from ...shared.options import FOLDER
from ...shared.place import ROOT
from ...shared.plain import plain_lines
from ...shared.terminal import say
from .links import check

CONFIGURATION = ROOT / "docs" / "site"

_MADE_BY_SPHINX = ".buildinfo"
"""What lies in every site."""

_WARNING = re.compile(r"\b(?:WARNING|ERROR|CRITICAL): ")


def build(folder: Path, source: Path = ROOT, configuration: Path = CONFIGURATION) -> str:
    """
    Makes the site in *folder* from nothing, and returns what Sphinx warns of, a line or more each.

    :raises SphinxError: if it cannot go on.
    """
    shutil.rmtree(folder, ignore_errors=True)
    said = StringIO()
    nocolor()
    with tempfile.TemporaryDirectory() as cache:
        Sphinx(source, configuration, folder, cache, "html", status=None, warning=said, freshenv=True).build()
    return said.getvalue()


@click.command(cls=Command)
@click.option(
    "-o", "--output", "folder", type=FOLDER, default=Path("build/site"), show_default=True, help="The folder to make."
)
def main(folder: Path) -> None:
    """Make the documentation as a site, and check its links."""
    if folder.exists() and any(folder.iterdir()) and not (folder / _MADE_BY_SPHINX).exists():
        raise click.UsageError(f"{folder} holds something else than a site; name another folder")
    try:
        said = build(folder)
    except SphinxError as error:
        raise click.ClickException(f"the site cannot be made: {error}") from None
    found = check(folder)
    for fault in (said.rstrip(), *found.faults):
        if fault:
            click.echo(plain_lines(str(fault)), err=True)
    warnings = len(_WARNING.findall(said))
    say(f"{found.pages} pages, {found.links} links checked, {len(found.faults)} broken, {warnings} warnings")
    if said.strip() or found.faults:
        raise click.exceptions.Exit(1)
    say(f"Open {folder / 'index.html'}")
