"""The state at one moment, and the runs and series that a question selects."""

from __future__ import annotations

import bisect
import uuid
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from macmeter import catalog
from macmeter.access.scope import Scope
from macmeter.catalog import Kind
from macmeter.columns.batch import Series
from macmeter.columns.building import build
from macmeter.columns.chosen import Chosen, Kept
from macmeter.columns.names import Ints, Names
from macmeter.columns.owned import runs_of
from macmeter.columns.recent import Recent
from macmeter.columns.segment import RUN_ID, Bools, Cells, Rows, Segment, Small
from macmeter.compiled.loops import gather
from macmeter.observing.cost import count_values
from macmeter.terms import Op, Term, Value, matches

# Of runs and not of their setups.
_OF_RUNS = ("machine", "month")
MADE = 64


@dataclass(frozen=True, eq=False)
class Part:
    """Some rows of one series in one segment."""

    series: int
    segment: Segment
    first_run: int
    """The number of the segment's first run among all."""
    rows: Rows
    cells: Cells | None
    """Of `rows`, where they are clean and many."""
    among: Chosen
    """Whose they are: of which of the segment's runs."""
    names: Names

    def __len__(self) -> int:
        return self._length

    @cached_property
    def _length(self) -> int:
        if self.among.mask is None:
            return len(self.rows)
        if self.cells is None:
            return int(np.count_nonzero(gather(self.among.mask, self.rows.run)))
        return int(np.count_nonzero(self.having))

    @cached_property
    def chosen(self) -> Ints | None:
        """Their places in the column, ascending; None where it is all of them."""
        mask = self.among.mask
        return None if mask is None else np.flatnonzero(gather(mask, self.rows.run))

    @property
    def having(self) -> Bools:
        """By run of the segment, whether it has one of them."""
        having = runs_of(self.segment, self.rows)
        return having if self.among.mask is None else having & self.among.mask

    def let_go(self) -> None:
        """What was looked up by row."""
        self.__dict__.pop("chosen", None)

    def only(self, array: NDArray[Any]) -> NDArray[Any]:
        """Of an array of the rows what belongs to those chosen."""
        return array if self.chosen is None else array.take(self.chosen)

    def of_runs(self, name: str, at: Ints | None = None) -> NDArray[Any]:
        """By row one of the arrays of runs; or of the rows at these places of the column."""
        runs = self.only(self.rows.run) if at is None else self.rows.run.take(at)
        return gather(getattr(self.segment.runs, name), runs)

    @property
    def setups(self) -> Ints:
        """Of which it has rows, ascending."""
        if self.cells is not None:
            setups = self.cells.setup
            whole, some = self.among.whole, self.among.some
            if self.among.mask is None or (whole | ~some)[setups].all():
                return setups[some[setups]]
        return np.flatnonzero(np.bincount(self.of_runs("setup")))

    @property
    def runs(self) -> Small:
        """Their runs' numbers among all."""
        return self.only(self.rows.run) + np.int32(self.first_run)


@dataclass(frozen=True, eq=False)
class View:
    """Runs are numbered through all segments; nothing in a view ever changes."""

    names: Names
    series: dict[int, Series]
    fleets: dict[uuid.UUID, str]
    segments: tuple[Segment, ...]
    alive: tuple[Bools, ...]
    public_fleets: frozenset[uuid.UUID] = frozenset()
    """Those whose runs everybody reads now."""
    made: Recent = field(default_factory=lambda: Recent(MADE))
    """Of setups, whatever their runs: another view of the same ones may have it, too."""

    @cached_property
    def first_runs(self) -> list[int]:
        lengths = [len(segment.runs) for segment in self.segments]
        return [0, *np.cumsum(lengths).tolist()]

    def of_runs(self, name: str) -> Through:
        """One of the arrays of runs, through all segments."""
        return Through(self, name)

    def received_by(self, moment: datetime) -> View:
        """As it is without the runs that came later."""
        latest = int(moment.timestamp() * 1e6)
        alive = tuple(
            alive & (segment.runs.received <= latest)
            for segment, alive in zip(self.segments, self.alive, strict=True)
        )
        return replace(self, alive=alive)

    def run_ids(self, runs: Ints) -> list[bytes]:
        found: list[bytes] = self.of_runs("run_id")[runs].tolist()
        return found

    def numbers_of(self, run_ids: Iterable[bytes]) -> Ints:
        """The numbers of the runs with these ids."""
        wanted = np.array([*run_ids], dtype=RUN_ID)
        found: list[Ints] = [np.zeros(0, dtype=np.int64)]
        if len(wanted):
            for segment, alive, first in zip(
                self.segments, self.alive, self.first_runs[:-1], strict=True
            ):
                places = segment.places(wanted)
                places = places[places >= 0]
                found.append(places[alive[places]] + first)
        return np.concatenate(found)

    def machine_id(self, number: int) -> uuid.UUID:
        return uuid.UUID(bytes=self.names.machines[number])

    def values(self, name: str) -> tuple[Ints, list[Value]]:
        """Each setup's code of a dimension, and the values of the codes."""
        codes, values = self.names.setup_values(name)
        if name == "fleet":
            named: list[Value] = [self.fleets.get(value) for value in values]
            # Fleets that nobody may name are one value.
            return np.array([named.index(value) for value in named], dtype=np.int64)[codes], named
        return codes, values

    def kept(self, kind: str, key: Hashable, make: Callable[[], Any]) -> Any:
        """What was made once of these setups and the names of fleets."""
        return self.made.of((kind, key), make)

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
                if column is None:
                    continue
                rows = column.aside if aside else column.clean
                cells = None if aside else column.cells
                part = Part(number, segment, first_run, rows, cells, runs, self.names)
                if len(part):
                    count_values(len(part))
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

    def runs(self, terms: Sequence[Term], scope: Scope) -> list[Chosen]:
        """In each segment, which runs match and may be read."""
        scope = scope.asked(terms)
        # Codes mean the same forever, except for fleets' names and what a fleet shows.
        fleets = self.fleets if any(term.dimension == "fleet" for term in terms) else {}
        key = (tuple(terms), scope, self.public_fleets, tuple(sorted(fleets.items())))
        choose = _Choice(self, terms, scope)
        return [
            segment.chosen.of(key, partial(choose.kept, segment)).chosen.standing(segment, alive)
            for segment, alive in zip(self.segments, self.alive, strict=True)
        ]

    def mask(self, terms: Sequence[Term], scope: Scope) -> Bools:
        """Through all segments, which runs match and may be read."""
        every = [
            np.ones(len(segment.runs), dtype=bool) if runs.mask is None else runs.mask
            for segment, runs in zip(self.segments, self.runs(terms, scope), strict=True)
        ]
        return np.concatenate([np.zeros(0, dtype=bool), *every])

    def _is_of(self, number: int, terms: Sequence[Term]) -> bool:
        return all(
            matches(self.parameter(number, name), [t for t in terms if t.dimension == name])
            for name in {term.dimension for term in terms}
        )

    def parameter(self, number: int, name: str) -> Value:
        """A series' value of a dimension of samples."""
        return parameter_of(self.series[number].parameters, name)


class Through:
    """An array of runs that lies in several segments."""

    def __init__(self, view: View, name: str) -> None:
        self._first_runs = view.first_runs
        segments = view.segments or (build(Names(), []),)
        self._arrays = [getattr(segment.runs, name) for segment in segments]

    def __getitem__(self, runs: Any) -> Any:
        """Of one run, or of an array of them."""
        if len(self._arrays) == 1:
            return self._arrays[0][runs]
        if np.ndim(runs) == 0:
            number = bisect.bisect_right(self._first_runs, runs) - 1
            return self._arrays[number][runs - self._first_runs[number]]
        if len(runs) and (runs[1:] >= runs[:-1]).all():
            ends = np.searchsorted(runs, self._first_runs).tolist()
            some = zip(self._arrays, ends, ends[1:], self._first_runs, strict=False)
            return np.concatenate([array[runs[a:b] - first] for array, a, b, first in some])
        order = np.argsort(runs, kind="stable")
        ordered = self[runs[order]] if len(runs) else np.concatenate(self._arrays)[:0]
        found = np.empty_like(ordered)
        found[order] = ordered
        return found


class _Choice:
    """Which runs of a segment match filters and may be read, worked out where it is not known."""

    def __init__(self, view: View, terms: Sequence[Term], scope: Scope) -> None:
        self._view, self._terms, self._scope = view, terms, scope

    def kept(self, segment: Segment) -> Kept:
        return Kept(self.of(segment), len(segment.runs))

    def of(self, segment: Segment) -> Chosen:
        """Without a look at which are alive."""
        runs = segment.runs
        setups, (public, own), single = self._decided
        allowed = setups & public
        if own is None and not single:
            if allowed[segment.setups].all():
                return Chosen(None, allowed, allowed)
            return Chosen(gather(allowed, runs.setup), allowed, allowed)
        mask: Bools = gather(allowed, runs.setup)
        if own is not None:
            mask |= setups[runs.setup] & np.isin(runs.machine, own)
        for name, of_name in single:
            mask &= of_name[getattr(runs, name)]
        every = np.bincount(runs.setup, minlength=len(setups))
        matching = np.bincount(runs.setup[mask], minlength=len(setups))
        return Chosen(None if mask.all() else mask, every == matching, matching > 0)

    @cached_property
    def _decided(self) -> tuple[Bools, tuple[Bools, Ints | None], list[tuple[str, Bools]]]:
        """By setup what matches and what may be read, and what single runs are asked for."""
        terms = self._terms
        single = [
            (name, self._single(name, [t for t in terms if t.dimension == name]))
            for name in _OF_RUNS
            if any(t.dimension == name for t in terms)
        ]
        of_setups = [term for term in terms if term.dimension not in _OF_RUNS]
        return self._setups(of_setups), self._readable(self._scope), single

    def _readable(self, scope: Scope) -> tuple[Bools, Ints | None]:
        """By setup, whether its runs may be read; and machines of which all may."""
        codes, values = self._view.names.setup_values("visibility")
        allowed = np.array([value == "public" for value in values], dtype=bool)[codes]
        if fleets := scope.fleet_ids | self._view.public_fleets:
            codes, values = self._view.names.setup_values("fleet_id")
            allowed |= np.array([value in fleets for value in values], dtype=bool)[codes]
        if scope.machine_id is None:
            return allowed, None
        own = self._view.names.machines.known(scope.machine_id.bytes)
        return allowed, np.array([own] if own is not None else [], dtype=np.int64)

    def _setups(self, terms: Sequence[Term]) -> Bools:
        """By setup: OR inside a dimension, AND across."""
        found = np.ones(len(self._view.names.setups), dtype=bool)
        for name in {term.dimension for term in terms}:
            codes, values = self._view.values(name)
            of_name = [term for term in terms if term.dimension == name]
            found &= np.array([matches(value, of_name) for value in values], dtype=bool)[codes]
        return found

    def _single(self, name: str, terms: Sequence[Term]) -> Bools:
        """By number of machine or month, whether it matches."""
        if name == "month":
            values: Iterable[Any] = self._view.names.months.things
            return np.array([matches(value, terms) for value in values], dtype=bool)
        number_of = self._view.names.machines.known
        is_one = [t for t in terms if t.op is Op.IS]
        allowed = np.full(len(self._view.names.machines), not is_one)
        # What is excluded is excluded whatever else matches.
        for term in sorted(terms, key=lambda term: term.op is Op.NOT):
            known = number_of(uuid.UUID(str(term.value)).bytes) if term.value is not None else None
            if known is not None:
                allowed[known] = term.op is Op.IS
        return allowed


def parameter_of(parameters: dict[str, Value], name: str) -> Value:
    """A parameter as the value of its dimension; None where it is not stated."""
    value = parameters.get(name)
    if value is None:
        return None
    if catalog.DIMENSIONS[name].kind is Kind.NUMBER:
        return float(value)
    return value if isinstance(value, str) else _as_text(value)


def _as_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
