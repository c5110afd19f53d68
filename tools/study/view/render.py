"""
Puts a page together: one HTML file with its styles, scripts and data inside, which asks the network for nothing.

The page's content security policy names its one style and one script by their hashes. A browser then runs nothing
else, even if a text of the page were to be taken for markup.
"""

import base64
import hashlib
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ...shared.bounds import unwritable
from ...shared.errors import InputError
from ...shared.json_text import json_text
from ...shared.paths import call_of
from ...shared.storage.whole_file import check_target, put
from ...shared.words import words_script

FOLDER = Path(__file__).parent

SHARED_STYLES = ("cards.css",)

REPLAY_STYLES = ("replay.css",)
REPLAY_SCRIPTS = (
    "replay_game.js",
    "replay_chart.js",
    "replay_review.js",
    "replay_thought.js",
    "replay_learn.js",
    "replay.js",
)

MATCH_STYLES = ("match.css",)
MATCH_SCRIPTS = ("match.js",)

_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}
"""What HTML could take for markup stands in JSON texts only, and there an escape means the same."""
_ESCAPE = re.compile(r"\\(?:u[0-9a-f]{4}|.)")
"""In JSON: of control characters, and of the few that have a meaning there."""


def check_page(target: Path) -> None:
    """
    Refuses, before long work and not after it, a page that cannot be written; makes its folder.

    :raises InputError: if it cannot.
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        check_target(target)
    except OSError as error:
        raise InputError(unwritable(target, error)) from None


def write_replay(target: Path, games: Sequence[dict[str, Any]], record: str = "RECORD") -> None:
    """
    Writes the page of :func:`replay_page`.

    :raises InputError: if the file cannot be written.
    """
    put_page(target, replay_page(games, record))


def put_page(target: Path, text: str) -> None:
    """
    Writes a page, whole or not at all; its byte order mark wins against any charset that a host names.

    :raises InputError: if the file cannot be written.
    """
    try:
        put(target, text.encode("utf-8-sig"))
    except OSError as error:
        raise InputError(unwritable(target, error)) from None


def replay_page(games: Sequence[dict[str, Any]], record: str = "RECORD", board: str = "") -> str:
    """
    Makes the page of recorded games, each as :func:`tools.study.view.game_data.game_data` makes it.

    *record* is their file, which the page names in the commands that find chances and mistakes. *board* is the address
    of a start page, to which each move has a link; there is no file then.
    """
    commands = [call_of("view", record, "--limit", "2000p"), call_of("review", record, "--page", "review.html")]
    commands = [] if board else commands
    data = {"games": games, "commands": commands, "board": board}
    return page("replay.html", REPLAY_STYLES, REPLAY_SCRIPTS, ["replay"], data)


def page(
    template: str,
    styles: Sequence[str],
    scripts: Sequence[str],
    sections: Sequence[str],
    data: Any,
    connect: str = "'none'",
) -> str:
    """
    Makes the page of *template*, a file of this folder, with these files after the shared ones, and *data* for them.

    *sections* are those of its words besides the shared ones (:mod:`tools.shared.words`). *connect* is where the page
    may send requests, as a source of a content security policy; by default nowhere.

    :raises ValueError: for data that is not JSON.
    """
    environment = Environment(loader=FileSystemLoader(FOLDER), autoescape=True, undefined=StrictUndefined)
    style = _join(map(_text, (*SHARED_STYLES, *styles)))
    spoken = words_script("pages", *sections)
    script = _join((_text("words.js"), spoken, *map(_text, ("cards.js", *scripts))))
    policy = {
        "default-src": "'none'",
        "style-src": _hash_source(style),
        "script-src": _hash_source(script),
        "img-src": "data:",
        "connect-src": connect,
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return environment.get_template(template).render(
        policy="; ".join(f"{directive} {source}" for directive, source in policy.items()),
        style=style,
        script=script,
        data=embed(data),
    )


def embed(data: Any) -> str:
    """
    Writes *data* as JSON that can stand in a script element, whatever texts are in it.

    Control characters, also those that turn the direction of a text around, become escapes that a reader sees: a page
    shows names of strangers, in its title too.

    :raises ValueError: for NaN and infinities.
    """
    content = _ESCAPE.sub(_escape_letters, json_text(data))
    for letter, escape in _ESCAPES.items():
        content = content.replace(letter, escape)
    return content


def _escape_letters(escape: "re.Match[str]") -> str:
    """Has the reader of JSON find an escape's letters in place of a character that one cannot see."""
    return "\\" + escape[0] if escape[0][1] in "ubfr" else escape[0]


def _text(file: str) -> str:
    return (FOLDER / file).read_text(encoding="utf-8")


def _join(texts: Iterable[str]) -> str:
    # With the line ends of the template engine, because the hash counts every byte between the tags.
    return "\n" + "\n".join(texts)


def _hash_source(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
