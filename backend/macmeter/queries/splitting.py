"""A lot taken apart by what is asked: which rows are of which group.

Groups are decided on by setups, of which there are few, and only then looked up by rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from macmeter.columns.lot import Lot
from macmeter.columns.names import Ints
from macmeter.columns.view import View
from macmeter.terms import Value

# Published figures, methods and their versions never stand in one group.
_PUBLISHED = "published"
_SPLIT = (_PUBLISHED, "method", "method_version")
# Of single runs and not of their setups.
_OF_RUNS = ("machine", "month")


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


def split(
    lot: Lot, by: tuple[str, ...], fixed: Mapping[str, Value]
) -> Iterable[tuple[Key, Ints | None, list[tuple[int, Ints]] | None]]:
    """The groups of a lot, whose rows agree in what is `fixed`: rows, and setups where known."""
    names = [name for name in (*by, *_SPLIT) if name not in fixed]
    of_setups = tuple(name for name in names if name not in _OF_RUNS)
    numbers = _numbered(lot.view, of_setups)
    told = [(name, *_codes(lot, name)) for name in names]
    if len(of_setups) == len(names):
        kept = distinct([numbers[setups] for _, setups in lot.setups_of_series])
        if len(kept) == 1 and len(lot.parts) == 1:
            found = {name: of[own[lot.setup_of(0)]] for name, own, of in told}
            yield _key(by, {**fixed, **found}), None, lot.setups_of_series
            return
    codes = lot.numbered(of_setups, numbers)
    for name, own, values in told:
        if name in _OF_RUNS:
            codes = _dense(codes.astype(np.int64) * len(values) + own)[1]
    kept, dense = _dense(codes)
    ordered = lot.ordered(dense, len(kept))
    ends = np.cumsum(np.bincount(dense, minlength=len(kept)))
    for number, start, rows in zip(
        kept.tolist(), [0, *ends[:-1]], np.split(ordered, ends[:-1]), strict=True
    ):
        one = int(ordered[start])
        setup = lot.setup_of(one)
        found = {name: of[own[one if name in _OF_RUNS else setup]] for name, own, of in told}
        pairs = None
        if len(of_setups) == len(names):
            pairs = [
                (series, of_group)
                for series, setups in lot.setups_of_series
                if len(of_group := setups[numbers[setups] == number])
            ]
        yield _key(by, {**fixed, **found}), rows, pairs


def _key(by: tuple[str, ...], values: Mapping[str, Any]) -> Key:
    return Key(tuple(values[name] for name in by), *(values[name] for name in _SPLIT))


def _numbered(view: View, names: tuple[str, ...]) -> Ints:
    """By setup the number of the group that it is in, by these dimensions."""

    def number() -> Ints:
        numbers: Ints = np.zeros(len(view.names.setups), dtype=np.int64)
        for name in names:
            codes, values = _of_setups(view, name)
            if len(values) > 1:
                numbers = _dense(numbers * len(values) + codes)[1]
        return numbers.astype(np.min_scalar_type(int(numbers.max(initial=0))))

    found: Ints = view.kept("groups", names, number)
    return found


def _codes(lot: Lot, name: str) -> tuple[NDArray[Any], Sequence[Any]]:
    """By row its code of a dimension of runs, or by setup of one of setups; and their values."""
    if name == "machine":
        return lot.owners >> 1, _Ids(lot.view)
    if name == "month":
        return lot.of_runs("month"), lot.view.names.months.things
    return _of_setups(lot.view, name)


def _of_setups(view: View, name: str) -> tuple[NDArray[Any], Sequence[Any]]:
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


def _dense(codes: Ints) -> tuple[Ints, Ints]:
    """The codes that occur, ascending, and each row's place among them."""
    most = int(codes.max(initial=0))
    if most > 4 * len(codes) + 1024:
        kept, places = np.unique(codes, return_inverse=True)
        return kept, places
    present = np.zeros(most + 1, dtype=bool)
    present[codes] = True
    kept = np.flatnonzero(present)
    places = np.zeros(most + 1, dtype=np.int64)
    places[kept] = np.arange(len(kept))
    return kept, places[codes]
