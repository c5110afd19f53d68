"""
Reads ``.ddzw``, the file of one network; tools/release/weights_file.py writes it.

All numbers are little-endian. In order:

* 8 bytes ``\\x89DDZW\\r\\n\\n``, which a transfer as text would spoil;
* four numbers of 32 bits: format version, bytes of the header, bytes of the payload as stored, and its compression
  (0 none, 1 zlib);
* the header, JSON in UTF-8: ``features``, ``rules``, ``architecture``, ``description``, ``size`` (bytes of the payload
  once it is unpacked) and ``tensors``, a list of objects with ``name``, ``dtype``, ``shape``, ``offset`` and ``scale``;
* the payload: the tensors in row-major order, each from its offset, a multiple of 8. ``scale`` is null or the offset
  of one float32 for each row, that is, each index of the first dimension;
* the SHA-256 of all that stands before it. The file is named ``PREFIX-HASH.ddzw`` by its first 12 hex digits.

A reader refuses whatever it does not know, and a field more or less too.
"""

import hashlib
import json
import os
import re
import struct
import sys
import zlib
from array import array
from typing import Any, Collection, Dict, List, Mapping, NamedTuple, Optional, Tuple

from ddzbot.files import read_bytes
from ddzbot.rules import RULE_SETS

MAGIC = b"\x89DDZW\r\n\n"
FORMAT = 1
PREFIX = struct.Struct("<8sIIII")
"""The part before the header: magic, format version, bytes of header and stored payload, compression."""
NO_COMPRESSION, ZLIB = range(2)
HASH_BYTES = 32
NAME_DIGITS = 12
SUFFIX = ".ddzw"
ALIGNMENT = 8
MOST_BYTES = 16 << 20
"""The largest payload that is unpacked: many times what a judge's upload has room for."""
MOST_HEADER_BYTES = 1 << 18
"""The largest header: a network of this project has a hundredth of that."""
MOST_FILE_BYTES = PREFIX.size + MOST_HEADER_BYTES + MOST_BYTES + HASH_BYTES
"""No more of a file is read."""
LONGEST_NAME = 100
"""Characters of the name of a tensor."""
MOST_AXES = 8
"""The most dimensions of a tensor."""

ITEM_BYTES = {"float32": 4, "float16": 2, "int8": 1, "int16": 2, "int32": 4}
"""The dtypes, and how many bytes a number has."""
_ARRAY_CODES = {"float32": "f", "int8": "b", "int16": "h", "int32": "i"}

HEADER_FIELDS = ("features", "rules", "architecture", "description", "size", "tensors")
TENSOR_FIELDS = ("name", "dtype", "shape", "offset", "scale")
DESCRIPTION_FIELDS = ("data", "command", "results")
"""The keys of a description: the training data, the command, and the results."""

Shape = Tuple[int, ...]


class WeightsError(ValueError):
    """Raised for a file that is not a network of a version known here; the message is one sentence that names it."""


class Tensor(NamedTuple):
    """Numbers as the file has them."""

    dtype: str
    """A key of :data:`ITEM_BYTES`."""
    shape: Shape
    scale: "Optional[array[float]]"
    """The factor of the integers of each row, float32; None for floats and for plain integers."""
    data: memoryview
    """The bytes, little-endian and row-major."""

    def floats(self) -> "array[float]":
        """
        Gets the values in row-major order as float32, an ``array('f')``; ``numpy.frombuffer`` takes it without a copy.

        :raises WeightsError: for integers without a scale.
        """
        if self.dtype == "float16":
            return array("f", struct.unpack(f"<{len(self.data) // 2}e", self.data))
        numbers = _numbers(self.dtype, self.data)
        if self.dtype == "float32":
            return numbers
        if self.scale is None:
            raise WeightsError(f"a tensor of {self.dtype} without a scale has no floats")
        width = len(numbers) // self.shape[0]
        rows = (numbers[row * width : (row + 1) * width] for row in range(self.shape[0]))
        return array("f", [weight * factor for row, factor in zip(rows, self.scale) for weight in row])

    def integers(self) -> "array[int]":
        """
        Gets the integers in row-major order, as an ``array`` of their own width and not multiplied with any scale.

        :raises WeightsError: for floats.
        """
        if self.dtype.startswith("float"):
            raise WeightsError(f"a tensor of {self.dtype} has no integers")
        return _numbers(self.dtype, self.data)


class Packed(NamedTuple):
    """A network as its file has it."""

    features: str
    """The frozen version of what it is shown, for example ``mcm-1``."""
    rules: str
    """The name of the rule set that it was trained on."""
    architecture: str
    """The name of the network's structure, for example ``mcm-cnn-1``."""
    tensors: Dict[str, Tensor]
    description: Dict[str, Any]
    """Its origin: ``data``, ``command`` and ``results``."""
    sha256: str = ""
    """The hash at the end of the file, 64 hex digits; empty for a network that was never written."""
    path: str = ""
    """The path of its file; empty if it was not read from one."""

    called: str = ""
    """Its name in messages: its path, or shorter where the user did not give that path and it would hide the
    reason."""

    def expect(self, architecture: str, shapes: Mapping[str, Shape]) -> None:
        """
        Makes sure that this is that architecture, and that it has exactly the tensors of *shapes*.

        :raises WeightsError: naming what is missing, too many or of another shape.
        """
        if self.architecture != architecture:
            raise WeightsError(f"{self.called}: the architecture is {self.architecture}, not {architecture}")
        for tensor in [*shapes, *self.tensors]:
            if tensor not in self.tensors:
                raise WeightsError(f"{self.called}: tensor {tensor} is missing")
            if tensor not in shapes:
                raise WeightsError(f"{self.called}: {architecture} has no tensor {tensor}")
            if self.tensors[tensor].shape != shapes[tensor]:
                raise WeightsError(
                    f"{self.called}: tensor {tensor} has shape {self.tensors[tensor].shape}, not {shapes[tensor]}"
                )


def read(path: str, known: Optional[Collection[str]] = None, called: str = "") -> Packed:
    """
    Reads a network; *known* are the feature versions that the caller can compute, None for any.

    For example ``read("weights/mcm-0123456789ab.ddzw", known=["mcm-1"])``. Messages name the file as *called*, or else
    by its path.

    :raises WeightsError: for a file that is not there, cut, damaged or misnamed, or has anything unknown in it.
    """
    called = called or path
    try:
        content = read_bytes(path, MOST_FILE_BYTES)
    except (OSError, ValueError) as error:  # a path with a zero byte is a ValueError
        raise WeightsError(f"{called}: the file cannot be read: {getattr(error, 'strerror', error)}") from None
    try:
        packed = parse(content)
    except WeightsError as error:
        raise WeightsError(f"{called}: {error}") from None
    if hash_in_name(path) != packed.sha256[:NAME_DIGITS]:
        raise WeightsError(
            f"{called}: the name must end in -{packed.sha256[:NAME_DIGITS]}{SUFFIX}, the file's own hash"
        )
    if known is not None and packed.features not in known:
        raise WeightsError(f"{called}: features {packed.features} are unknown; known are {', '.join(sorted(known))}")
    return packed._replace(path=path, called=called)


def hash_in_name(path: str) -> Optional[str]:
    """Gets the 12 hex digits that end the name of a weights file, or None where there are none."""
    match = re.match(rf".+-([0-9a-f]{{{NAME_DIGITS}}}){re.escape(SUFFIX)}\Z", os.path.basename(path))
    return match.group(1) if match else None


def parse(content: bytes) -> Packed:
    """
    Understands the bytes of a file.

    :raises WeightsError: with a sentence that does not name the file yet.
    """
    header, stored, compression, digest = _parts(content)
    size = header["size"]
    if not _is_number(size):
        raise WeightsError(f"the payload cannot have a size of {size!r:.40}")
    payload = _unpacked(stored, compression, size)
    for field in ("features", "rules", "architecture"):
        if not isinstance(header[field], str):
            raise WeightsError(f"{field} must be text, and is {header[field]!r:.60}")
    if header["rules"] not in RULE_SETS:
        raise WeightsError(f"rule set {header['rules']:.60} is unknown")
    _check_fields("the description", header["description"], DESCRIPTION_FIELDS)
    return Packed(
        features=header["features"],
        rules=header["rules"],
        architecture=header["architecture"],
        tensors=_tensors(header["tensors"], payload),
        description=header["description"],
        sha256=digest,
    )


def _parts(content: bytes) -> Tuple[Dict[str, Any], memoryview, int, str]:
    """Takes a file apart into header, stored payload, compression and hash, and checks lengths and hash."""
    if not content.startswith(MAGIC):
        raise WeightsError("this is not a weights file")
    if len(content) < PREFIX.size:
        raise WeightsError("the file is cut short")
    _, version, header_bytes, stored_bytes, compression = PREFIX.unpack_from(content)
    if version != FORMAT:
        raise WeightsError(f"format version {version} is unknown; this program reads version {FORMAT}")
    if header_bytes > MOST_HEADER_BYTES:
        raise WeightsError(f"the header has {header_bytes} bytes; {MOST_HEADER_BYTES} are allowed")
    end = PREFIX.size + header_bytes + stored_bytes
    if len(content) != end + HASH_BYTES:
        cut = "cut short" if len(content) < end + HASH_BYTES else "too long"
        raise WeightsError(f"the file is {cut}: it has {len(content)} bytes, not {end + HASH_BYTES}")
    digest = hashlib.sha256(memoryview(content)[:end]).hexdigest()
    if content[end:].hex() != digest:
        raise WeightsError("the file is damaged: its hash is another")
    try:
        header = json.loads(content[PREFIX.size : PREFIX.size + header_bytes].decode("utf-8"))
        # Half of a surrogate pair can be escaped, but no screen takes it.
        json.dumps(header, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError):
        raise WeightsError("the header is not JSON") from None
    _check_fields("the header", header, HEADER_FIELDS)
    return header, memoryview(content)[PREFIX.size + header_bytes : end], compression, digest


def _unpacked(stored: memoryview, compression: int, size: int) -> bytes:
    if compression not in (NO_COMPRESSION, ZLIB):
        raise WeightsError(f"compression {compression} is unknown")
    try:
        # One byte more than there may be, so that a larger payload shows itself and fills no memory.
        payload = zlib.decompressobj().decompress(stored, size + 1) if compression == ZLIB else bytes(stored)
    except zlib.error as error:
        raise WeightsError(f"the payload cannot be unpacked: {error}") from None
    if len(payload) != size:
        raise WeightsError(f"the payload does not have the {size} bytes that the header says")
    return payload


def _tensors(table: Any, payload: bytes) -> Dict[str, Tensor]:
    if not isinstance(table, list):
        raise WeightsError("the table of tensors is not a list")
    tensors: Dict[str, Tensor] = {}
    left = len(payload)
    for entry in table:
        _check_fields("a tensor", entry, TENSOR_FIELDS)
        name = entry["name"]
        if not isinstance(name, str) or len(name) > LONGEST_NAME or name in tensors:
            raise WeightsError(f"tensor {name!r:.60} has a name that is not text, too long, or occurs twice")
        tensor = tensors[name] = _tensor(entry, memoryview(payload))
        # Tensors that overlap could take any memory once they are numbers.
        left -= len(tensor.data) + 4 * len(tensor.scale or ())
        if left < 0:
            raise WeightsError(f"tensor {name}: the tensors take more than the {len(payload)} bytes of the payload")
    return tensors


def _tensor(entry: Dict[str, Any], payload: memoryview) -> Tensor:
    name, dtype, shape = entry["name"], entry["dtype"], entry["shape"]
    if not isinstance(dtype, str) or dtype not in ITEM_BYTES:
        raise WeightsError(f"tensor {name}: dtype {dtype!s:.60} is unknown; known are {', '.join(ITEM_BYTES)}")
    if not isinstance(shape, list) or not 0 < len(shape) <= MOST_AXES or not all(map(_is_length, shape)):
        raise WeightsError(f"tensor {name}: {shape!r:.60} is not a shape")
    items = 1
    for length in shape:
        items *= length
    data = _slice(name, payload, entry["offset"], items * ITEM_BYTES[dtype])
    scale = None
    if entry["scale"] is not None:
        if dtype.startswith("float"):
            raise WeightsError(f"tensor {name}: {dtype} takes no scale")
        scale = _numbers("float32", _slice(name, payload, entry["scale"], shape[0] * ITEM_BYTES["float32"]))
    return Tensor(dtype, tuple(shape), scale, data)


def _slice(name: str, payload: memoryview, offset: Any, size: int) -> memoryview:
    if not _is_number(offset) or offset % ALIGNMENT or offset + size > len(payload):
        raise WeightsError(f"tensor {name}: {size} bytes cannot lie at offset {offset!s:.40} of the payload")
    return payload[offset : offset + size]


def _numbers(dtype: str, data: memoryview) -> "array[Any]":
    numbers: array[Any] = array(_ARRAY_CODES[dtype])
    numbers.frombytes(data)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers


def _is_length(value: Any) -> bool:
    return _is_number(value) and value > 0


def _is_number(value: Any) -> bool:
    return type(value) is int and 0 <= value <= MOST_BYTES


def _check_fields(what: str, table: Any, fields: Collection[str]) -> None:
    if not isinstance(table, dict):
        raise WeightsError(f"{what} is not a JSON object")
    wrong: List[str] = [f"has no field {field}" for field in fields if field not in table]
    wrong += [f"has an unknown field {field:.60}" for field in table if field not in fields]
    if wrong:
        raise WeightsError(f"{what} {wrong[0]}")
