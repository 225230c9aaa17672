"""The compiled loops as C declares them: structures, arguments, and where arrays lie.

loops.py alone calls them.
"""

from __future__ import annotations

import ctypes
from ctypes import POINTER, Structure, c_double, c_int, c_int64, c_uint32, c_void_p
from typing import Any

import numpy as np
from numpy.typing import NDArray

from macmeter.compiled.build import library


def _loaded() -> ctypes.CDLL:
    try:
        return ctypes.CDLL(str(library()))
    except OSError as error:
        raise ImportError(
            "The compiled loops are missing: run `python -m macmeter.compiled.build`"
        ) from error


compiled = _loaded()


class Part(Structure):
    """`struct part` of parts.h."""

    _fields_ = (
        ("count", c_int64),
        *((name, c_void_p) for name in ("owners", "starts", "run", "values", "drives")),
        *((name, c_void_p) for name in ("medians", "least", "greatest", "labels", "of_owners")),
        ("at", c_int64),
    )


class Scratch(Structure):
    """`struct scratch` of cells.c."""

    _fields_ = tuple(
        (name, c_void_p)
        for name in ("sizes", "ends", "least", "greatest", "labels", "of_rows", "values")
    )


class Cells(Structure):
    """`struct cells` of cells.c."""

    _fields_ = tuple(
        (name, c_void_p)
        for name in ("medians", "owner", "sizes", "least", "greatest", "order", "labels")
    )


MIDDLE = np.dtype([("places", np.int32, 4), ("values", np.float64, 3)])
"""`struct middle` of cells.c."""


SPREAD = np.dtype([(name, np.float64) for name in ("samples", "low", "high", "deviation")])
"""`struct spread` of samples.c."""


class Pairs(Structure):
    """`struct pairs` of sorting.c."""

    _fields_ = (("values", c_void_p), ("numbers", c_void_p))


class Tails(Structure):
    """`struct tails` of chances.c."""

    _fields_ = (
        ("deviations", c_void_p),
        ("chances", c_void_p),
        ("count", c_int64),
        ("step", c_double),
    )


_OF_CELLS = (c_int, POINTER(Part), c_int, c_uint32, POINTER(Scratch))
_OF_ROWS = (c_int, c_void_p, c_void_p, c_void_p, c_int64)

for _name, _kinds in {
    "gather": (c_void_p, c_int, c_void_p, c_int, c_int64, c_void_p),
    "label_runs": (
        *(c_int, c_int, c_void_p, c_void_p, c_void_p, c_uint32),
        *(c_void_p, c_void_p, c_int64, c_void_p, c_void_p),
    ),
    "count_rows": (c_int, c_void_p, c_void_p, c_int64, c_int64, c_void_p),
    "count_codes": (*_OF_ROWS, c_int, c_void_p, c_int64, c_void_p),
    "mark_codes": (*_OF_ROWS, c_int, c_void_p, c_int64, c_void_p),
    "sum_counts": (*_OF_ROWS, c_void_p, c_void_p),
    "order_rows": (c_int, c_void_p, c_void_p, c_int64, c_void_p, c_void_p),
    "first_runs": (
        *(c_int, c_void_p, c_void_p, c_void_p, c_uint32),
        *(c_int64, c_int64, c_void_p, c_void_p, c_void_p),
    ),
    "count_machines": (*_OF_CELLS, c_void_p),
    "collect_cells": (*_OF_CELLS, c_void_p, POINTER(Cells)),
    "arrange_cells": (POINTER(Cells), c_int64, c_void_p, POINTER(Cells)),
    "find_medians": (*_OF_CELLS, POINTER(Cells), c_int64, c_void_p, c_void_p),
    "find_ids": (c_void_p, c_void_p, c_int64, c_void_p, c_int64, c_void_p),
    "count_chosen": (c_void_p, c_void_p, c_int64, c_void_p),
    "mark_machines": (
        *(c_void_p, c_void_p, c_void_p, c_int64),
        *(c_int64, c_void_p, c_void_p),
    ),
    "add_counts": (c_int, c_void_p, c_void_p, c_int64, c_void_p, c_void_p, c_void_p),
    "add_samples": (*_OF_ROWS, c_void_p, c_void_p, c_int64, c_void_p, c_void_p),
    "spread_counts": (c_void_p, c_int64, c_int64, c_void_p, c_void_p),
    "sort_values": (c_void_p, c_void_p, c_int64),
    "sort_pairs": (POINTER(Pairs), POINTER(Pairs), c_int64),
    "chance_of_surplus": (c_void_p, c_void_p, c_int64, POINTER(Tails)),
}.items():
    getattr(compiled, _name).argtypes = _kinds
compiled.chance_of_surplus.restype = c_double
compiled.collect_cells.restype = c_int64


def address(array: NDArray[Any], kind: type[np.generic] | None = None) -> int:
    """Where a contiguous array of this kind lies; whoever calls keeps it meanwhile."""
    if kind is not None and array.dtype != kind:
        raise TypeError(f"an array of {array.dtype}, where {kind.__name__} is read")
    if not array.flags.c_contiguous:
        raise TypeError("an array that is not contiguous")
    return array.ctypes.data
