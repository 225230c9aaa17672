"""Values as PostgreSQL's binary protocol has them: psycopg's own adapters take more time for them
than all reading of the documents.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
import orjson

BOOL, BYTEA, INT4, FLOAT8 = 16, 17, 23, 701
"""Types of elements, by PostgreSQL's numbers."""
_LAYOUTS = {BOOL: "?", INT4: ">i4", FLOAT8: ">f8"}
_SIZES = {BOOL: 1, INT4: 4, FLOAT8: 8}
_HEAD = struct.Struct(">iiIii")
_EMPTY = struct.Struct(">iiI")
_LENGTH = struct.Struct(">i")
_JSONB = b"\x01"  # the version of its binary form
# Up to so many elements numpy takes longer.
_FEW = 16
_PACKED = {BOOL: "i?", INT4: "ii", FLOAT8: "id"}


def array(of: int, values: Sequence[Any]) -> bytes:
    """One-dimensional, without NULLs: dimensions, whether NULLs, type; length, first index."""
    if not len(values):
        return _EMPTY.pack(0, 0, of)
    head = _HEAD.pack(1, 0, of, len(values), 1)
    if len(values) <= _FEW:
        layout = ">" + _PACKED[of] * len(values)
        size = _SIZES[of]
        return head + struct.pack(layout, *chain.from_iterable((size, one) for one in values))
    elements = np.empty(len(values), [("length", ">i4"), ("value", _LAYOUTS[of])])
    elements["length"] = _SIZES[of]
    elements["value"] = values
    return head + elements.tobytes()


def byteas(values: Sequence[bytes]) -> bytes:
    """An array of texts of bytes; of none, an empty one."""
    if not values:
        return _EMPTY.pack(0, 0, BYTEA)
    head = _HEAD.pack(1, 0, BYTEA, len(values), 1)
    return head + b"".join(chain.from_iterable((_LENGTH.pack(len(one)), one) for one in values))


def jsonb(value: object) -> bytes:
    return _JSONB + orjson.dumps(value)
