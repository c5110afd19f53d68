"""
The account on the platform: site, user ID and secret, and how the secret gets in without ever getting out.

It comes from the environment or from a file that only its owner can read. What either holds may be the secret alone, or
the whole address that the platform shows, which names site and user too.
"""

import os
import re
import stat
from collections.abc import MutableMapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import SplitResult, quote, urlsplit

from ...shared.bounds import UnreadableError, utf8_text

VARIABLE = "DDZBOT_BOTZONE_SECRET"
"""The variable of the environment that may hold the secret."""
DEFAULT_SITE = "https://www.botzone.org.cn"
HIDDEN = "[secret]"
"""What stands in every text in the place of the secret."""

SHORTEST, LONGEST = 4, 200
"""Characters of a secret. A shorter one could not be taken out of a text without harm to the rest."""

_ID = re.compile(r"[0-9A-Za-z_-]{1,64}")
_ADDRESS = re.compile(r"/api/([^/]+)/([^/]+)(?:/(?:localai|runmatch))?/?")
_AT_HOME = {"localhost", "127.0.0.1", "::1"}


class AccountError(ValueError):
    """Raised for an account that cannot be one; the message is one sentence without the secret."""


class Secret:
    """A text that is not printed; a caller has to ask for it by name."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        """
        Takes the text.

        :raises AccountError: if it cannot be a secret; the message does not quote it.
        """
        if not SHORTEST <= len(text) <= LONGEST or not text.isascii() or not text.isprintable() or " " in text:
            raise AccountError(f"the secret must be {SHORTEST} to {LONGEST} plain characters without a blank")
        self._text = text

    def __repr__(self) -> str:
        return HIDDEN

    def __reduce__(self) -> str:
        raise TypeError("a secret is not written anywhere")

    def revealed(self) -> str:
        """Gets the text."""
        return self._text

    def out_of(self, text: str) -> str:
        """Takes the secret out of a text, as it is and as an address has it, in capitals or not."""
        forms = sorted({self._text, quote(self._text, safe=""), quote(self._text)})
        return re.sub("|".join(map(re.escape, forms)), HIDDEN, text, flags=re.IGNORECASE)


class Account(NamedTuple):
    """A user of a site."""

    site: str
    """Such as ``https://www.botzone.org.cn``, without a slash at its end."""
    user: str
    secret: Secret

    @property
    def host(self) -> str:
        """The name of the site for people."""
        return urlsplit(self.site).netloc

    def address(self, what: str) -> str:
        """Gets the address of ``localai`` or ``runmatch``, for the HTTP client alone: the secret is inside."""
        return f"{self.site}/api/{self.user}/{quote(self.secret.revealed(), safe='')}/{what}"


def read_secret(file: Path | None, environment: MutableMapping[str, str]) -> str:
    """
    Reads what *file* holds, or else the variable :data:`VARIABLE`, which is removed: no program that is started later
    inherits it.

    :raises AccountError: if there is neither, or others may read the file.
    """
    secret = environment.pop(VARIABLE, "").strip()
    if file is not None:
        return _in_file(file)
    if not secret:
        raise AccountError(f"there is no secret: set {VARIABLE}, or name a file with --secret-file")
    return secret


def _in_file(path: Path) -> str:
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            if not stat.S_ISREG(mode):
                raise AccountError(f"--secret-file {path}: it is not a plain file")
            if mode & 0o077:
                raise AccountError(
                    f"--secret-file {path}: others may read it (mode {stat.S_IMODE(mode):04o}); chmod 600 it"
                )
            content = file.read(4096)
    except OSError as error:
        raise AccountError(f"--secret-file {path}: it cannot be read: {error.strerror}") from None
    try:
        secret = utf8_text(content).strip()
    except UnreadableError as error:
        raise AccountError(f"--secret-file {path}: {error}") from None
    if not secret.isascii():
        raise AccountError(f"--secret-file {path}: it is not plain text")
    if not secret or len(secret.split()) != 1:
        raise AccountError(f"--secret-file {path}: it must hold one line, the secret or the address with it")
    return secret


def account_of(found: str, user: str, site: str) -> Account:
    """
    Makes the account of a secret, or of the whole address as the platform shows it. *user* and *site* may be empty.

    For example, ``https://www.botzone.org.cn/api/USER/SECRET/localai`` has all three.

    :raises AccountError: if something is missing, or contradicts the address.
    """
    secret = found
    if "://" in found:
        parts = _parts(found)
        address = parts and _ADDRESS.fullmatch(parts.path)
        if not parts or not address:
            raise AccountError("the address beside the secret is not SITE/api/USER/SECRET/localai")
        secret = address[2]
        if user and user != address[1]:
            raise AccountError(f"--user {user} is not the user of the address that holds the secret")
        user = address[1]
        site = site or f"{parts.scheme}://{parts.netloc}"
    if not user:
        raise AccountError("there is no user: name one with --user, or keep the whole address where the secret is")
    if not _ID.fullmatch(user):
        raise AccountError(f"--user {user!r:.80} is not a user ID")
    return Account(_checked_site(site or DEFAULT_SITE), user, Secret(secret))


def _parts(address: str) -> SplitResult | None:
    """Takes an address apart; None if it is none."""
    try:
        parts = urlsplit(address)
        return parts if parts.port != 0 else None
    except ValueError:  # of the port too
        return None


def _checked_site(site: str) -> str:
    parts = _parts(site if "://" in site else f"https://{site}")
    if not parts or parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise AccountError(f"--site {site!r:.80} is not an address such as {DEFAULT_SITE}")
    if parts.username is not None or parts.path.strip("/"):
        raise AccountError(f"--site {parts.hostname}: it must be the site alone, without a user or a path")
    if parts.scheme == "http" and parts.hostname not in _AT_HOME:
        raise AccountError(f"--site {site}: over http every machine on the way could read the secret; use https")
    return f"{parts.scheme}://{parts.netloc}"
