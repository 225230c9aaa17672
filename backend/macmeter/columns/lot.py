"""Rows that may belong to one figure: of one metric, in however many series and segments."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from macmeter import catalog
from macmeter.catalog import ANY_LABEL, DETERMINES_WHERE, LABEL_PREFIX
from macmeter.columns.coded import dense, occurring
from macmeter.columns.names import Ints
from macmeter.columns.owned import drives_of
from macmeter.columns.recent import Recent
from macmeter.columns.segment import Floats, Small
from macmeter.columns.view import Part, View
from macmeter.terms import Value

# One value of each determinant that a question leaves open.
Setting = Mapping[str, Value]


@dataclass(frozen=True, eq=False)
class Lot:
    """R rows by their places in the columns of the parts, one column after another; everything of
    them that figures may need, read when it is needed.
    """

    view: View
    parts: tuple[Part, ...]
    determinants: tuple[str, ...]
    layouts: Recent
    """Of one question: its lots are mostly of the same runs."""
    _settings: dict[tuple[int, int], Setting] = field(default_factory=dict)

    def __len__(self) -> int:
        return sum(map(len, self.parts))

    def _read(self, rows: Ints, read: Callable[[Part, Ints], NDArray[Any]]) -> NDArray[Any]:
        """What `read` finds for these rows, given part by part by their places in its column."""
        if len(self.parts) == 1:
            return read(self.parts[0], rows)
        numbers = np.searchsorted(self.first_rows, rows, side="right") - 1
        found = None
        for number, part in enumerate(self.parts):
            own = np.flatnonzero(numbers == number)
            if len(own) or found is None:
                of_part = read(part, rows[own] - self.first_rows[number])
                if found is None or found.dtype != of_part.dtype:
                    kind = of_part.dtype if found is None else np.result_type(found, of_part)
                    found = np.empty(len(rows), kind) if found is None else found.astype(kind)
                found[own] = of_part
        assert found is not None
        return found

    @cached_property
    def first_rows(self) -> list[int]:
        """Where the columns of each part begin."""
        return [0, *itertools.accumulate(len(part.rows) for part in self.parts[:-1])]

    def of_runs(self, name: str, rows: Ints) -> NDArray[Any]:
        """By row one of the arrays of runs."""
        return self._read(rows, lambda part, at: part.of_runs(name, at))

    def runs(self, rows: Ints) -> Ints:
        """Their numbers among all."""
        return self._read(rows, lambda part, at: part.rows.run.take(at) + np.int64(part.first_run))

    def flags(self, rows: Ints) -> Small:
        return self._read(rows, lambda part, at: part.rows.flags.take(at))

    def values(self, rows: Ints) -> Floats:
        return self._read(rows, lambda part, at: part.rows.values.take(at))

    def drives(self, rows: Ints) -> Small | None:
        """By row the code of its drive; None where no two are known."""
        if len(self.view.names.devices) < 2:
            return None

        def read(part: Part, at: Ints) -> NDArray[Any]:
            codes = drives_of(part.segment, part.names)
            assert codes is not None
            return codes.take(part.rows.run.take(at))

        return self._read(rows, read)

    @cached_property
    def count(self) -> int | None:
        """How many samples each row has, where all have as many."""
        counts = {part.rows.count for part in self.parts}
        return counts.pop() if len(counts) == 1 else None

    @cached_property
    def series(self) -> list[int]:
        return sorted({part.series for part in self.parts})

    @property
    def is_of_one_series(self) -> bool:
        return len(self.series) == 1

    def series_places(self, rows: Ints) -> Ints:
        """By row the place of its series among `series`."""
        return self._read(rows, lambda part, at: np.full(len(at), self.series.index(part.series)))

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
        """Of the determinants that aren't parameters; the same for all lots of a view."""
        known = self.view.kept("settings", (self.determinants, by), dict)
        if setup not in known:
            values: dict[str, Value] = {}
            for name in self.determinants:
                if name == ANY_LABEL:
                    codes, labels = self.view.names.setup_values("labels")
                    told = ((LABEL_PREFIX + key, value) for key, value in labels[codes[setup]])
                    values |= {label: value for label, value in sorted(told) if label not in by}
                elif not catalog.is_of_sample(name):
                    values[name] = self._value(setup, name)
            known[setup] = values
        found: Setting = known[setup]
        return found

    def _value(self, setup: int, name: str) -> Value:
        """A determinant's; None where it is not stated, or does not matter there."""
        if name in DETERMINES_WHERE:
            other, wanted = DETERMINES_WHERE[name]
            codes, values = self.view.values(other)
            if values[codes[setup]] != wanted:
                return None
        codes, values = self.view.values(name)
        found: Value = values[codes[setup]]
        return found

    def settings(self, by: tuple[str, ...]) -> tuple[Ints, Ints]:
        """By setup the number of its setting, and of each setting one of its setups."""

        def number() -> tuple[Ints, Ints]:
            numbers: Ints = np.zeros(len(self.view.names.setups), dtype=np.int64)
            for name in self.determinants:
                if not catalog.is_of_sample(name):
                    codes = self._setup_codes(name)
                    numbers = dense(numbers * (int(codes.max(initial=0)) + 1) + codes)[1]
            examples = np.zeros(int(numbers.max(initial=-1)) + 1, dtype=np.int64)
            examples[numbers] = np.arange(len(numbers))
            return numbers, examples

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
        numbers, examples = self.settings(by)
        listed = [numbers[setups] for _, setups in setups_of_series]
        having = examples[occurring(np.concatenate([_NONE, *listed]))]
        # Groups of several series mostly have the same.
        key = (self.determinants, by, having.tobytes())
        of_setups: dict[str, set[Value]] = self.view.kept(
            "values", key, lambda: self._values_of_setups(having.tolist(), by)
        )
        found: dict[str, set[Value]] = {}
        for name in self.determinants:
            if name == ANY_LABEL:
                found |= {label: values for label, values in of_setups.items() if _is_label(label)}
            elif catalog.is_of_sample(name):
                found[name] = {self.view.parameter(series, name) for series, _ in setups_of_series}
            else:
                found[name] = of_setups[name]
        return found

    def _values_of_setups(self, setups: list[int], by: tuple[str, ...]) -> dict[str, set[Value]]:
        settings = [self._setting_of(setup, by) for setup in setups]
        names = {name: None for one in settings for name in one}
        labels = sorted(filter(_is_label, names))
        own = [name for name in self.determinants if name in names]
        return {name: {one[name] for one in settings if name in one} for name in (*own, *labels)}


_NONE = np.zeros(0, dtype=np.int64)


def _is_label(name: str) -> bool:
    return name.startswith(LABEL_PREFIX)
