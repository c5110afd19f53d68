"""The weights format: what is written is read, and what is not understood is refused."""

import struct
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ddzbot.net.packed import MAGIC, PREFIX, WeightsError, hash_in_name, parse, read
from tests.net.networks import put, signed, small_network, spoiled_header, written
from tests.support import ROOT, find_python, require
from tools.release.weights_file import contents, float_tensor, integer_tensor, is_current, promote, scaled_tensor, write


def test_a_written_network_is_read_as_it_was(tmp_path: Path) -> None:
    network = read(str(written(tmp_path)), known=["mcm-1"])
    wanted = small_network()
    assert network._replace(sha256="", path="", called="", tensors={}) == wanted._replace(tensors={})
    assert list(network.tensors) == list(wanted.tensors)
    assert [tensor._replace(data=memoryview(b"")) for tensor in network.tensors.values()] == [
        tensor._replace(data=memoryview(b"")) for tensor in wanted.tensors.values()
    ]
    assert [bytes(tensor.data) for tensor in network.tensors.values()] == [
        bytes(tensor.data) for tensor in wanted.tensors.values()
    ]


def test_the_name_carries_the_hash_of_the_file(tmp_path: Path) -> None:
    path = written(tmp_path)
    assert hash_in_name(str(path)) == read(str(path)).sha256[:12]
    assert path.read_bytes()[-32:].hex() == read(str(path)).sha256


def test_the_oldest_python_reads_the_same_numbers(tmp_path: Path) -> None:
    python = require(find_python("3.6"), "CPython 3.6")
    program = (
        "import sys; from ddzbot.net.packed import read; tensors = read(sys.argv[1]).tensors\n"
        "print([tensors[name].floats().tolist() for name in ('wide', 'half', 'scaled')])"
    )
    command = [python, "-S", "-c", program, str(written(tmp_path))]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    tensors = small_network().tensors
    assert done.stdout == f"{[tensors[name].floats().tolist() for name in ('wide', 'half', 'scaled')]}\n", done.stderr


@pytest.mark.parametrize("name", ["wide", "half"])
def test_floats_come_row_by_row(name: str) -> None:
    assert small_network().tensors[name].floats().tolist() == [0.5, -1.0, 0.25, 0.0, 0.0, 0.0]


def test_scaled_integers_are_multiplied_with_the_scale_of_their_row() -> None:
    tensor = small_network().tensors["scaled"]
    assert tensor.integers().tolist() == [127, -2, 1, 2, -127, 0]
    assert tensor.scale is not None
    assert tensor.scale.tolist() == [0.125, 0.25]
    assert tensor.floats().tolist() == [15.875, -0.25, 0.125, 0.5, -31.75, 0.0]


@pytest.mark.parametrize(
    ("name", "numbers"), [("small", [-128, 127]), ("middle", [-32768, 32767]), ("large", [-(2**31), 2**31 - 1])]
)
def test_plain_integers_keep_their_range(name: str, numbers: list[int]) -> None:
    assert small_network().tensors[name].integers().tolist() == numbers


def test_floats_are_no_integers_and_plain_integers_no_floats() -> None:
    tensors = small_network().tensors
    with pytest.raises(WeightsError, match="float16 has no integers"):
        tensors["half"].integers()
    with pytest.raises(WeightsError, match="int16 without a scale has no floats"):
        tensors["middle"].floats()


def test_scaling_is_wrong_by_at_most_half_a_scale() -> None:
    values = np.random.default_rng(1).normal(size=(5, 3, 7)).astype("f4")
    tensor = scaled_tensor(values)
    back = np.array(tensor.floats()).reshape(values.shape)
    assert tensor.scale is not None
    assert (np.abs(back - values) <= 0.5001 * np.array(tensor.scale)[:, None, None]).all()


def test_the_same_network_makes_the_same_file() -> None:
    assert contents(small_network()) == contents(small_network())


@pytest.mark.parametrize(
    ("spoil", "fault"),
    [
        (lambda content: b"", "this is not a weights file"),
        (lambda content: content.replace(b"\r\n", b"\n"), "this is not a weights file"),
        (lambda content: content[:12], "cut short"),
        (lambda content: content[:-1], "cut short: it has"),
        (lambda content: content + b"\n", "too long: it has"),
        (lambda content: content[:40] + bytes([content[40] ^ 1]) + content[41:], "damaged: its hash is another"),
        (lambda content: content[:-1] + bytes([content[-1] ^ 1]), "damaged: its hash is another"),
        (lambda content: content[:8] + struct.pack("<I", 2) + content[12:], "format version 2 is unknown"),
        (lambda content: signed(content[:20] + struct.pack("<I", 2) + content[24:-32]), "compression 2 is unknown"),
        (lambda content: signed(content[:24] + b"!" + content[25:-32]), "the header is not JSON"),
        (lambda content: signed(content[:-40] + bytes(8)), "payload"),
    ],
)
def test_a_spoiled_file_is_named_with_its_fault(tmp_path: Path, spoil: Callable[[bytes], bytes], fault: str) -> None:
    path = put(tmp_path, spoil(contents(small_network())))
    with pytest.raises(WeightsError, match=fault) as caught:
        read(path)
    assert str(caught.value).startswith(path)


def test_every_cut_and_every_changed_byte_is_found() -> None:
    content = contents(small_network())
    for place in range(len(content)):
        with pytest.raises(WeightsError):
            parse(content[:place])
        with pytest.raises(WeightsError):
            parse(content[:place] + bytes([content[place] ^ 0x40]) + content[place + 1 :])


@pytest.mark.parametrize(
    ("spoil", "fault"),
    [
        (lambda header: header.pop("rules"), "the header has no field rules"),
        (lambda header: header.update(color=1), "the header has an unknown field color"),
        (lambda header: header.update(rules="poker"), "rule set poker is unknown"),
        (lambda header: header.update(features=1), "features must be text"),
        (lambda header: header.update(size=-1), "size of -1"),
        (lambda header: header.update(size=1 << 40), "size of 1099511627776"),
        (lambda header: header.update(size=header["size"] - 1), "does not have the"),
        (lambda header: header.update(tensors={}), "is not a list"),
        (lambda header: header.update(description=[]), "the description is not a JSON object"),
        (lambda header: header["description"].update(extra=1), "the description has an unknown field extra"),
        (lambda header: header["tensors"][0].pop("scale"), "a tensor has no field scale"),
        (lambda header: header["tensors"][0].update(layout=1), "a tensor has an unknown field layout"),
        (lambda header: header["tensors"][0].update(name="half"), "'half' has a name that"),
        (lambda header: header["tensors"][0].update(dtype="float8"), "dtype float8 is unknown"),
        (lambda header: header["tensors"][0].update(shape=[2, -3]), "is not a shape"),
        (lambda header: header["tensors"][0].update(shape=[]), "is not a shape"),
        (lambda header: header["tensors"][0].update(shape=[1 << 30, 1 << 30]), "is not a shape"),
        (lambda header: header["tensors"][0].update(shape=[1 << 20, 1 << 20]), "cannot lie at offset"),
        (lambda header: header["tensors"][0].update(shape=[1] * 9), "is not a shape"),
        (
            lambda header: header["tensors"].append({**header["tensors"][0], "name": "again"}),
            "the tensors take more than",
        ),
        (lambda header: header["tensors"][0].update(name="\ud800"), "the header is not JSON"),
        (lambda header: header["tensors"][0].update(offset=4), "cannot lie at offset 4"),
        (lambda header: header["tensors"][0].update(offset=1 << 20), "cannot lie at offset"),
        (lambda header: header["tensors"][0].update(scale=0), "float32 takes no scale"),
        (lambda header: header["tensors"][2].update(scale="0"), "cannot lie at offset 0"),
    ],
)
def test_a_header_that_is_not_understood_is_refused(
    tmp_path: Path, spoil: Callable[[dict[str, Any]], object], fault: str
) -> None:
    with pytest.raises(WeightsError, match=fault):
        read(put(tmp_path, spoiled_header(spoil)))


@pytest.mark.parametrize("name", ["net.ddzw", "net-0123456789ab.ddzw", "net"])
def test_a_file_must_be_named_by_its_hash(tmp_path: Path, name: str) -> None:
    path = written(tmp_path).rename(tmp_path / name)
    with pytest.raises(WeightsError, match="the name must end in -"):
        read(str(path))


def test_a_missing_file_is_named() -> None:
    with pytest.raises(WeightsError, match=r"^nowhere/net\.ddzw: the file cannot be read: No such file"):
        read("nowhere/net.ddzw")


def test_a_path_that_cannot_be_is_refused() -> None:
    with pytest.raises(WeightsError, match="the file cannot be read: embedded null byte"):
        read("\0.ddzw")


def test_a_header_that_is_nested_too_deeply_is_refused() -> None:
    head = b"[" * 100_000
    with pytest.raises(WeightsError, match="the header is not JSON"):
        parse(signed(PREFIX.pack(MAGIC, 1, len(head), 0, 0) + head))


def test_unknown_features_are_refused(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="features mcm-1 are unknown; known are fast-1, fast-2"):
        read(str(written(tmp_path)), known=["fast-2", "fast-1"])


SHAPES = {name: tensor.shape for name, tensor in small_network().tensors.items()}


@pytest.mark.parametrize(
    ("architecture", "shapes", "fault"),
    [
        ("test-2", SHAPES, "the architecture is test-1, not test-2"),
        ("test-1", {**SHAPES, "more": (1,)}, "tensor more is missing"),
        ("test-1", {"wide": (2, 3)}, "test-1 has no tensor half"),
        ("test-1", {**SHAPES, "wide": (3, 2)}, r"wide has shape \(2, 3\), not \(3, 2\)"),
    ],
)
def test_no_tensor_is_missing_or_left_over(architecture: str, shapes: dict[str, Any], fault: str) -> None:
    small_network().expect("test-1", SHAPES)
    with pytest.raises(WeightsError, match=fault):
        small_network().expect(architecture, shapes)


def test_compression_is_used_only_where_it_pays() -> None:
    random = np.random.default_rng(1).integers(-128, 128, (100, 100))
    noise, zeros = (
        contents(small_network(tensors={"all": integer_tensor(values, "int8")})) for values in (random, 0 * random)
    )
    assert (PREFIX.unpack_from(noise)[4], PREFIX.unpack_from(zeros)[4]) == (0, 1)
    assert parse(noise).tensors["all"].integers().tolist() == random.ravel().tolist()
    assert not any(parse(zeros).tensors["all"].integers())


@pytest.mark.parametrize(
    ("make", "fault"),
    [
        (lambda: float_tensor(np.array([70000.0]), "float16"), "not finite in float16"),
        (lambda: float_tensor(np.array([np.nan])), "not finite"),
        (lambda: scaled_tensor(np.array([[np.inf]])), "not finite"),
        (lambda: integer_tensor(np.array([128]), "int8"), "does not fit into int8"),
        (lambda: integer_tensor(np.array([1.0]), "int8"), "does not fit into int8"),
        (lambda: integer_tensor(np.array([[1], [2]]), "int8", np.ones(1)), "cannot have scales"),
    ],
)
def test_numbers_that_do_not_fit_are_refused(make: Callable[[], object], fault: str) -> None:
    with pytest.raises(WeightsError, match=fault):
        make()


@pytest.mark.parametrize(
    ("prefix", "changes", "fault"),
    [
        ("../net", {}, "cannot begin the name"),
        ("net", {"rules": "poker"}, "rule set poker is unknown"),
        ("net", {"description": {}}, "the description has no field data"),
        ("net", {"description": {"data": 1, "command": 1, "results": float("nan")}}, "cannot be written"),
    ],
)
def test_a_network_that_could_not_be_read_is_not_written(
    tmp_path: Path, prefix: str, changes: dict[str, Any], fault: str
) -> None:
    with pytest.raises(WeightsError, match=fault):
        write(tmp_path, prefix, small_network(**changes))
    assert list(tmp_path.iterdir()) == []


def test_a_file_too_large_for_an_upload_is_not_current(tmp_path: Path) -> None:
    noise = np.random.default_rng(1).integers(-128, 128, 2_600_000)
    path = write(tmp_path, "net", small_network(tensors={"noise": integer_tensor(noise, "int8")}))
    with pytest.raises(WeightsError, match="a current network has at most 2,500,000 bytes"):
        promote(path, "botzone")
    assert not is_current(path)
