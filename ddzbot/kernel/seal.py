"""
The seal of a kernel file: its last 75 bytes, a mark and the SHA-256 of all before.

A shared library with one wrong bit loads, and kills the process when that bit is reached. So a kernel is only loaded
if it is, byte for byte, what its build has made. Loaders of shared libraries ignore what follows the last section.
"""

from hashlib import sha256

_MARK = b"ddz-sha256:"
_SIZE = len(_MARK) + 64


def sealed(content: bytes) -> bytes:
    """Gets a file's content with its seal behind it."""
    return content + _MARK + sha256(content).hexdigest().encode("ascii")


def broken_seal(content: bytes) -> str:
    """Says in a few words what is wrong with the seal of a file's content; empty if nothing is."""
    body, seal = content[:-_SIZE], content[-_SIZE:]
    if not seal.startswith(_MARK):
        return "it has no seal: it is cut short, or no kernel of this version"
    return "" if sealed(body) == content else "it is damaged: its content has another hash"
