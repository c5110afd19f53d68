"""The fast network out of a weights file, ready to value moves; docs/design/champion.md describes it."""

from array import array
from typing import TYPE_CHECKING, Dict, List, Optional, Union

from ddzbot.kernel.fast_records import FEATURES, HEADS, INNER, MOST_UNITS, UNIT_STEP, SeatParameters
from ddzbot.net.fast_features import NAME
from ddzbot.net.loading import Loader
from ddzbot.net.packed import Packed, Shape, WeightsError

if TYPE_CHECKING:
    from ddzbot.kernel.binding import Kernel
    from ddzbot.kernel.fast_net import FastNet
    from ddzbot.net.fast_reference import FastReference

CLIPPED_ONE = 127
"""The integer for 1.0 after the first layer, which the second layer's scales leave out."""
SEAT_NAMES = ("landlord", "landlord_down", "landlord_up")
_DTYPES = {"first": "int16", "first_bias": "int16", "second": "int8"}
"""Of the fields that are no float32."""


def architecture_of(units: int) -> str:
    """Gets the name of the architecture with so many units in its first layer."""
    return f"fast-{FEATURES}-{units}-{INNER}-{INNER}-bent"


ARCHITECTURES: Dict[str, int] = {architecture_of(units): units for units in range(UNIT_STEP, MOST_UNITS + 1, UNIT_STEP)}
"""The number of units of the first layer of each architecture."""


def _fields_of(units: int) -> Dict[str, Shape]:
    return {
        "first": (FEATURES, units),
        "first_bias": (units,),
        "second": (INNER, units),
        "second_bias": (INNER,),
        "third": (INNER, INNER),
        "third_bias": (INNER,),
        "last": (HEADS, INNER),
        "last_bias": (HEADS,),
    }


def shapes_of(units: int) -> Dict[str, Shape]:
    """Gets the tensors of a file: first and its bias are int16, second is int8 with a scale a row, the rest float32."""
    return {f"{seat}.{field}": shape for seat in SEAT_NAMES for field, shape in _fields_of(units).items()}


def seats_of(packed: Packed) -> List[SeatParameters]:
    """
    Gets the parameters of the three seats.

    :raises WeightsError: if the file is of another architecture, or has a tensor of another shape or dtype.
    """
    units = ARCHITECTURES.get(packed.architecture, UNIT_STEP)
    packed.expect(architecture_of(units), shapes_of(units))
    return [_seat_of(packed, seat) for seat in SEAT_NAMES]


def _seat_of(packed: Packed, seat: str) -> SeatParameters:
    tensors = {field: packed.tensors[f"{seat}.{field}"] for field in _fields_of(UNIT_STEP)}
    for field, tensor in tensors.items():
        if tensor.dtype != _DTYPES.get(field, "float32"):
            raise WeightsError(f"{packed.called}: tensor {seat}.{field} cannot be {tensor.dtype}")
    scale = tensors["second"].scale
    if scale is None:
        raise WeightsError(f"{packed.called}: tensor {seat}.second has no scale")
    fields = {
        field: (tensor.integers() if field in _DTYPES else tensor.floats()).tobytes()
        for field, tensor in tensors.items()
    }
    return SeatParameters(second_scale=array("f", [factor / CLIPPED_ONE for factor in scale]).tobytes(), **fields)


def build_network(kernel: "Optional[Kernel]", packed: Packed) -> "Union[FastNet, FastReference]":
    """
    Makes a network that values moves, in the kernel if there is one.

    :raises ValueError: if the file is of another kind, or the kernel has no fast network.
    """
    seats = seats_of(packed)
    if kernel is None:
        from ddzbot.net.fast_reference import FastReference

        return FastReference(seats)
    from ddzbot.kernel.fast_net import FastNet

    return FastNet(kernel, seats)


LOADER = Loader(NAME, build_network)
