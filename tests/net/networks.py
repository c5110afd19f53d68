"""Small networks for tests: a file with every dtype, and ways to spoil it."""

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ddzbot.net.packed import MAGIC, PREFIX, Packed, Shape
from tools.release.weights_file import contents, float_tensor, integer_tensor, scaled_tensor, write

DESCRIPTION = {"data": "none", "command": "a test", "results": {"loss": 0.5}}


def small_network(**changes: Any) -> Packed:
    """A network with one tensor of each dtype, and one with scales."""
    values = np.array([[0.5, -1.0, 0.25], [0.0, 0.0, 0.0]], "f4")
    tensors = {
        "wide": float_tensor(values),
        "half": float_tensor(values, "float16"),
        "scaled": scaled_tensor(np.array([[127, -2, 1], [4, -254, 0]], "f4") / 8),
        "small": integer_tensor(np.array([-128, 127]), "int8"),
        "middle": integer_tensor(np.array([-32768, 32767]), "int16"),
        "large": integer_tensor(np.array([[-(2**31)], [2**31 - 1]]), "int32"),
    }
    network = Packed("mcm-1", "botzone", "test-1", tensors, DESCRIPTION)
    return network._replace(**changes)


def random_tensors(shapes: Mapping[str, Shape], seed: int = 1) -> dict[str, NDArray[Any]]:
    """Weights whose values differ from move to move: about as large as a layer needs to keep its numbers apart."""
    chance = np.random.default_rng(seed)
    tensors = {}
    for key, shape in shapes.items():
        size = (2 / np.prod(shape[1:])) ** 0.5 if len(shape) > 1 else 0.1
        tensors[key] = (size * chance.normal(size=shape)).astype("f4")
    return tensors


def spoiled_header(spoil: Callable[[dict[str, Any]], object]) -> bytes:
    """The bytes of a file whose header was changed; lengths and hash are right again."""
    content = contents(small_network())
    _, version, size, stored, compression = PREFIX.unpack_from(content)
    header = json.loads(content[PREFIX.size : PREFIX.size + size])
    spoil(header)
    head = json.dumps(header).encode()
    prefix = PREFIX.pack(MAGIC, version, len(head), stored, compression)
    return signed(prefix + head + content[PREFIX.size + size : -32])


def signed(body: bytes) -> bytes:
    """Puts the right hash behind a body."""
    return body + hashlib.sha256(body).digest()


def put(folder: Path, content: bytes) -> str:
    """Writes the bytes under the name that their hash asks for."""
    path = folder / f"net-{content[-32:].hex()[:12]}.ddzw"
    path.write_bytes(content)
    return str(path)


def written(folder: Path) -> Path:
    return write(folder, "net", small_network())
