"""In-memory arrays of the runs and results in files, which never change once written.

Each set of files has R runs, and per series their results, ordered by machine and value. A result's
`number` is the index of its run. This takes a tenth of the time of a statement. rows.py decides
which rows a question may see.
"""

from __future__ import annotations

import uuid
from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from macmeter.accounts.scope import Scope
from macmeter.results.dataset.files import Manifest, Part, Set
from macmeter.results.dataset.setups import Ints, Setups
from macmeter.results.dataset.sql import HALVES, MACHINE_HALVES, ids_of, listed, literal

if TYPE_CHECKING:
    from macmeter.results.dataset.snapshot import Columns, Snapshot

MOST_BYTES = 64_000_000
"""Size of a process's LRU cache. A question that needs more reads the files."""

# While being read; afterwards a run takes 56 bytes, and a result of one sample mostly 12.
_RUN_BYTES, _RESULT_BYTES = 72, 29
# Results per statement. It sorts them in memory that DuckDB then retains.
_TOGETHER = 100_000
OF_EACH_RUN = {"owner": "machine", "month": "coalesce(month, 0)", "run": "hash(run_id)::UBIGINT"}
MEASURED = {"value": "value", "doubtful": "doubtful", "samples": "samples"}
MEASURED |= {name: f"coalesce({name}, 0)" for name in ("low", "high", "deviation")}
_OF_RESULTS = {"number": "number::INTEGER"} | MEASURED
# Properties of results that are the same for all results of a run.
OF_BOTH = {"device": "coalesce(device_number, 0)", "holder": "coalesce(holder_number, 0)"}


class Decoded(NamedTuple):
    """A set's runs, and their results by series."""

    runs: Columns
    machines: Columns
    """Halves of each machine's id, by its number `owner`."""
    results: dict[int, Columns]


class RunIds:
    """Ids of runs, addressed by consecutive numbers."""

    def __init__(self) -> None:
        self._firsts = [0]
        self._ids: list[Columns] = []

    def add(self, runs: Columns) -> int:
        """Add runs and return the number of the first."""
        self._ids.append({name: runs[name] for name in HALVES})
        self._firsts.append(self._firsts[-1] + len(runs["id_high"]))
        return self._firsts[-2]

    def of(self, numbers: Ints) -> list[uuid.UUID]:
        return ids_of(self.halves(numbers))

    def halves(self, numbers: Ints) -> Columns:
        """Return HALVES of the ids of these runs."""
        halves = {name: np.zeros(len(numbers), dtype=np.uint64) for name in HALVES}
        indices = np.searchsorted(self._firsts, numbers, side="right") - 1
        for index in np.unique(indices).tolist():
            rows = np.flatnonzero(indices == index)
            for name, column in self._ids[index].items():
                halves[name][rows] = column[numbers[rows] - self._firsts[index]]
        return halves


class Memory:
    """Cache of one process: rows read from files, and all setups."""

    def __init__(self) -> None:
        self.setups = Setups()
        self._sets: dict[Path, Decoded] = {}
        self._bytes: OrderedDict[tuple[Path, int | None], int] = OrderedDict()
        """Sizes by set and series, or None for a set's runs; the most recently used is last."""

    def keep_only(self, manifest: Manifest) -> None:
        """Forget files that the manifest doesn't name."""
        paths = {_key(part, file_set) for part in manifest.parts for file_set in part.sets}
        for key in [key for key in self._bytes if key[0] not in paths]:
            self._forget(key)

    def runs(self, snapshot: Snapshot, scope: Scope) -> list[Decoded] | None:
        """Return the sets that `scope` reads, without results; None if there are too many runs."""
        sets = [*snapshot.sets_of(scope)]
        if sum(file_set.runs for _, file_set in sets) * _RUN_BYTES > MOST_BYTES:
            return None
        paths = [_key(part, file_set) for part, file_set in sets]
        self._read_runs(snapshot, paths)
        decoded = [self._sets[path]._replace(results={}) for path in paths]
        for path in paths:
            self._bytes.move_to_end((path, None))
        self._make_room()
        return decoded

    def results(
        self, snapshot: Snapshot, scope: Scope, series: Collection[int]
    ) -> list[Decoded] | None:
        """Return the sets that `scope` reads with these series; None if that is too much."""
        sets = {
            _key(part, file_set): (part, file_set) for part, file_set in snapshot.sets_of(scope)
        }
        expected = snapshot.results_in(scope, series)
        runs = sum(file_set.runs for _, file_set in sets.values())
        if runs * _RUN_BYTES + expected * _RESULT_BYTES > MOST_BYTES:
            return None
        self._read_runs(snapshot, [*sets])
        numbers = sorted(series)
        batch_size = len(numbers) // (1 + expected // _TOGETHER) + 1
        for start in range(0, len(numbers), batch_size):
            self._read_results(snapshot, sets, numbers[start : start + batch_size])
        decoded = []
        for path in sets:
            entry = self._sets[path]
            decoded.append(
                entry._replace(results={number: entry.results[number] for number in numbers})
            )
            # A set's runs stay as long as any of its results.
            for key in (*numbers, None):
                self._bytes.move_to_end((path, key))
        self._make_room()
        return decoded

    def _read_runs(self, snapshot: Snapshot, paths: Sequence[Path]) -> None:
        new = [path for path in paths if path not in self._sets]
        if not new:
            return
        halves = {f"machine_{name}": sql for name, sql in MACHINE_HALVES.items()}
        expressions = {"setup": "setup"} | OF_EACH_RUN | HALVES | halves
        fields = listed(f"{sql} AS {name}" for name, sql in expressions.items())
        columns = snapshot.ask(f"""
            SELECT file_index AS file, {fields} FROM {_files(new)} ORDER BY file, file_row_number
        """)
        columns["place"] = self.setups.indices_of(columns.pop("setup")).astype(np.int32)
        ends = np.searchsorted(columns.pop("file"), np.arange(len(new) + 1))
        for path, start, end in zip(new, ends[:-1], ends[1:], strict=True):
            runs = {name: _compact(column[start:end]) for name, column in columns.items()}
            runs |= {name: np.zeros(end - start, dtype=np.int64) for name in OF_BOTH}
            owners, first = np.unique(runs["owner"], return_index=True)
            machines = {name: runs.pop(f"machine_{name}")[first] for name in MACHINE_HALVES}
            self._sets[path] = Decoded(runs, {"owner": owners} | machines, {})
            self._bytes[path, None] = _size(runs) + _size(machines)

    def _read_results(
        self, snapshot: Snapshot, sets: dict[Path, tuple[Part, Set]], series: Sequence[int]
    ) -> None:
        """Read those of these series that are missing."""
        missing = [path for path in sets if not self._sets[path].results.keys() >= {*series}]
        if not missing:
            return
        files = {
            part.path(file): index
            for index, (part, file_set) in enumerate(map(sets.__getitem__, missing))
            for file in file_set.of("results")
            if any(file.may_have(number) for number in series)
        }
        columns = snapshot.ask(_results(missing, files, series))
        width = max(series) + 1
        codes = columns.pop("set_number").astype(np.int64) * width + columns.pop("series")
        for index, path in enumerate(missing):
            runs, _, results = self._sets[path]
            for number in series:
                code = index * width + number
                start, end = np.searchsorted(codes, [code, code + 1])
                selected = {name: _compact(columns[name][start:end]) for name in _OF_RESULTS}
                for name in OF_BOTH:
                    runs[name][selected["number"]] = columns[name][start:end]
                results[number] = selected
                self._bytes[path, number] = _size(selected)

    def _make_room(self) -> None:
        total = sum(self._bytes.values())
        while total > MOST_BYTES:
            total -= self._forget(next(iter(self._bytes)))

    def _forget(self, key: tuple[Path, int | None]) -> int:
        """Evict an entry; return the number of bytes freed."""
        path, series = key
        if series is None:
            del self._sets[path]
        else:
            del self._sets[path].results[series]
        return self._bytes.pop(key)


def _results(runs: Sequence[Path], files: Mapping[Path, int], series: Collection[int]) -> str:
    """Return the statement that reads results; `files` maps their files to the index in `runs`."""
    columns = listed(f"{sql} AS {name}" for name, sql in (_OF_RESULTS | OF_BOTH).items())
    rows = _files([*files]) if files else "(SELECT *, 0 AS file_index FROM results LIMIT 0)"
    return f"""
        SELECT set_number, series, {columns}
        FROM (
            SELECT *, [{listed(files.values()) or 0}][file_index::INTEGER + 1] AS set_number
            FROM {rows} WHERE series IN ({listed(series)})
        ) JOIN (
            SELECT file_index::INTEGER AS set_number, file_row_number AS number, run_id
            FROM {_files(runs)}
        ) USING (set_number, run_id)
        ORDER BY set_number, series, machine, value
    """


def _key(part: Part, file_set: Set) -> Path:
    """Return the file of the set's runs, which identifies the set."""
    (file,) = file_set.of("runs")
    return part.path(file)


def _files(paths: Sequence[Path]) -> str:
    return f"read_parquet([{listed(literal(str(path)) for path in paths)}])"


def _size(columns: Columns) -> int:
    return sum(column.nbytes for column in columns.values() if any(column.strides))


def _compact(rows: NDArray[Any]) -> NDArray[Any]:
    """Copy these rows; a constant column is stored once."""
    if len(rows) and (rows == rows[0]).all():
        return np.broadcast_to(rows[:1].copy(), len(rows))
    return rows.copy()
