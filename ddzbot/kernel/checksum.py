"""
The checksum of a kernel file: its last 75 bytes, a mark and the SHA-256 of all bytes before.

A shared library with one wrong bit loads, and kills the process when that bit is reached. So a kernel is only loaded
if it is, byte for byte, what its build has made. Loaders of shared libraries ignore what follows the last section.
"""

from hashlib import sha256

_MARK = b"ddz-sha256:"
_SIZE = len(_MARK) + 64


def with_checksum(content: bytes) -> bytes:
    """Appends the checksum to a file's content."""
    return content + _MARK + sha256(content).hexdigest().encode("ascii")


def checksum_fault(content: bytes) -> str:
    """Returns what is wrong with a file's checksum in a few words, or an empty text if it is right."""
    body, checksum = content[:-_SIZE], content[-_SIZE:]
    if not checksum.startswith(_MARK):
        return "it has no checksum: it is cut short, or no kernel of this version"
    return "" if with_checksum(body) == content else "it is damaged: its content has another hash"
