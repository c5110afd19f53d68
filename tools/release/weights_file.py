"""Writes ``.ddzw`` files and their manifest; ddzbot/net/packed.py reads them and documents the format."""

import hashlib
import json
import os
import re
import struct
import zlib
from array import array
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ddzbot.net import packed as layout
from ddzbot.net.current import MANIFEST, MANIFEST_VERSION, read_manifest
from ddzbot.net.packed import Packed, Tensor, WeightsError
from ddzbot.players import mcm
from ddzbot.rules import RULE_SETS

from ..programs import naive
from ..shared.storage.whole_file import put
from .architectures import EXPECT

MOST_CURRENT_BYTES = 2_500_000
"""The largest file that may be current, so that a bundle with the kernel stays below an upload limit of 4 MB."""
_LARGEST_INT8 = 127

Numbers = NDArray[Any]


def expect(network: Packed) -> None:
    """
    Asks the module of a network's architecture, if there is one, whether it has what it must.

    :raises WeightsError: if it has not.
    """
    at_home = {moves.architecture: naive.NaiveNet for moves in naive.LISTS}
    {**EXPECT, **at_home}.get(network.architecture, id)(network)


def float_tensor(values: Numbers, dtype: str = "float32") -> Tensor:
    """
    Packs floats as *dtype*, ``float32`` or ``float16``.

    :raises WeightsError: for values that are not finite or become so.
    """
    with np.errstate(over="ignore"):
        converted = np.ascontiguousarray(values, np.dtype(dtype).newbyteorder("<"))
    if not np.isfinite(converted).all():
        raise WeightsError(f"a tensor of shape {values.shape} has values that are not finite in {dtype}")
    return Tensor(dtype, values.shape, None, memoryview(converted.tobytes()))


def integer_tensor(values: Numbers, dtype: str, scale: Numbers | None = None) -> Tensor:
    """
    Packs integers as *dtype*, ``int8``, ``int16`` or ``int32``; *scale* may have one float for each row.

    :raises WeightsError: for an integer that does not fit, floats, or a scale of another length.
    """
    limits = np.iinfo(dtype)
    if values.dtype.kind not in "iu" or (values.size and (values.min() < limits.min or values.max() > limits.max)):
        raise WeightsError(f"a tensor of shape {values.shape} does not fit into {dtype}")
    if scale is not None and scale.shape != values.shape[:1]:
        raise WeightsError(f"a tensor of shape {values.shape} cannot have scales of shape {scale.shape}")
    converted = np.ascontiguousarray(values, np.dtype(dtype).newbyteorder("<"))
    factors = None if scale is None else array("f", np.asarray(scale, "f4").tobytes())
    return Tensor(dtype, values.shape, factors, memoryview(converted.tobytes()))


def scaled_tensor(values: Numbers) -> Tensor:
    """
    Packs floats as ``int8`` with one scale for each row, chosen so that the largest of the row becomes 127.

    A row of zeros has scale 1. The error is at most half a scale.

    :raises WeightsError: for values that are not finite.
    """
    if not np.isfinite(values).all():
        raise WeightsError(f"a tensor of shape {values.shape} has values that are not finite")
    rows = values.reshape(values.shape[0], -1)
    largest = np.abs(rows).max(axis=1)
    scale = (largest / _LARGEST_INT8).astype("f4")
    scale[scale == 0] = 1
    integers = np.clip(np.rint(rows / scale[:, None]), -_LARGEST_INT8, _LARGEST_INT8).astype("i1")
    return integer_tensor(integers.reshape(values.shape), "int8", scale)


def contents(network: Packed) -> bytes:
    """Makes the bytes of a file."""
    payload = bytearray()
    table = []
    for tensor_name, tensor in network.tensors.items():
        entry: dict[str, Any] = {"name": tensor_name, "dtype": tensor.dtype, "shape": list(tensor.shape)}
        entry["offset"] = _append(payload, bytes(tensor.data))
        entry["scale"] = None
        if tensor.scale is not None:
            entry["scale"] = _append(payload, struct.pack(f"<{len(tensor.scale)}f", *tensor.scale))
        table.append(entry)
    header = {
        "features": network.features,
        "rules": network.rules,
        "architecture": network.architecture,
        "description": network.description,
        "size": len(payload),
        "tensors": table,
    }
    head = json.dumps(header, ensure_ascii=False, sort_keys=True, allow_nan=False).encode("utf-8")
    small = zlib.compress(bytes(payload), 9)
    stored, compression = (small, layout.ZLIB) if len(small) < len(payload) else (bytes(payload), layout.NO_COMPRESSION)
    prefix = layout.PREFIX.pack(layout.MAGIC, layout.FORMAT, len(head), len(stored), compression)
    body = prefix + head + stored
    return body + hashlib.sha256(body).digest()


def _append(payload: bytearray, data: bytes) -> int:
    payload += bytes(-len(payload) % layout.ALIGNMENT)
    offset = len(payload)
    payload += data
    return offset


def write(folder: str | os.PathLike[str], prefix: str, network: Packed) -> Path:
    """
    Writes a network as ``folder/prefix-HASH.ddzw`` and returns that path; ``sha256`` and ``path`` are not looked at.

    The same network makes the same file. The file is read again before it gets its name.

    :raises WeightsError: for a bad prefix, or what :func:`ddzbot.net.packed.parse` refuses.
    """
    if not re.fullmatch(r"[a-z0-9][a-z0-9._-]*", prefix):
        raise WeightsError(f"{prefix!r} cannot begin the name of a weights file")
    try:
        content = contents(network)
    except (TypeError, ValueError) as error:
        raise WeightsError(f"{prefix}: the network cannot be written: {error}") from None
    read_back = layout.parse(content)
    path = Path(folder) / f"{prefix}-{read_back.sha256[: layout.NAME_DIGITS]}{layout.SUFFIX}"
    put(path, content)
    return path


def enter(path: Path) -> None:
    """
    Lists a weights file in the manifest of its folder, which is made if there is none.

    :raises WeightsError: for a bad file or manifest.
    """
    network = layout.read(str(path))
    manifest = _manifest(path.parent)
    manifest["files"][path.name] = entry_of(network)
    _save(path.parent, manifest)


def entry_of(network: Packed) -> dict[str, Any]:
    """Gets the manifest's entry of a network."""
    return {
        "sha256": network.sha256,
        "features": network.features,
        "rules": network.rules,
        "architecture": network.architecture,
        **network.description,
    }


def promote(path: Path, rules: str, setting: str = "") -> None:
    """
    Lists a weights file, and makes it the one that plays under *rules* with its features, for one *setting* of the
    player or else for all that have none of their own.

    :raises WeightsError: for a bad file or manifest, a file of more than 2.5 MB, an unknown rule set, or a setting that
        has no network with these features of its own.
    """
    if rules not in RULE_SETS:
        raise WeightsError(f"rule set {rules} is unknown")
    if path.is_file() and path.stat().st_size > MOST_CURRENT_BYTES:
        raise WeightsError(f"{path}: a current network has at most {MOST_CURRENT_BYTES:,} bytes")
    features = layout.read(str(path)).features
    key = f"{features}/{setting}" if setting else features
    if setting and key not in {of_setting.features for of_setting in mcm.SETTINGS.values()}:
        raise WeightsError(f"{path}: no player of setting {setting} has a network of its own with features {features}")
    enter(path)
    manifest = _manifest(path.parent)
    manifest["current"].setdefault(key, {})[rules] = path.name
    _save(path.parent, manifest)


def is_current(path: Path) -> bool:
    """
    Checks if a weights file plays under any rule set.

    :raises WeightsError: for a bad manifest.
    """
    return any(path.name in by_rules.values() for by_rules in _manifest(path.parent)["current"].values())


def retire(path: Path) -> None:
    """
    Removes a weights file and its entry.

    :raises WeightsError: for a bad manifest, or a file that is still current.
    """
    if is_current(path):
        raise WeightsError(f"{path}: this file is current; promote another one first")
    manifest = _manifest(path.parent)
    manifest["files"].pop(path.name, None)
    _save(path.parent, manifest)
    path.unlink(missing_ok=True)


def faults(folder: Path) -> list[str]:
    """Lists one sentence for each thing that is wrong with a folder of weights: every file, and the manifest."""
    try:
        manifest = read_manifest(str(folder))
    except WeightsError as error:
        return [str(error)]
    sentences = [f"{path}: the manifest does not list this file" for path in _unlisted(folder, manifest)]
    for file, entry in manifest["files"].items():
        try:
            if entry_of(layout.read(str(folder / file))) != entry:
                sentences.append(f"{folder / file}: the manifest differs from this file's own header")
        except WeightsError as error:
            sentences.append(str(error))
    current = [file for by_rules in manifest["current"].values() for file in by_rules.values()]
    return sentences + [
        f"{folder / file}: is current, but is not listed" for file in current if file not in manifest["files"]
    ]


def _unlisted(folder: Path, manifest: Mapping[str, Any]) -> list[Path]:
    return [path for path in sorted(folder.glob(f"*{layout.SUFFIX}")) if path.name not in manifest["files"]]


def _manifest(folder: Path) -> dict[str, Any]:
    if not (folder / MANIFEST).exists():
        return {"version": MANIFEST_VERSION, "current": {}, "files": {}}
    return read_manifest(str(folder))


def _save(folder: Path, manifest: Mapping[str, Any]) -> None:
    content = json.dumps(manifest, ensure_ascii=False, indent=2, sort_keys=True)
    put(folder / MANIFEST, (content + "\n").encode("utf-8"))
