"""What a question's transaction sees, to be asked in SQL."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from duckdb import DuckDBPyConnection
from numpy.typing import NDArray

from macmeter import catalog
from macmeter.access.scope import Scope
from macmeter.catalog import Kind
from macmeter.changelog import Log
from macmeter.dataset.files import PRIVATE, PUBLIC, File, Manifest, Part, Set
from macmeter.dataset.relations import number_of
from macmeter.dataset.setups import Ints, Setups
from macmeter.terms import Value

Columns = dict[str, NDArray[Any]]


class Series(NamedTuple):
    """A metric under one set of parameters."""

    metric: str
    parameters: dict[str, Value]

    def parameter(self, name: str) -> Value:
        """The value of that dimension; None where it is not stated."""
        value = self.parameters.get(name)
        if value is None or isinstance(value, str):
            return value
        if catalog.DIMENSIONS[name].kind is Kind.NUMBER:
            return float(value)
        return str(value).lower() if isinstance(value, bool) else str(value)


def _is_within(file: File, series: int) -> bool:
    return file.least is None or file.greatest is None or file.least <= series <= file.greatest


@dataclass(frozen=True, eq=False)
class Snapshot:
    """Nothing in it ever changes: its own transaction reads the tables."""

    cursor: DuckDBPyConnection
    setups: Setups
    series: dict[int, Series]
    fleets: dict[uuid.UUID, str]
    """Their names."""
    public_fleets: frozenset[uuid.UUID]
    parts: tuple[Part, ...] = ()
    """What is in files."""
    has_changed: bool = False
    """Whether runs in files are hidden, since they have changed."""
    _of_metric: dict[str, dict[int, Series]] = field(default_factory=dict)
    _registered: list[Columns] = field(default_factory=list)

    @classmethod
    def begin(
        cls,
        tables: DuckDBPyConnection,
        setups: Setups,
        series: dict[int, Series],
        log: Log,
        manifest: Manifest | None,
    ) -> Snapshot:
        cursor = tables.cursor()
        cursor.begin()
        cursor.execute("FROM setups LIMIT 0")  # a transaction begins with what it reads
        parts = manifest.parts if manifest is not None else ()
        ((changed,),) = cursor.execute("SELECT count(*) FROM changed").fetchall()
        return cls(cursor, setups, series, log.fleets, log.public_fleets, parts, changed > 0)

    def values(self, name: str) -> tuple[Ints, list[Value]]:
        """Each setup's code of a dimension, and the values of the codes."""
        if name != "fleet":
            return self.setups.values(name)
        codes, fleets = self.setups.values("fleet_id")
        named: list[Value] = [self.fleets.get(fleet_id) for fleet_id in fleets]
        # Fleets that nobody may name are one value.
        return np.array([named.index(value) for value in named], dtype=np.int64)[codes], named

    def ask(self, statement: str) -> Columns:
        found: Columns = self.cursor.execute(statement).fetchnumpy()
        return found

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """What `statement` finds, as values of Python: for few rows."""
        return self.cursor.execute(statement).fetchall()

    def register(self, relation: Columns) -> str:
        """The name under which statements know it."""
        name = f"asked_{len(self._registered)}"
        self._registered.append(relation)
        self.cursor.register(name, relation)
        return name

    def relation(self, name: str, columns: str, scope: Scope, series: Collection[int] = ()) -> str:
        """What to read FROM: the rows of a table, and of the files that `scope` reads; of results
        those that may have one of `series`.
        """
        paths = [
            str(part.path(file))
            for part in self.parts
            for of in part.sets
            if self._reads(part, of, scope)
            for file in of.of(name)
            if not series or any(_is_within(file, number) for number in series)
        ]
        if not paths:
            return name
        hidden = " WHERE run_id NOT IN (FROM changed)" if self.has_changed else ""
        files = f"SELECT {columns} FROM read_parquet({paths}){hidden}"
        return f"(SELECT {columns} FROM {name} UNION ALL {files})"

    def _reads(self, part: Part, of: Set, scope: Scope) -> bool:
        """Whether runs of that set may be in the scope."""
        fleets = self.public_fleets | scope.fleet_ids
        if part.scope == PUBLIC:
            return True
        if part.scope != PRIVATE and uuid.UUID(part.scope) in fleets:
            return True
        own = scope.machine_id
        return own is not None and (not of.machines or number_of(own.bytes) in of.machines)

    def of_metric(self, metric: str) -> dict[int, Series]:
        """A metric's series by number."""
        if not self._of_metric:
            for number, one in self.series.items():
                self._of_metric.setdefault(one.metric, {})[number] = one
        return self._of_metric.get(metric, {})
