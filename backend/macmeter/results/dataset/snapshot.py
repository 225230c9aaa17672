"""The data as seen by a question's transaction, for queries in SQL."""

from __future__ import annotations

import time
import uuid
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple

import duckdb
import numpy as np
from duckdb import DuckDBPyConnection
from numpy.typing import NDArray

from macmeter import catalog
from macmeter.accounts.scope import Macs, Scope
from macmeter.catalog import Kind
from macmeter.catalog.terms import Term, Value, matches
from macmeter.platform.changelog import Log
from macmeter.platform.errors import too_costly
from macmeter.platform.spark import Cluster, View
from macmeter.platform.telemetry.cost import count_reading
from macmeter.results.dataset.decoded import Memory, RunIds
from macmeter.results.dataset.dialect import ask_cluster
from macmeter.results.dataset.files import PRIVATE, PUBLIC, File, Manifest, OutrunError, Part, Set
from macmeter.results.dataset.loading import NOTHING_PRESENT, Presence
from macmeter.results.dataset.setups import Bools, Ints, Setups
from macmeter.results.dataset.sql import (
    HALVES,
    MACHINE_HALVES,
    by_subject,
    filter_condition,
    ids_of,
    listed,
    machine_number,
    machine_numbers,
    timestamp_literal,
)

Columns = dict[str, NDArray[Any]]


class Series(NamedTuple):
    """A metric under one set of parameters."""

    metric: str
    parameters: dict[str, Value]

    def parameter(self, name: str) -> Value:
        """Return the value of that dimension; None if it isn't stated."""
        value = self.parameters.get(name)
        if value is None or isinstance(value, str):
            return value
        if catalog.DIMENSIONS[name].kind is Kind.NUMBER:
            return float(value)
        return str(value).lower() if isinstance(value, bool) else str(value)


_TOO_LARGE = (
    "This needs more memory than one question may take. Add a filter, or group by fewer dimensions."
)


def _begin(cursor: DuckDBPyConnection) -> tuple[int, int]:
    """Begin a transaction; return the numbers of runs hidden in files and of runs in memory.

    DuckDB fixes the snapshot with the first read.
    """
    cursor.begin()
    counts = "SELECT (SELECT count(*) FROM changed), (SELECT count(*) FROM runs)"
    ((changed, runs),) = cursor.execute(counts).fetchall()
    return changed, runs


@dataclass(frozen=True, eq=False)
class Snapshot:
    """Immutable view of the data: its own transaction reads the tables."""

    cursor: DuckDBPyConnection
    memory: Memory
    """Rows from files, shared with other snapshots."""
    setups: Setups
    series: dict[int, Series]
    fleets: dict[uuid.UUID, str]
    """Names by id."""
    public_fleets: frozenset[uuid.UUID]
    parts: tuple[Part, ...] = ()
    """Parts on disk."""
    has_changed: bool = False
    """Whether runs in files are hidden because they have changed."""
    has_runs: bool = True
    """Whether there are runs outside files; reading them takes half of a small statement's time."""
    presence: Presence = NOTHING_PRESENT
    until: datetime | None = None
    """Ignore runs received later than this."""
    cluster: Cluster | None = None
    """Where statements run that read many results of files."""
    began: float = field(default_factory=time.monotonic)
    cached: list[tuple[Any, Columns]] = field(default_factory=list, init=False)
    """Results that were read, with their selections."""
    run_ids: RunIds = field(default_factory=RunIds, init=False)
    """Ids of the runs that were read."""
    _of_metric: dict[str, dict[int, Series]] = field(default_factory=dict)
    _registered: dict[str, Columns] = field(default_factory=dict)
    _large: set[str] = field(default_factory=set)
    """Relations with many results, for which a cluster is asked."""
    _sent: dict[str, View] = field(default_factory=dict)
    """Tables that a cluster was sent."""

    @classmethod
    def begin(
        cls,
        tables: DuckDBPyConnection,
        memory: Memory,
        series: dict[int, Series],
        log: Log,
        manifest: Manifest | None,
    ) -> Snapshot:
        cursor = tables.cursor()
        changed, runs = _begin(cursor)
        parts = manifest.parts if manifest is not None else ()
        names = (log.fleets, log.public_fleets)
        setups = memory.setups.as_now()
        return cls(cursor, memory, setups, series, *names, parts, changed > 0, runs > 0)

    def values(self, name: str) -> tuple[Ints, list[Value]]:
        """Return each setup's code of a dimension, and the values of the codes."""
        if name != "fleet":
            return self.setups.values(name)
        codes, fleets = self.setups.values("fleet_id")
        names: list[Value] = [self.fleets.get(fleet_id) for fleet_id in fleets]
        # Fleets without a known name share one value.
        return np.array([names.index(value) for value in names], dtype=np.int64)[codes], names

    def ask(self, statement: str) -> Columns:
        columns: Columns = self._execute(statement).fetchnumpy()
        return columns

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """Return the rows of `statement` as Python values; for few rows."""
        return self._execute(statement).fetchall()

    def _execute(self, statement: str) -> DuckDBPyConnection:
        """Run a statement. After a failure, a new transaction sees the tables' current state."""
        began = time.perf_counter()
        try:
            if any(relation in statement for relation in self._large):
                return self._on_cluster(statement)
            return self.cursor.execute(statement)
        except duckdb.Error as error:
            self.cursor.rollback()
            _begin(self.cursor)
            for name, relation in self._registered.items():
                self.cursor.register(name, relation)
            if isinstance(error, duckdb.OutOfMemoryException):
                raise too_costly(_TOO_LARGE, "?where") from None
            if isinstance(error, duckdb.IOException):
                raise OutrunError from error
            raise
        finally:
            count_reading(time.perf_counter() - began)

    def _on_cluster(self, statement: str) -> DuckDBPyConnection:
        assert self.cluster is not None
        until = self.began + self.cluster.seconds
        return ask_cluster(self.cluster, self.cursor, statement, self._sent, until)

    def is_hidden(self, runs: Columns) -> Bools:
        """Return which of these runs, from a file set, have changed since."""
        if not self._hidden:
            return np.zeros(len(runs["id_high"]), dtype=bool)
        hidden = np.isin(runs["id_high"], np.array([high for high, _ in self._hidden], np.uint64))
        indices = np.flatnonzero(hidden)
        ids = zip(*(runs[name][indices].tolist() for name in HALVES), strict=True)
        hidden[indices] = [run_id in self._hidden for run_id in ids]
        return hidden

    @cached_property
    def _hidden(self) -> set[tuple[int, ...]]:
        """Ids of runs that are hidden in files, as halves."""
        if not self.has_changed:
            return set()
        return {*self.rows(f"SELECT {listed(HALVES.values())} FROM changed")}

    def register(self, relation: Columns) -> str:
        """Return the name by which statements can use the relation."""
        name = f"asked_{len(self._registered)}"
        self._registered[name] = relation
        self.cursor.register(name, relation)
        return name

    def machine_ids(self, numbers: Iterable[int], scope: Scope) -> dict[int, uuid.UUID]:
        """Return the ids of machines by number, if they have runs that the scope reads."""
        missing = np.unique(np.array([*numbers], dtype=np.int64))
        ids_by_number: dict[int, uuid.UUID] = {}
        for _, machines, _ in self.memory.runs(self, scope) or () if len(missing) else ():
            matched, indices, positions = np.intersect1d(
                machines["owner"], missing, assume_unique=True, return_indices=True
            )
            ids = ids_of({name: machines[name][indices] for name in MACHINE_HALVES})
            ids_by_number |= zip(matched.tolist(), ids, strict=True)
            missing = np.delete(missing, positions)
        if not len(missing):
            return ids_by_number
        runs = self.relation("runs", "machine, machine_id", scope)
        relation = self.register({"machine": missing})
        rows = self.rows(
            f"SELECT machine, any_value(machine_id) FROM {runs} AS runs"
            f" SEMI JOIN {relation} USING (machine) GROUP BY machine"
        )
        return ids_by_number | dict(rows)

    def setups_of(self, runs: str, scope: Scope) -> list[tuple[uuid.UUID, int]]:
        """Return the ids and setups of those of these runs that the scope reads."""
        readable = self.relation("runs", "run_id, setup", scope)
        chosen = f"SELECT run_id::UUID FROM {runs}"
        return self.rows(f"SELECT run_id, setup FROM {readable} AS runs WHERE run_id IN ({chosen})")

    def relation(
        self,
        name: str,
        columns: str,
        scope: Scope,
        series: Collection[int] = (),
        large: bool = False,
    ) -> str:
        """Return the source for FROM: a table, and the files that `scope` reads; for results, only
        files that may have one of `series`. Statements with one that is `large` run on the cluster.
        """
        source = self._relation(name, columns, scope, series)
        if large and source != name:
            self._large.add(source)
        if self.until is None:
            return source
        runs = self._relation("runs", "run_id, received_at", scope, ())
        later = f"SELECT run_id FROM {runs} WHERE received_at > {timestamp_literal(self.until)}"
        return f"(SELECT {columns} FROM {source} WHERE run_id NOT IN ({later}))"

    def _relation(self, name: str, columns: str, scope: Scope, series: Collection[int]) -> str:
        paths = [
            str(part.path(file))
            for part, file in self.files_of(name, scope)
            if not series or any(file.may_have(number) for number in series)
        ]
        if not paths:
            return name
        hidden = " WHERE run_id NOT IN (FROM changed)" if self.has_changed else ""
        files = f"SELECT {columns} FROM read_parquet({paths}){hidden}"
        return (
            f"(SELECT {columns} FROM {name} UNION ALL {files})" if self.has_runs else f"({files})"
        )

    def is_large(self, scope: Scope, series: Collection[int]) -> bool:
        """Whether a cluster sums the results of these series."""
        return self.cluster is not None and self.results_in(scope, series) > self.cluster.results

    def files_of(self, name: str, scope: Scope) -> Iterator[tuple[Part, File]]:
        """Yield the files of a relation that `scope` reads, which may include hidden rows."""
        for part, files in self.sets_of(scope):
            yield from ((part, file) for file in files.of(name))

    def sets_of(self, scope: Scope) -> Iterator[tuple[Part, Set]]:
        """Yield the file sets that `scope` reads."""
        sets = ((part, files) for part in self.parts for files in part.sets)
        yield from ((part, files) for part, files in sets if self._reads(part, files, scope))

    def results_in(self, scope: Scope, series: Collection[int]) -> int:
        """Estimate the number of results of these series in the files that `scope` reads."""
        estimate = 0.0
        for _, file in self.files_of("results", scope):
            if file.least is not None and file.greatest is not None:
                count = sum(map(file.may_have, series))
                estimate += file.rows * count / (file.greatest - file.least + 1)
        return int(estimate)

    def _reads(self, part: Part, file_set: Set, scope: Scope) -> bool:
        """Whether the scope may read runs of that set."""
        fleets = self.public_fleets | scope.fleet_ids
        if part.scope == PUBLIC:
            return True
        if part.scope != PRIVATE and uuid.UUID(part.scope) in fleets:
            return True
        return any(
            fleet_id is None or part.scope == str(fleet_id)
            for fleet_id, machine_ids in scope.macs
            if not file_set.machines
            or any(machine_number(mac) in file_set.machines for mac in machine_ids)
        )

    def of_metric(self, metric: str) -> dict[int, Series]:
        """Return a metric's series by number."""
        if not self._of_metric:
            for number, series in self.series.items():
                self._of_metric.setdefault(series.metric, {})[number] = series
        return self._of_metric.get(metric, {})


def matching_setups(snapshot: Snapshot, terms: Sequence[Term]) -> Bools:
    """Whether each setup passes the filters of setups."""
    setup_terms, _, _ = by_subject(terms)
    passes = np.ones(len(snapshot.setups), dtype=bool)
    for name in {term.dimension for term in setup_terms}:
        codes, values = snapshot.values(name)
        dimension_terms = [term for term in setup_terms if term.dimension == name]
        passes &= np.array([matches(value, dimension_terms) for value in values], dtype=bool)[codes]
    return passes


@dataclass(frozen=True, eq=False)
class ChosenSetups:
    """Setups that match filters, with access to their runs."""

    snapshot: Snapshot
    terms: Sequence[Term]
    scope: Scope

    @cached_property
    def readable(self) -> Bools:
        """Whether all runs of each setup may be read."""
        codes, values = self.snapshot.values("visibility")
        readable = np.array([value == "public" for value in values], dtype=bool)[codes]
        if fleets := self.scope.asked(self.terms).fleet_ids | self.snapshot.public_fleets:
            codes, values = self.snapshot.setups.values("fleet_id")
            readable |= np.array([value in fleets for value in values], dtype=bool)[codes]
        return readable

    @cached_property
    def matching(self) -> Bools:
        """Whether each setup matches."""
        passes = matching_setups(self.snapshot, self.terms)
        # Runs of single machines are checked one by one.
        return passes & (self.readable | (self.of_macs >= 0))

    @cached_property
    def macs(self) -> tuple[Macs, ...]:
        """Machines whose runs are read besides those of readable setups."""
        return self.scope.asked(self.terms).macs

    @cached_property
    def of_macs(self) -> Ints:
        """The place in `macs` of the machines whose runs of each setup may be read; -1 if none."""
        codes, ids = self.snapshot.setups.values("fleet_id")
        indices = {fleet_id: index for index, (fleet_id, _) in enumerate(self.macs)}
        default = indices.get(None, -1)
        return np.array([indices.get(key, default) for key in ids] or [-1], dtype=np.int64)[codes]

    @cached_property
    def unspecified(self) -> Bools:
        """Whether each setup's runs name no machine."""
        codes, values = self.snapshot.values("unspecified")
        return np.array(values, dtype=bool)[codes] if len(codes) else np.zeros(0, dtype=bool)

    def relation(self, mask: Bools | None = None, **columns: Ints) -> str:
        """Register the matching setups in `mask` as a relation, with their places among
        all setups and more columns by setup.
        """
        indices = np.flatnonzero(self.matching if mask is None else self.matching & mask)
        data = {
            "setup": self.snapshot.setups.numbers,
            "unspecified": self.unspecified,
            "readable": self.readable,
            **({"of_macs": self.of_macs} if self.macs else {}),
            **columns,
        }
        chosen = {name: column[indices] for name, column in data.items()}
        return self.snapshot.register({"place": indices.astype(np.int32), **chosen})

    def among(self, runs: Columns, mask: Bools | None = None) -> Bools:
        """Whether each run of a file set matches, is in `mask` and may be read: the same as
        `relation` and `conditions`, without filters of single runs.
        """
        setups = runs["place"]
        matching = self.matching if mask is None else self.matching & mask
        chosen = matching[setups] & ~self.snapshot.is_hidden(runs)
        if self.macs:
            readable = self.readable[setups]
            for number, owners in enumerate(self._numbers):
                readable |= (self.of_macs[setups] == number) & np.isin(runs["owner"], owners)
            chosen &= readable
        return chosen

    @cached_property
    def _numbers(self) -> list[Ints]:
        return [machine_numbers(machine_ids) for _, machine_ids in self.macs]

    def conditions(self) -> list[str]:
        """Return the SQL conditions on single runs."""
        _, terms, _ = by_subject(self.terms)
        if not self.macs:
            return [filter_condition(terms)]
        mac_conditions = [
            f"of_macs = {index} AND machine IN (FROM {self.snapshot.register({'machine': owners})})"
            for index, owners in enumerate(self._numbers)
        ]
        return [filter_condition(terms), f"(readable OR {' OR '.join(mac_conditions)})"]
