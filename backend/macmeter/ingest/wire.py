"""Arrays as PostgreSQL's binary protocol has them: psycopg's own adapters take more time for them
than all reading of the documents.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

import numpy as np

BOOL, INT4, FLOAT8 = 16, 23, 701
"""Types of elements, by PostgreSQL's numbers."""
_LAYOUTS = {BOOL: "?", INT4: ">i4", FLOAT8: ">f8"}
_HEAD = struct.Struct(">iiIii")
_EMPTY = struct.Struct(">iiI")


def array(of: int, values: Sequence[Any]) -> bytes:
    """One-dimensional, without NULLs: dimensions, whether NULLs, type; length, first index."""
    if not len(values):
        return _EMPTY.pack(0, 0, of)
    elements = np.empty(len(values), [("length", ">i4"), ("value", _LAYOUTS[of])])
    elements["length"] = elements["value"].dtype.itemsize
    elements["value"] = values
    return _HEAD.pack(1, 0, of, len(values), 1) + elements.tobytes()
