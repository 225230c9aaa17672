"""All setups in memory: thousands, where results are millions. A filter is decided here once."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from macmeter.catalog import LABEL_PREFIX
from macmeter.dataset.relations import SETUP

Ints = NDArray[np.int64]


class Setups:
    """Setups in the order in which they were first met; they are never changed or removed."""

    def __init__(self) -> None:
        self._rows: list[tuple[Any, ...]] = []
        self._places: dict[int, int] = {}
        self._coded: dict[str, _Coded] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def learn(self, rows: Iterable[tuple[Any, ...]]) -> None:
        """Each row is a number and then SETUP."""
        for number, *cells in rows:
            if number not in self._places:
                self._places[number] = len(self._rows)
                self._rows.append(tuple(cells))

    @property
    def numbers(self) -> Ints:
        return np.fromiter(self._places, np.int64, len(self._places))

    def values(self, name: str) -> tuple[Ints, list[Any]]:
        """Each setup's code of a dimension, and the values of the codes."""
        coded = self._coded.setdefault(name, _Coded(_reader(name)))
        return coded.of(self._rows)


class _Coded:
    """Codes of rows, of which more come at any moment: those that are known keep theirs."""

    def __init__(self, read: Any) -> None:
        self._read = read
        self._codes: Ints = np.zeros(0, dtype=np.int64)
        self._known: dict[Hashable, int] = {}

    def of(self, rows: Sequence[tuple[Any, ...]]) -> tuple[Ints, list[Any]]:
        if len(self._codes) < len(rows):
            new = (self._read(row) for row in rows[len(self._codes) :])
            codes = (self._known.setdefault(value, len(self._known)) for value in new)
            self._codes = np.concatenate([self._codes, np.fromiter(codes, np.int64)])
        return self._codes, [*self._known]


def _reader(name: str) -> Any:
    columns = [*SETUP]
    if name == "labels":
        place = columns.index("labels")
        return lambda row: tuple(sorted(row[place].items()))
    if name == "published":
        place = columns.index("source")
        return lambda row: row[place] == "published"
    if name.startswith(LABEL_PREFIX):
        place, key = columns.index("labels"), name.removeprefix(LABEL_PREFIX)
        return lambda row: row[place].get(key)
    place = columns.index(name)
    return lambda row: row[place]


def dense(numbers: Ints) -> tuple[Ints, Ints]:
    """A place where each number is first, ascending by number; and by row which of them it is."""
    _, examples, own = np.unique(numbers, return_index=True, return_inverse=True)
    return examples, own
