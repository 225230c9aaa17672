"""What stands at one moment, and which of its runs and series a question is of."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from macmeter import catalog
from macmeter.access.scope import Scope
from macmeter.catalog import Kind
from macmeter.columns.batch import Series
from macmeter.columns.names import Ints, Names
from macmeter.columns.recent import Recent
from macmeter.columns.segment import Bools, Rows, Segment, build
from macmeter.observing.cost import count_values
from macmeter.terms import Op, Term, Value

# Of runs and not of their setups.
_OF_RUNS = ("machine", "month")
# What one question asks for again and again, and the next one probably, too.
_CHOSEN, _MADE = 16, 64


@dataclass(frozen=True, eq=False)
class Part:
    """Some rows of one series in one segment."""

    series: int
    segment: Segment
    first_run: int
    """The number of the segment's first run among all."""
    rows: Rows
    chosen: Ints

    @property
    def runs(self) -> Ints:
        """Their runs' numbers among all."""
        return self.rows.run[self.chosen].astype(np.int64) + self.first_run


@dataclass(frozen=True, eq=False)
class View:
    """Runs are numbered through all segments; nothing in a view ever changes."""

    names: Names
    series: dict[int, Series]
    fleets: dict[uuid.UUID, str]
    segments: tuple[Segment, ...]
    alive: tuple[Bools, ...]
    _chosen: Recent = field(default_factory=lambda: Recent(_CHOSEN))
    """Which runs match filters: a byte a run each."""
    _made: Recent = field(default_factory=lambda: Recent(_MADE))

    @cached_property
    def first_runs(self) -> list[int]:
        lengths = [len(segment.runs) for segment in self.segments]
        return [0, *np.cumsum(lengths).tolist()]

    def of_runs(self, name: str) -> Any:
        """One of the arrays of runs, through all segments."""
        kept = self.__dict__.setdefault("_of_runs", {})
        if name not in kept:
            segments = self.segments or (build(Names(), []),)
            parts = [getattr(segment.runs, name) for segment in segments]
            kept[name] = np.concatenate(parts) if len(parts) != 1 else parts[0]
        return kept[name]

    def run_ids(self, runs: Ints) -> list[bytes]:
        found: list[bytes] = self.of_runs("run_id")[runs].tolist()
        return found

    def numbers_of(self, run_ids: Iterable[bytes]) -> Ints:
        """The numbers of the runs with these ids."""
        found = []
        for run_id in run_ids:
            for segment, alive, first in zip(
                self.segments, self.alive, self.first_runs[:-1], strict=True
            ):
                place = segment.places.get(run_id)
                if place is not None and alive[place]:
                    found.append(first + place)
        return np.array(found, dtype=np.int64)

    def machine_id(self, number: int) -> uuid.UUID:
        return uuid.UUID(bytes=self.names.machines.things[number])

    def values(self, name: str) -> tuple[Ints, list[Value]]:
        """Each setup's code of a dimension, and the values that codes stand for."""
        codes, values = self.names.setup_values(name)
        if name == "fleet":
            return codes, [self.fleets.get(value) for value in values]
        return codes, values

    def kept(self, kind: str, key: Hashable, make: Callable[[], Any]) -> Any:
        """What was made once of this view."""
        return self._made.of((kind, key), make)

    # Choosing

    def parts(
        self, metric: str, terms: Sequence[Term], scope: Scope, *, aside: bool
    ) -> dict[int, list[Part]]:
        """By series a metric's rows under these filters: the clean ones, or those set aside."""
        of_runs = [term for term in terms if not catalog.is_of_sample(term.dimension)]
        of_samples = [term for term in terms if catalog.is_of_sample(term.dimension)]
        chosen = self.runs(of_runs, scope)
        found: dict[int, list[Part]] = {}
        for number in self.of_metric(metric):
            if not self._is_of(number, of_samples):
                continue
            for segment, first_run, runs in zip(
                self.segments, self.first_runs[:-1], chosen, strict=True
            ):
                column = segment.columns.get(number)
                if column is not None:
                    rows = column.aside if aside else column.clean
                    places = np.flatnonzero(runs[rows.run])
                    if len(places):
                        count_values(len(places))
                        part = Part(number, segment, first_run, rows, places)
                        found.setdefault(number, []).append(part)
        return found

    def of_metric(self, metric: str) -> list[int]:
        """The numbers of a metric's series."""
        kept = self.__dict__.setdefault("_of_metric", {})
        if not kept:
            for number, series in self.series.items():
                kept.setdefault(series.metric, []).append(number)
        listed: list[int] = kept.get(metric, [])
        return listed

    def runs(self, terms: Sequence[Term], scope: Scope) -> list[Bools]:
        """In each segment, which runs match and may be read."""
        key = (tuple(terms), scope)
        found: list[Bools] = self._chosen.of(key, lambda: self._choose(terms, scope))
        return found

    def _choose(self, terms: Sequence[Term], scope: Scope) -> list[Bools]:
        setups = self._setups([t for t in terms if t.dimension not in _OF_RUNS])
        public, own = self._readable(scope)
        single = [
            (name, self._single(name, [t for t in terms if t.dimension == name]))
            for name in _OF_RUNS
            if any(t.dimension == name for t in terms)
        ]
        found = []
        for segment, alive in zip(self.segments, self.alive, strict=True):
            runs = segment.runs
            mask = (setups & public)[runs.setup]
            if own is not None:
                mask |= setups[runs.setup] & np.isin(runs.machine, own)
            mask &= alive
            for name, allowed in single:
                mask &= allowed[getattr(runs, name)]
            found.append(mask)
        return found

    def _readable(self, scope: Scope) -> tuple[Bools, Ints | None]:
        """By setup, whether its runs may be read; and machines of which all may."""
        codes, values = self.names.setup_values("visibility")
        allowed = np.array([value == "public" for value in values], dtype=bool)[codes]
        if scope.fleet_ids:
            codes, values = self.names.setup_values("fleet_id")
            allowed |= np.array([value in scope.fleet_ids for value in values], dtype=bool)[codes]
        if scope.machine_id is None:
            return allowed, None
        own = self.names.machines.known(scope.machine_id.bytes)
        return allowed, np.array([own] if own is not None else [], dtype=np.int64)

    def _setups(self, terms: Sequence[Term]) -> Bools:
        """By setup: OR inside a dimension, AND across."""
        found = np.ones(len(self.names.setups), dtype=bool)
        for name in {term.dimension for term in terms}:
            codes, values = self.values(name)
            of_name = [term for term in terms if term.dimension == name]
            found &= np.array([matches(value, of_name) for value in values], dtype=bool)[codes]
        return found

    def _single(self, name: str, terms: Sequence[Term]) -> Bools:
        """By number of machine or month, whether it matches."""
        if name == "month":
            values: Iterable[Any] = self.names.months.things
            return np.array([matches(value, terms) for value in values], dtype=bool)
        number_of = self.names.machines.known
        is_one = [t for t in terms if t.op is Op.IS]
        allowed = np.full(len(self.names.machines), not is_one)
        # What is excluded is excluded whatever else matches.
        for term in sorted(terms, key=lambda term: term.op is Op.NOT):
            known = number_of(uuid.UUID(str(term.value)).bytes) if term.value is not None else None
            if known is not None:
                allowed[known] = term.op is Op.IS
        return allowed

    def _is_of(self, number: int, terms: Sequence[Term]) -> bool:
        return all(
            matches(self.parameter(number, name), [t for t in terms if t.dimension == name])
            for name in {term.dimension for term in terms}
        )

    def parameter(self, number: int, name: str) -> Value:
        """A series' value of a dimension of samples."""
        return parameter_of(self.series[number].parameters, name)


def parameter_of(parameters: dict[str, Any], name: str) -> Value:
    """A parameter as the value of its dimension; None where it is not stated."""
    value = parameters.get(name)
    if value is None:
        return None
    if catalog.DIMENSIONS[name].kind is Kind.NUMBER:
        return float(value)
    return value if isinstance(value, str) else _as_text(value)


def _as_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def matches(value: Value, terms: Iterable[Term]) -> bool:
    """Whether a value passes the filters of its dimension: one of those wanted, none unwanted.

    Not stated is not the excluded value either: it stays in.
    """
    wanted: list[bool] = []
    for term in terms:
        holds = _CONDITIONS[term.op](value, term)
        if term.op in (Op.NOT, Op.NOT_RANGE):
            if holds:
                return False
        else:
            wanted.append(holds)
    return any(wanted) if wanted else True


def _equals(value: Value, term: Term) -> bool:
    return value == term.value if term.value is not None else value is None


def _within(value: Value, term: Term) -> bool:
    if value is None:
        return False
    number = float(value)
    return (term.low is None or number >= term.low) and (term.high is None or number <= term.high)


_CONDITIONS: dict[Op, Callable[[Value, Term], bool]] = {
    Op.IS: _equals,
    Op.NOT: _equals,
    Op.RANGE: _within,
    Op.NOT_RANGE: _within,
}
