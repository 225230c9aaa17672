"""A lot taken apart by what is asked: which rows are of which group.

Groups are decided on by setups, of which there are few, and only then looked up by rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from macmeter.columns.coded import OF_RUNS, Coded, coded
from macmeter.columns.grouped import Grouped
from macmeter.columns.layout import Layout
from macmeter.columns.lot import Lot
from macmeter.columns.names import Ints
from macmeter.columns.some import Some
from macmeter.columns.view import Part, View
from macmeter.terms import Value

# Published figures, methods and their versions never stand in one group.
_PUBLISHED = "published"
_SPLIT = (_PUBLISHED, "method", "method_version")


@dataclass(frozen=True)
class Key:
    """What tells a group from another: the asked dimensions, and what never mixes."""

    by: tuple[Value, ...]
    published: bool
    method: str
    method_version: int


def distinct(listed: Sequence[Ints]) -> Ints:
    """Each of these numbers once, ascending."""
    most = max((int(numbers.max()) for numbers in listed if len(numbers)), default=-1)
    present = np.zeros(most + 1, dtype=bool)
    for numbers in listed:
        present[numbers] = True
    return np.flatnonzero(present)


class Divided:
    """A lot by what is asked: a number for each key that its runs have, some without a row."""

    def __init__(self, lot: Lot, by: tuple[str, ...], fixed: Mapping[str, Value]) -> None:
        """The rows of the lot agree in what is `fixed`."""
        self._by, self._fixed, self._kept = by, fixed, lot.layouts
        self._names = tuple(name for name in (*by, *_SPLIT) if name not in fixed)
        read = tuple("source" if name == _PUBLISHED else name for name in self._names)
        known = [coded(part.segment, lot.view.names, read) for part in lot.parts]
        self._told = [_told(lot.view, name, known) for name in self._names]
        # Codes are of one segment each; what agrees in all values is one group through them all.
        numbers = np.zeros(sum(len(of.examples) for of in known), dtype=np.int64)
        for own, values in self._told:
            numbers = np.unique(numbers * len(values) + own, return_inverse=True)[1]
        self._examples = np.zeros(int(numbers.max(initial=-1)) + 1, dtype=np.int64)
        self._examples[numbers] = np.arange(len(numbers))
        ends = np.cumsum([len(of.examples) for of in known])[:-1]
        of_parts = zip(lot.parts, known, np.split(numbers, ends), strict=True)
        parts = [Some(part, None, self._layout(part, of, own)) for part, of, own in of_parts]
        self.grouped = Grouped(lot, parts, len(self._examples))

    def _layout(self, part: Part, of: Coded, numbers: Ints) -> Layout:
        """Lots of the same runs have the same, as long as one question is worked out."""
        count = len(self._examples)
        if count == 1:
            found: Layout = self._kept.of((part.among,), lambda: Layout(part, 1))
        else:
            # The same numbers may be of fewer groups in a lot with other parts.
            key = (part.among, of.dimensions, count, numbers.tobytes())
            found = self._kept.of(key, lambda: Layout(part, count, of, numbers))
        return found

    def key(self, number: int) -> Key:
        example = self._examples[number]
        values = {
            name: values[own[example]]
            for name, (own, values) in zip(self._names, self._told, strict=True)
        } | dict(self._fixed)
        published, method, version = (values[name] for name in _SPLIT)
        assert isinstance(method, str)
        assert isinstance(version, int)
        by = tuple(values[name] for name in self._by)
        return Key(by, bool(published), method, version)


def _told(view: View, name: str, known: Sequence[Coded]) -> tuple[Ints, Sequence[Value]]:
    """A dimension's codes by example of each segment, and the values that they stand for."""
    of_runs = name if name in OF_RUNS else "setup"
    numbers = np.concatenate([getattr(of.runs, of_runs).take(of.examples) for of in known])
    if name == "machine":
        return numbers, _Ids(view)
    if name == "month":
        return numbers, view.names.months.things
    codes, values = _of_setups(view, name)
    return codes[numbers], values


def _of_setups(view: View, name: str) -> tuple[Ints, Sequence[Value]]:
    if name != _PUBLISHED:
        return view.values(name)
    codes, sources = view.values("source")
    is_published = np.array([source == "published" for source in sources], dtype=np.int64)
    return is_published[codes], [False, True]


class _Ids(Sequence[str]):
    """Machines' ids as questions write them, made as they are asked for."""

    def __init__(self, view: View) -> None:
        self._view = view

    def __len__(self) -> int:
        return len(self._view.names.machines)

    def __getitem__(self, number: Any) -> Any:
        return str(self._view.machine_id(number))
