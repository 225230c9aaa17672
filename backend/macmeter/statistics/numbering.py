"""Dense ranks of values and of combinations of values: from 0, in ascending order."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Numbers = NDArray[Any]
# Values are ranked by marking them in a table if it has at most this many entries per value and in
# total, otherwise by sorting.
_ENTRIES_PER_VALUE, _MAX_ENTRIES = 16, 2**22


def ranks(numbers: Numbers) -> Ints:
    """Return each value's rank among the distinct ones."""
    least, width = _span(numbers)
    if width > min(_ENTRIES_PER_VALUE * len(numbers), _MAX_ENTRIES):
        return np.unique(numbers, return_inverse=True)[1]
    if numbers.dtype != np.uint64:  # its values may not fit in int64
        numbers = numbers.astype(np.int64)
    offsets: Ints = (numbers - numbers.dtype.type(least)).astype(np.int64)
    occurs = np.zeros(width, dtype=bool)
    occurs[offsets] = True
    if occurs.all():
        return offsets
    dense: Ints = (np.cumsum(occurs) - 1)[offsets]
    return dense


def distinct(numbers: Numbers) -> tuple[Ints, Ints]:
    """Return the first index of each distinct value, in ascending order, and each value's rank."""
    codes = ranks(numbers)
    first = np.zeros(int(codes.max(initial=-1)) + 1, dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    return first, codes


def combination_ranks(columns: Sequence[Numbers]) -> Ints:
    """Return each row's rank among the distinct combinations of values."""
    first, *others = columns
    codes = ranks(first)
    for column in others:
        column_codes = ranks(column)
        width = int(column_codes.max(initial=0)) + 1
        if width > 1:
            codes = ranks(codes * width + column_codes)
    return codes


def _span(numbers: Numbers) -> tuple[int, int]:
    """Return the least value and the width of the range of all values."""
    if not len(numbers):
        return 0, 0
    least = int(numbers.min())
    return least, int(numbers.max()) - least + 1
