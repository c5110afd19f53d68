"""The way to a browser."""

import webbrowser
from contextlib import suppress
from pathlib import Path

from .terminal import say


def show_page(page: Path | str) -> None:
    """Opens a file, or an address, in a browser; where none opens, it prints where the page is."""
    address = page if isinstance(page, str) else page.resolve().as_uri()
    with suppress(webbrowser.Error):
        if webbrowser.open(address):
            return
    say(f"No browser opens here; the page is at {address}")
