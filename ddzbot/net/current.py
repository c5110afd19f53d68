"""
Finds the network that plays: ``weights/manifest.json`` says which file is current for which features and rule set.

The manifest has three fields: ``version``; ``current``, such as ``{"mcm-1": {"botzone": "mcm-0123456789ab.ddzw"}}``;
and ``files``, which lists for each file ``sha256``, ``features``, ``rules`` (what it was trained on), ``architecture``,
``data``, ``command`` and ``results``. A network may be current for other rules than those that it was trained on.
Where a setting of a player has a network of its own, that is current for ``mcm-1/thesis``: features, and setting.

Nothing here raises for bad weights, since the bot plays on without a network.
"""

import json
import os
from typing import Any, Dict, Mapping, NamedTuple, Optional

from ddzbot.files import ROOT, read_bytes
from ddzbot.net.packed import DESCRIPTION_FIELDS, Packed, WeightsError, read

MANIFEST = "manifest.json"
MANIFEST_VERSION = 1
MOST_MANIFEST_BYTES = 1 << 20
"""The largest manifest: that of this project has a hundredth of that."""
MANIFEST_FIELDS = ("version", "current", "files")
FILE_FIELDS = ("sha256", "features", "rules", "architecture", *DESCRIPTION_FIELDS)
"""The fields of each file in the manifest."""


class CurrentNetwork(NamedTuple):
    """The network that plays, or None, and one line on which it is or why there is none."""

    network: Optional[Packed]
    description: str
    """For example ``mcm-0123456789ab.ddzw`` or ``no network: there is no manifest.json in weights``."""


def weights_folder(environment: Mapping[str, str] = os.environ) -> str:
    """Names the folder of the weights: ``DDZ_WEIGHTS``, or that of an installed package, or the one beside it."""
    if environment.get("DDZ_WEIGHTS"):
        return environment["DDZ_WEIGHTS"]
    installed = os.path.join(ROOT, "ddzbot", "weights")
    return installed if os.path.isdir(installed) else os.path.join(ROOT, "weights")


def current_network(features: str, rules: str, folder: Optional[str] = None) -> CurrentNetwork:
    """
    Reads the network that plays under *rules* with those *features*; *folder* is :func:`weights_folder` by default.

    For example ``current_network("mcm-1/thesis", "botzone").network``.
    """
    folder = folder or weights_folder()
    try:
        manifest = read_manifest(folder)
        file = manifest["current"].get(features, {}).get(rules)
        if file is None:
            return CurrentNetwork(None, f"no network: none is current for {features} under {rules}")
        if file not in manifest["files"]:
            raise WeightsError(f"{file}: the manifest does not list this file")
        packed = read(os.path.join(folder, file), known=[features.partition("/")[0]], called=file)
        if packed.sha256 != manifest["files"][file]["sha256"]:
            raise WeightsError(f"{file}: the manifest has another hash for this file")
    except WeightsError as error:
        return CurrentNetwork(None, f"no network: {error}")
    return CurrentNetwork(packed, file)


def read_manifest(folder: str) -> Dict[str, Any]:
    """
    Reads the manifest of a folder.

    :raises WeightsError: if there is none, or one with anything missing or unknown in it.
    """
    path = os.path.join(folder, MANIFEST)
    try:
        content = read_bytes(path, MOST_MANIFEST_BYTES)
        if len(content) > MOST_MANIFEST_BYTES:
            raise ValueError(f"it has more than {MOST_MANIFEST_BYTES} bytes")
        manifest = json.loads(content.decode("utf-8"))
        # Half of a surrogate pair can be escaped, but no screen takes it.
        json.dumps(manifest, ensure_ascii=False).encode("utf-8")
    except FileNotFoundError:
        raise WeightsError(f"there is no {MANIFEST} in {folder}") from None
    except (OSError, ValueError, RecursionError) as error:
        reason = getattr(error, "strerror", None) or error
        raise WeightsError(f"{MANIFEST} cannot be read: {reason} (folder {folder})") from None
    fault = _fault(manifest)
    if fault:
        raise WeightsError(f"{MANIFEST}: {fault} (folder {folder})")
    result: Dict[str, Any] = manifest
    return result


def _fault(manifest: Any) -> Optional[str]:
    if not _has_fields(manifest, MANIFEST_FIELDS):
        return f"the fields must be {', '.join(MANIFEST_FIELDS)}"
    if manifest["version"] != MANIFEST_VERSION:
        return f"version {manifest['version']} is unknown"
    if not isinstance(manifest["files"], dict) or not isinstance(manifest["current"], dict):
        return "current and files must be objects"
    for file, entry in manifest["files"].items():
        if not _has_fields(entry, FILE_FIELDS):
            return f"the fields of {file} must be {', '.join(FILE_FIELDS)}"
    for features, by_rules in manifest["current"].items():
        if not isinstance(by_rules, dict) or not all(isinstance(file, str) for file in by_rules.values()):
            return f"what is current for {features} must be an object of file names"
    return None


def _has_fields(table: Any, fields: Any) -> bool:
    return isinstance(table, dict) and sorted(table) == sorted(fields)
