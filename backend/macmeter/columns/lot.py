"""Rows that may stand in one figure: of one metric, in however many series and segments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from macmeter import catalog
from macmeter.catalog import ANY_LABEL, DETERMINES_WHERE, LABEL_PREFIX
from macmeter.columns.names import Ints
from macmeter.columns.segment import Bools, Floats, expand
from macmeter.columns.view import Part, View
from macmeter.terms import Value

_BITS = 63
_RowsAt = Callable[[Ints], Ints]
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
        return sum(len(part.chosen) for part in self.parts)

    @cached_property
    def runs(self) -> Ints:
        return np.concatenate([part.runs for part in self.parts])

    @cached_property
    def machines(self) -> Ints:
        found: Ints = self.view.of_runs("machine")[self.runs].astype(np.int64)
        return found

    @cached_property
    def setups(self) -> Ints:
        found: Ints = self.view.of_runs("setup")[self.runs].astype(np.int64)
        return found

    @cached_property
    def unspecified(self) -> Bools:
        codes, values = self.view.values("unspecified")
        return np.array([bool(value) for value in values])[codes][self.setups]

    @cached_property
    def flags(self) -> Ints:
        return np.concatenate([part.rows.flags[part.chosen] for part in self.parts])

    @cached_property
    def counts(self) -> NDArray[np.uint16]:
        return np.concatenate([part.rows.counts[part.chosen] for part in self.parts])

    @cached_property
    def values(self) -> Floats:
        return np.concatenate(
            [part.rows.values[part.rows.rank[part.chosen]] for part in self.parts]
        )

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
            [len(part.chosen) for part in self.parts],
        )

    def samples(self, rows: Ints) -> NDArray[np.int16]:
        """All samples of these rows, in steps of their logarithm and in no order."""
        listed = np.sort(rows)
        ends = np.searchsorted(listed, np.cumsum([len(part.chosen) for part in self.parts]))
        found = []
        first = 0
        for part, start, end in zip(self.parts, [0, *ends[:-1]], ends, strict=True):
            chosen = part.chosen[listed[start:end] - first]
            found.append(
                part.rows.samples[expand(part.rows.starts[chosen], part.rows.counts[chosen])]
            )
            first += len(part.chosen)
        return np.concatenate(found)

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
        self, setups_of_series: Sequence[tuple[int, int]], by: tuple[str, ...]
    ) -> dict[str, set[Value]]:
        """The values of each determinant in these setups and series, None where not stated."""
        setups = np.array(sorted({setup for setup, _ in setups_of_series}), dtype=np.int64)
        series = {number for _, number in setups_of_series}
        measured = {
            name: {self.view.parameter(number, name) for number in series}
            for name in self.determinants
            if catalog.is_of_sample(name)
        }
        return measured | self._of_runs(setups, by)

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
        found.update(values[code] for code in set(codes[setups].tolist()))
        return found

    def _labels(self, setups: Ints, by: tuple[str, ...]) -> dict[str, set[Value]]:
        codes, values = self.view.names.setup_values("labels")
        found: dict[str, set[Value]] = {}
        for code in sorted(set(codes[setups].tolist())):
            for key, value in values[code]:
                found.setdefault(LABEL_PREFIX + key, set()).add(value)
        return {name: found[name] for name in sorted(found) if name not in by}

    def ordered(self, groups: Ints, count: int) -> Ints:
        """All rows by group (of `count`), machine and value.

        Group, machine and the value's rank are packed into one whole number, and those are sorted.
        """
        machines = 2 * len(self.view.names.machines)
        owner = (groups * machines) + 2 * self.machines + self.unspecified
        slots, most, rows_at = self._slots()
        width = int(most).bit_length()
        if (count * machines).bit_length() + width > _BITS:
            return np.lexsort((self.values, owner))
        packed = np.sort((owner << width) | slots)
        return rows_at(packed & ((1 << width) - 1))

    def _slots(self) -> tuple[Ints, int, _RowsAt]:
        """A whole number for each row, ascending with its value; the greatest; and the way back.

        The part with most rows has its ranks. The values of the others, which are few, are sorted
        and find their places between those.
        """
        sizes = [len(part.chosen) for part in self.parts]
        first_rows = np.cumsum([0, *sizes])
        main = int(np.argmax(sizes))
        part = self.parts[main]
        others = np.concatenate(
            [np.arange(first_rows[n], first_rows[n + 1]) for n in range(len(sizes)) if n != main]
            or [np.zeros(0, dtype=np.int64)]
        ).astype(np.int64)
        ranks = part.rows.rank[part.chosen].astype(np.int64)
        row_of_rank = np.empty(len(part.rows), dtype=np.int64)
        row_of_rank[ranks] = np.arange(first_rows[main], first_rows[main + 1])
        if not len(others):
            return ranks, len(part.rows), row_of_rank.__getitem__
        others = others[np.argsort(self.values[others], kind="stable")]
        every = len(others) + 1
        slots = np.empty(len(self), dtype=np.int64)
        slots[first_rows[main] : first_rows[main + 1]] = ranks * every + len(others)
        between = np.searchsorted(part.rows.values, self.values[others])
        slots[others] = between * every + np.arange(len(others))

        def rows_at(sorted_slots: Ints) -> Ints:
            rank, place = np.divmod(sorted_slots, every)
            is_main = place == len(others)
            found = np.empty(len(sorted_slots), dtype=np.int64)
            found[is_main] = row_of_rank[rank[is_main]]
            found[~is_main] = others[place[~is_main]]
            return found

        return slots, (len(part.rows) + 1) * every, rows_at
