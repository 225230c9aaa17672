"""Rows that may stand in one figure: of one metric, in however many series and segments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from macmeter import catalog
from macmeter.catalog import ANY_LABEL, DETERMINES_WHERE, LABEL_PREFIX
from macmeter.columns.names import Ints
from macmeter.columns.segment import Bools, Floats, Small, expand
from macmeter.columns.view import Part, View
from macmeter.stats.spread import Counted
from macmeter.terms import Value

# One value of each determinant that a question leaves open.
Setting = Mapping[str, Value]


@dataclass(frozen=True, eq=False)
class Lot:
    """R rows, part after part; everything of them that figures may need, read when it is needed."""

    view: View
    parts: tuple[Part, ...]
    determinants: tuple[str, ...]
    _settings: dict[tuple[int, int], Setting] = field(default_factory=dict)

    def __len__(self) -> int:
        return sum(map(len, self.parts))

    def let_go(self) -> None:
        """What was read of the rows, as soon as nobody needs it: of a million it is megabytes."""
        for name in ("runs", "owners", "setups", "devices", "flags", "counts", "values"):
            self.__dict__.pop(name, None)

    def _of_parts(self, read: Callable[[Part], NDArray[Any]]) -> NDArray[Any]:
        if len(self.parts) == 1:
            return read(self.parts[0])
        return np.concatenate([read(part) for part in self.parts])

    def of_runs(self, name: str) -> NDArray[Any]:
        """By row one of the arrays of runs."""
        return self._of_parts(lambda part: part.of_runs(name))

    @cached_property
    def runs(self) -> Small:
        return self._of_parts(lambda part: part.runs)

    @cached_property
    def owners(self) -> Small:
        return self.of_runs("owner")

    @cached_property
    def setups(self) -> Small:
        return self.of_runs("setup")

    @cached_property
    def devices(self) -> Small:
        return self.of_runs("device")

    @cached_property
    def flags(self) -> Small:
        return self._of_parts(lambda part: part.only(part.rows.flags))

    @cached_property
    def counts(self) -> NDArray[np.uint16]:
        return self._of_parts(lambda part: part.only(part.rows.counts))

    @cached_property
    def count(self) -> int | None:
        """How many samples each row has, where all have as many."""
        counts = {part.rows.count for part in self.parts}
        return counts.pop() if len(counts) == 1 else None

    @cached_property
    def values(self) -> Floats:
        return self._of_parts(lambda part: part.only(part.rows.values))

    def numbered(self, key: object, numbers: NDArray[Any]) -> NDArray[Any]:
        """By row the number that its setup has; `key` names these numbers in the view."""

        def of_segment(part: Part) -> NDArray[Any]:
            runs = part.segment.runs
            found: NDArray[Any] = self.view.kept(
                "numbered runs", (key, id(part.segment)), lambda: numbers[runs.setup]
            )
            return found

        return self._of_parts(lambda part: of_segment(part)[part.only(part.rows.run)])

    def setup_of(self, row: int) -> int:
        for part in self.parts:
            if row < len(part):
                place = row if part.chosen is None else part.chosen[row]
                return int(part.segment.runs.setup[part.rows.run[place]])
            row -= len(part)
        raise IndexError(row)

    @cached_property
    def setups_of_series(self) -> list[tuple[int, Ints]]:
        """The setups of which it has rows, ascending, in each series."""
        found: dict[int, list[Ints]] = {}
        for part in self.parts:
            found.setdefault(part.series, []).append(part.setups)
        return [
            (number, listed[0] if len(listed) == 1 else _union(listed))
            for number, listed in sorted(found.items())
        ]

    @cached_property
    def series(self) -> list[int]:
        return sorted({part.series for part in self.parts})

    @property
    def is_of_one_series(self) -> bool:
        return len(self.series) == 1

    @cached_property
    def series_places(self) -> Ints:
        """By row the place of its series among `series`."""
        return np.repeat(
            [self.series.index(part.series) for part in self.parts],
            [len(part) for part in self.parts],
        )

    def steps(self, rows: Ints | None, setups: Mapping[int, Ints] | None) -> Counted:
        """All samples of these rows, None for all, in steps of their logarithm.

        `setups` are by series those whose every row it is, where the rows are that.
        """
        found: list[Counted] = []
        first = 0
        for part in self.parts:
            end = first + len(part)
            known, is_left = _known_steps(part, setups.get(part.series) if setups else None)
            found += known
            if is_left is not None:
                own = _rows_within(rows, first, end)
                if part.chosen is not None:
                    own = part.chosen[own]
                left = own[is_left[part.segment.runs.setup[part.rows.run[own]]]]
                if len(left):
                    found.append(Counted.of(part.rows.samples_of(left)))
            first = end
        return Counted.together(found)

    def setting(self, setup: int, series: int, by: tuple[str, ...]) -> Setting:
        """The determinants' values in one setup and series; each label is a dimension."""
        key = (setup, series)
        if key not in self._settings:
            measured = {
                name: self.view.parameter(series, name)
                for name in self.determinants
                if catalog.is_of_sample(name)
            }
            self._settings[key] = {**measured, **self._setting_of(setup, by)}
        return self._settings[key]

    def _setting_of(self, setup: int, by: tuple[str, ...]) -> Setting:
        """Of the determinants that are no parameters; the same for all lots of a view."""
        known = self.view.kept("settings", (self.determinants, by), dict)
        if setup not in known:
            values = self._of_runs(np.array([setup]), by)
            known[setup] = {name: next(iter(one)) for name, one in values.items()}
        found: Setting = known[setup]
        return found

    def settings(self, by: tuple[str, ...]) -> tuple[Ints, Ints]:
        """By setup the number of its setting, and of each setting one of its setups."""

        def number() -> tuple[Ints, Ints]:
            numbers = np.zeros(len(self.view.names.setups), dtype=np.int64)
            for name in self.determinants:
                if not catalog.is_of_sample(name):
                    codes = self._setup_codes(name)
                    _, numbers = np.unique(
                        numbers * (codes.max(initial=0) + 1) + codes, return_inverse=True
                    )
            return numbers, np.unique(numbers, return_index=True)[1]

        found: tuple[Ints, Ints] = self.view.kept("numbered", (self.determinants, by), number)
        return found

    def _setup_codes(self, name: str) -> Ints:
        if name == ANY_LABEL:
            return self.view.names.setup_values("labels")[0]
        codes = self.view.values(name)[0]
        if name in DETERMINES_WHERE:
            other, wanted = DETERMINES_WHERE[name]
            others, values = self.view.values(other)
            matters = np.array([value == wanted for value in values], dtype=bool)[others]
            return np.where(matters, codes + 1, 0)
        return codes

    def values_of(
        self, setups_of_series: Sequence[tuple[int, Ints]], by: tuple[str, ...]
    ) -> dict[str, set[Value]]:
        """The values of each determinant in these setups and series, None where not stated."""
        measured = {
            name: {self.view.parameter(number, name) for number, _ in setups_of_series}
            for name in self.determinants
            if catalog.is_of_sample(name)
        }
        listed = [setups for _, setups in setups_of_series]
        setups = listed[0] if len(listed) == 1 else _union(listed)
        # Series of one metric mostly have the same.
        key = (self.determinants, by, setups.tobytes())
        of_setups: dict[str, set[Value]] = self.view.kept(
            "values", key, lambda: self._of_runs(setups, by)
        )
        return measured | of_setups

    def _of_runs(self, setups: Ints, by: tuple[str, ...]) -> dict[str, set[Value]]:
        found: dict[str, set[Value]] = {}
        for name in self.determinants:
            if name == ANY_LABEL:
                found |= self._labels(setups, by)
            elif not catalog.is_of_sample(name):
                found[name] = self._of_setups(setups, name)
        return found

    def _of_setups(self, setups: Ints, name: str) -> set[Value]:
        codes, values = self.view.values(name)
        found: set[Value] = set()
        if name in DETERMINES_WHERE:
            other, wanted = DETERMINES_WHERE[name]
            others, of_other = self.view.values(other)
            matters = np.array([value == wanted for value in of_other], dtype=bool)[others[setups]]
            if not matters.all():
                found.add(None)
            setups = setups[matters]
        if len(setups):
            found.update(values[code] for code in np.flatnonzero(np.bincount(codes[setups])))
        return found

    def _labels(self, setups: Ints, by: tuple[str, ...]) -> dict[str, set[Value]]:
        codes, values = self.view.names.setup_values("labels")
        found: dict[str, set[Value]] = {}
        for code in sorted(set(codes[setups].tolist())):
            for key, value in values[code]:
                found.setdefault(LABEL_PREFIX + key, set()).add(value)
        return {name: found[name] for name in sorted(found) if name not in by}

    def ordered(self, groups: NDArray[Any], count: int) -> Ints:
        """All rows by group (of `count`), owner and value.

        Those of each part lie by owner and value. The part with most is only taken apart by group,
        and the rows of the others find their places in it.
        """
        sizes = [len(part) for part in self.parts]
        first = np.cumsum([0, *sizes])
        main = int(np.argmax(sizes))
        start, end = int(first[main]), int(first[main + 1])
        order = _by_group(groups[start:end], count)
        if len(sizes) == 1:
            return order
        order += start
        others = np.concatenate([np.arange(start), np.arange(end, len(self))])
        by = (self.values[others], self.owners[others], groups[others])
        others = others[np.lexsort(by)]
        return _inserted(
            order, others, self._slots(groups, order), self._slots(groups, others), self
        )

    def _slots(self, groups: NDArray[Any], rows: Ints) -> Ints:
        """A whole number for each pair of a group and an owner, ascending in the order of both."""
        owners = 2 * len(self.view.names.machines)
        return groups[rows].astype(np.int64) * owners + self.owners[rows]


def _by_group(groups: NDArray[Any], count: int) -> Ints:
    """The order of rows by group, and else as they are."""
    if count == 1:
        return np.arange(len(groups))
    # Of small numbers the sort is by their digits.
    narrow = groups.astype(np.uint8 if count <= 2**8 else np.uint16) if count <= 2**16 else groups
    return np.argsort(narrow, kind="stable").astype(np.int32)


def _inserted(order: Ints, others: Ints, slots: Ints, wanted: Ints, lot: Lot) -> Ints:
    """`order` with `others`, both by slot and value, in their places among it."""
    low = np.searchsorted(slots, wanted, side="left")
    high = np.searchsorted(slots, wanted, side="right")
    values = lot.values[others]
    for _ in range(int((high - low).max(initial=0)).bit_length()):
        middle = (low + high) // 2
        less = (low < high) & (lot.values[order[np.minimum(middle, len(order) - 1)]] < values)
        low, high = np.where(less, middle + 1, low), np.where(less, high, middle)
    found = np.empty(len(order) + len(others), dtype=np.int64)
    places = low + np.arange(len(others))
    is_other = np.zeros(len(found), dtype=bool)
    is_other[places] = True
    found[places] = others
    found[~is_other] = order
    return found


def _rows_within(rows: Ints | None, first: int, end: int) -> Ints:
    """Of these rows, or of all, those from `first` on and before `end`, counted from there."""
    if rows is None:
        return np.arange(end - first)
    return rows[(rows >= first) & (rows < end)] - first


def _known_steps(part: Part, setups: Ints | None) -> tuple[list[Counted], Bools | None]:
    """Samples as they were counted by setup; and by setup whether rows of it are left to count."""
    count = len(part.whole)
    if part.cells is None or not len(part.cells.steps) or setups is None:
        return [], np.ones(count, dtype=bool)
    cells = part.cells
    wanted = np.zeros(count, dtype=bool)
    # Those after these came later, and have no runs in this segment.
    wanted[setups[: np.searchsorted(setups, count)]] = True
    whole = (wanted & part.whole)[cells.setup]
    is_left = wanted & part.some & ~part.whole
    found: list[Counted] = []
    if whole.all():
        found.append(Counted.of(cells.steps, cells.counts))
    elif whole.any():
        inside = expand(cells.starts[:-1][whole], np.diff(cells.starts)[whole])
        found.append(Counted.of(cells.steps[inside], cells.counts[inside]))
    return found, is_left if is_left[cells.setup].any() else None


def _union(listed: Sequence[Ints]) -> Ints:
    return np.flatnonzero(np.bincount(np.concatenate(listed)))
