"""
Makes networks current: one that plays is replaced by what the gate has accepted against it, or by force.

A folder of weights keeps what its gate has found in ``gate.json``. There a network is known by its tensors, however its
file is called and whatever its origin is.
"""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ddzbot.net.current import MANIFEST, read_manifest
from ddzbot.net.fast_features import NAME as CHAMPION
from ddzbot.net.packed import Packed, WeightsError, read

from ..shared.bounds import reason_of
from ..shared.json_text import json_text, parse_json
from ..shared.paths import call_of
from ..shared.storage.whole_file import put
from . import weights_file

VERDICTS = "gate.json"
_DIGITS = 16


class Verdict(NamedTuple):
    """What the gate has found of a network."""

    network: str
    """The first digits of the hash of its features, architecture and tensors."""
    rules: str
    against: str
    """The file that was current."""
    accepted: bool
    result: str
    """How they played, as ``38.6 % (35.1 to 42.2) in 184 sets, accepted H0``."""


def verdict_on(network: Packed, rules: str, against: str, accepted: bool, result: str) -> Verdict:
    """Makes the gate's verdict on a network."""
    return Verdict(_hash_of(network), rules, against, accepted, result)


def _hash_of(network: Packed) -> str:
    content = hashlib.sha256(f"{network.features} {network.architecture}".encode())
    for tensor_name, tensor in sorted(network.tensors.items()):
        scale = None if tensor.scale is None else list(tensor.scale)
        content.update(f" {tensor_name} {tensor.dtype} {list(tensor.shape)} {scale} ".encode())
        content.update(tensor.data)
    return content.hexdigest()[:_DIGITS]


def keep_verdict(folder: Path, verdict: Verdict) -> None:
    """
    Keeps a verdict in a folder of weights, in place of an older one on the same two networks.

    :raises WeightsError: for a file of verdicts that cannot be read.
    """
    verdicts = [older for older in _verdicts(folder) if older[:3] != verdict[:3]]
    lines = ",\n".join(json_text(row._asdict()) for row in (*verdicts, verdict))
    put(folder / VERDICTS, f"[\n{lines}\n]\n".encode())


def _verdicts(folder: Path) -> list[Verdict]:
    path = folder / VERDICTS
    try:
        verdicts = [Verdict(**fields) for fields in parse_json(path.read_text("utf-8"))]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise WeightsError(f"{path} cannot be read ({reason_of(error)})") from None
    except (ValueError, TypeError):
        raise WeightsError(f"{path} is not what the gate has written: remove it") from None
    return verdicts


def current_name(folder: Path, features: str, rules: str, setting: str = "") -> str:
    """
    Gets the name of the file that plays with *features*, in a *setting* of the player or else in all that have none of
    their own; empty if none does.

    :raises WeightsError: for a bad manifest.
    """
    if not (folder / MANIFEST).exists():
        return ""
    current = read_manifest(str(folder))["current"]
    usual: str = current.get(features, {}).get(rules, "")
    return current.get(f"{features}/{setting}", {}).get(rules, usual) if setting else usual


def refusals(
    folder: Path, network: Packed, rules: Sequence[str], setting: str = "", source: str = "SNAPSHOT"
) -> Iterator[str]:
    """
    Lists the reasons why a network may not become current without force.

    It may where none is current, where it is current already, and where the gate has accepted it against the current
    one. *source* is what the gate would be given.

    :raises WeightsError: for a bad manifest or file of verdicts.
    """
    own = _hash_of(network)
    for rule_set in rules:
        current = current_name(folder, network.features, rule_set, setting)
        if not current or _is_file(folder / current, own):
            continue
        where = f"under {rule_set}, where {current} is current"
        if network.features != CHAMPION or network.rules != rule_set:
            kind = network.features if network.features != CHAMPION else f"{CHAMPION} that learned {network.rules}"
            yield f"no gate judges networks of {kind} {where}; --force makes this one current"
            continue
        asked = [verdict for verdict in _verdicts(folder) if verdict[:3] == (own, rule_set, current)]
        if asked and asked[0].accepted:
            continue
        verdict = f"has refused this network ({asked[0].result})" if asked else "has not judged this network"
        ask = call_of("train", "gate", source)
        yield f"the gate {verdict} {where}; `{ask}` asks it, --force makes the network current all the same"


def _is_file(path: Path, own: str) -> bool:
    try:
        return _hash_of(read(str(path))) == own
    except WeightsError:
        return False  # what cannot be read plays nothing, but which network it was is not known


def make_current(path: Path, rules: Sequence[str], setting: str = "") -> str:
    """
    Makes a file the current one of rule sets, and returns which ones it replaces.

    :raises WeightsError: as :func:`tools.release.weights_file.promote` does.
    """
    features = read(str(path)).features
    before = {rule_set: current_name(path.parent, features, rule_set, setting) for rule_set in rules}
    for rule_set in rules:
        weights_file.promote(path, rule_set, setting)
    replaced: dict[str, list[str]] = {}
    for rule_set, former in before.items():
        replaced.setdefault(former, []).append(rule_set)
    return " ".join(_sentence(path.name, former, ", ".join(where), setting) for former, where in replaced.items())


def _sentence(name: str, before: str, rules: str, setting: str) -> str:
    where = f"under {rules}" + f" for setting {setting}" * bool(setting)
    if name == before:
        return f"{name} is current {where} already."
    return f"{name} is now current {where}; " + (f"it replaces {before}." if before else "none was before.")
