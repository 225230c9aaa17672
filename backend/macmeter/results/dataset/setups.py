"""All setups in memory: thousands, for millions of results. Filters are evaluated here once.

A setup is what many runs share: their dimensions except machine and month, their series and flags.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import orjson
from numpy.typing import NDArray

from macmeter.catalog import DETERMINES_WHERE, LABEL_PREFIX
from macmeter.results.dataset.relations import MEASURED, SETUP

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


RESULTS = "results"
"""Pseudo-dimension for a setup's results."""


class Results(NamedTuple):
    """Series with results, and their flags."""

    measured: frozenset[int]
    """Series with an accepted result, and `doubted` those with a doubtful one."""
    doubted: frozenset[int]
    flags: frozenset[str]
    """Flags of the whole run."""
    flags_of: frozenset[tuple[int, str]]
    """Flags of single results."""

    @classmethod
    def of(
        cls, measured: Iterable[int], doubted: Iterable[int], flags: Iterable[str], flags_of: Any
    ) -> Results:
        """Build from a row of SETUP."""
        parsed = orjson.loads(flags_of) if isinstance(flags_of, str) else flags_of or {}
        single = ((int(series), flag) for series, codes in parsed.items() for flag in codes)
        return cls(frozenset(measured), frozenset(doubted), frozenset(flags), frozenset(single))

    def among(self, series: Collection[int], *, counts: bool, doubts: bool) -> frozenset[int]:
        """Return those of `series` with an accepted or doubtful result, as requested."""
        numbers = self.measured if counts else frozenset()
        return (numbers | self.doubted if doubts else numbers).intersection(series)

    def all_flags(self, series: Collection[int]) -> frozenset[str]:
        """Return flags of the run, and of its results of these series."""
        return self.flags.union(flag for number, flag in self.flags_of if number in series)


class Setups:
    """Append-only list of setups, in the order of their first appearance."""

    def __init__(self, known: Setups | None = None) -> None:
        self._rows: list[tuple[Any, ...]] = known._rows if known else []
        self._places: dict[int, int] = known._places if known else {}
        self._coded: dict[str, _Coded] = known._coded if known else {}
        self._cells: dict[Hashable, Any] = known._cells if known else {}
        """Interned texts and lists: most setups share them."""
        self._length = len(known._rows) if known else None

    def __len__(self) -> int:
        return len(self._rows) if self._length is None else self._length

    def __contains__(self, number: object) -> bool:
        return number in self._places

    def as_now(self) -> Setups:
        """Return a view of the setups known now: more may be added while a question is answered."""
        return Setups(self)

    def learn(self, rows: Iterable[tuple[Any, ...]]) -> None:
        """Add rows, each a number followed by the columns of SETUP."""
        for number, *cells in rows:
            if number not in self._places:
                self._places[number] = len(self._rows)
                self._rows.append(tuple(map(self._shared, cells)))

    def _shared(self, cell: Any) -> Any:
        key = tuple(cell) if isinstance(cell, list) else cell
        # Numbers and booleans aren't interned, since they may be equal.
        return self._cells.setdefault(key, key) if isinstance(key, (str, tuple)) else key

    @property
    def numbers(self) -> Ints:
        return np.fromiter(self._places, np.int64, len(self))

    def indices_of(self, numbers: Ints) -> Ints:
        """Return the index of each of these setups, given by number."""
        unique, codes = np.unique(numbers, return_inverse=True)
        indices = np.fromiter((self._places[number] for number in unique.tolist()), np.int64)
        return indices[codes]

    def values(self, name: str) -> tuple[Ints, list[Any]]:
        """Return each setup's code of a dimension, and the values of the codes."""
        if name not in self._coded:
            self._coded[name] = _Coded(_reader(name))
        codes, values = self._coded[name].of(self._rows)
        return codes[: len(self)], values

    def having(self, series: Collection[int], *, counts: bool, doubts: bool) -> Bools:
        """Whether each setup has accepted or doubtful results, as requested, of these series."""
        codes, values = self.values(RESULTS)
        having = [bool(results.among(series, counts=counts, doubts=doubts)) for results in values]
        result: Bools = np.array(having, dtype=bool)[codes]
        return result

    def determinants(self, name: str) -> tuple[Ints, list[Any]]:
        """Return `values`, with None where the dimension doesn't matter."""
        codes, values = self.values(name)
        if name not in DETERMINES_WHERE:
            return codes, values
        condition, expected = DETERMINES_WHERE[name]
        indices, options = self.values(condition)
        matters = np.array([value == expected for value in options], dtype=bool)[indices]
        return np.where(matters, codes + 1, 0), [None, *values]


class _Coded:
    """Codes of rows, which stay the same as rows are added."""

    def __init__(self, read: Any) -> None:
        self._read = read
        self._codes: Ints = np.zeros(0, dtype=np.int64)
        self._known: dict[Hashable, int] = {}
        self._values: list[Any] = []

    def of(self, rows: Sequence[tuple[Any, ...]]) -> tuple[Ints, list[Any]]:
        if len(self._codes) < len(rows):
            new = (self._read(row) for row in rows[len(self._codes) :])
            codes = (self._known.setdefault(value, len(self._known)) for value in new)
            self._codes = np.concatenate([self._codes, np.fromiter(codes, np.int64)])
            self._values = [*self._known]
        return self._codes, self._values


def _reader(name: str) -> Any:
    columns = [*SETUP]
    if name == "labels":
        index = columns.index("labels")
        return lambda row: tuple(sorted(row[index].items()))
    if name == RESULTS:
        indices = [columns.index(column) for column in MEASURED]
        return lambda row: Results.of(*(row[index] for index in indices))
    if name == "published":
        index = columns.index("source")
        return lambda row: row[index] == "published"
    if name.startswith(LABEL_PREFIX):
        index, key = columns.index("labels"), name.removeprefix(LABEL_PREFIX)
        return lambda row: row[index].get(key)
    index = columns.index(name)
    return lambda row: row[index]
