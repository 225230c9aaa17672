"""Storing a batch of lines, in an import's worker processes."""

import asyncio
import contextlib
import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import orjson
from sqlalchemy.ext.asyncio import AsyncEngine

from macmeter import Json
from macmeter.documents.derive import DerivedRun
from macmeter.documents.read import MAX_DOCUMENT_BYTES, too_large
from macmeter.platform import database
from macmeter.platform.database_errors import EXPECTED, concerns_all, sqlstate
from macmeter.platform.errors import Problem, invalid
from macmeter.platform.isolation import reason_of, refused
from macmeter.platform.notifications import CHANNEL
from macmeter.runs.accept import read_upload
from macmeter.runs.series_numbers import SeriesNumbers
from macmeter.runs.store import Upload, digests, document_row, other_content, store
from macmeter.runs.transfer import owners, record
from macmeter.runs.transfer.lines import Line
from macmeter.runs.transfer.owners import Destination
from macmeter.runs.transfer.record import Record

# Conflicts with another writer of the same runs: retry.
_CONFLICTS = ("23505", "40001", "40P01")
_TRIES = 6
OWNER_MISSING = "A document alone does not say whose it is: give --fleet NAME or --public."


@dataclass(frozen=True)
class Refusal:
    """Why a line was refused, with a pointer to the field at fault."""

    line: int
    pointer: str
    reason: str


@dataclass
class BatchResult:
    """Outcome of a batch: runs stored, runs already present, lines refused."""

    stored: int = 0
    present: int = 0
    refused: list[Refusal] = field(default_factory=list)


async def store_lines(url: str, lines: list[Line], destination: Destination) -> BatchResult:
    """Store new runs of these lines; a job for a worker process."""
    return await _Batch(_engine(url), destination).store_lines(lines)


_engines: dict[str, AsyncEngine] = {}
_numbers = SeriesNumbers()


def _engine(url: str) -> AsyncEngine:
    """Return this process's engine, with a single connection for its lifetime."""
    if url not in _engines:
        _engines[url] = database.engine(url, pool_size=1)
    return _engines[url]


@dataclass(frozen=True)
class _Candidate:
    """A line with the id of its run."""

    line: int
    run_id: uuid.UUID
    record: Record


class _Batch:
    """One batch. It may restart because of another writer, without counting anything twice."""

    def __init__(self, engine: AsyncEngine, destination: Destination) -> None:
        self._engine = engine
        self._destination = destination
        self._problems: dict[int, Problem] = {}
        self._present: set[int] = set()
        self._read: dict[int, DerivedRun] = {}

    async def store_lines(self, lines: list[Line]) -> BatchResult:
        candidates, stored = self._candidates(lines), 0
        for attempt in range(1, _TRIES + 1):
            fresh = await self._fresh(candidates)
            readable = [candidate for candidate in fresh if await self._readable(candidate)]
            uploads = await self._uploads(readable)
            try:
                missed = await self._store(uploads)
            except EXPECTED as error:
                if sqlstate(error) not in _CONFLICTS or attempt == _TRIES:
                    raise
                await asyncio.sleep(0.1 * attempt)
                missed = set(uploads)
            stored += len(uploads.keys() - missed - self._problems.keys())
            # Another writer was faster or caused a conflict: check again.
            candidates = [candidate for candidate in fresh if candidate.line in missed]
            if not candidates:
                return self._result(stored)
        raise AssertionError("the last try returns or raises")

    async def _store(self, uploads: dict[int, Upload]) -> set[int]:
        """Store these runs; return the lines that others stored meanwhile. What PostgreSQL can't
        hold becomes a problem of its line.
        """
        if not uploads:
            return set()
        try:
            async with self._engine.begin() as connection:
                stored = await store(connection, uploads.values())
                await connection.exec_driver_sql(f"NOTIFY {CHANNEL}")
        except Exception as error:
            if sqlstate(error) in _CONFLICTS or concerns_all(error):
                raise
            if len(uploads) == 1:
                self._problems |= dict.fromkeys(uploads, invalid("", reason_of(error)))
                return set()
            return set[int]().union(
                *[await self._store({line: upload}) for line, upload in uploads.items()]
            )
        return {line for line, upload in uploads.items() if upload.run.run_id not in stored}

    def _result(self, stored: int) -> BatchResult:
        refused = [
            Refusal(line, error.pointer, error.detail)
            for line, problem in sorted(self._problems.items())
            for error in problem.errors or [invalid("", problem.detail).errors[0]]
        ]
        return BatchResult(stored, len(self._present), refused)

    def _candidates(self, lines: Iterable[Line]) -> list[_Candidate]:
        """Return each run once."""
        first: dict[uuid.UUID, _Candidate] = {}
        for line in lines:
            with self._line(line.number):
                candidate = _candidate(line)
                same = first.setdefault(candidate.run_id, candidate)
                if same is not candidate:
                    self._compare(candidate, same.record.sha256)
        return list(first.values())

    @contextlib.contextmanager
    def _line(self, number: int) -> Iterator[None]:
        """Run the block for a line; an exception becomes the line's problem."""
        try:
            with refused("import", f"line {number}"):
                yield
        except Problem as problem:
            self._problems[number] = problem

    def _compare(self, candidate: _Candidate, stored: bytes | None) -> None:
        """Compare with the run stored under this id: the same content, or a conflict."""
        if stored == candidate.record.sha256:
            self._present.add(candidate.line)
        else:
            self._problems[candidate.line] = other_content()

    async def _fresh(self, candidates: list[_Candidate]) -> list[_Candidate]:
        """Return the runs that aren't stored yet."""
        async with self._engine.connect() as connection:
            stored = await digests(connection, [candidate.run_id for candidate in candidates])
        for candidate in candidates:
            if candidate.run_id in stored:
                self._compare(candidate, stored[candidate.run_id])
        return [candidate for candidate in candidates if candidate.run_id not in stored]

    async def _readable(self, candidate: _Candidate) -> bool:
        """Whether the run could be derived from its document, now or earlier."""
        if candidate.line not in self._read:
            with self._line(candidate.line):
                self._read[candidate.line] = await self._derived(candidate.record)
        return candidate.line in self._read

    async def _derived(self, exported: Record) -> DerivedRun:
        if exported.metadata is None and self._destination.visibility is None:
            raise invalid("", OWNER_MISSING, "unowned")
        if exported.metadata is not None and exported.metadata.demo and not self._destination.demo:
            detail = "A demo's run is invented: it belongs in a demo's database only."
            raise invalid("/demo", detail, "demo")
        return (await read_upload(exported.content, None, self._destination.simulated)).run

    async def _uploads(self, fresh: list[_Candidate]) -> dict[int, Upload]:
        """Return uploads by line, for runs whose machines accept them."""
        fleets = await self._fleets(fresh)
        columns = {candidate.line: self._with_owner(candidate, fleets) for candidate in fresh}
        machines = {candidate.line: self._read[candidate.line].machine_id for candidate in fresh}
        targets = {machine: columns[line]["fleet_id"] for line, machine in machines.items()}
        refused = await owners.claim(self._engine, targets, _proofs(fresh, self._read))
        for line, machine in machines.items():
            problem = refused.get(machine)
            if columns[line]["fleet_id"] != targets[machine]:
                problem = problem or owners.machine_of_two_fleets()
            if problem is not None:
                self._problems[line] = problem
        return {
            candidate.line: await self._upload(candidate, columns[candidate.line])
            for candidate in fresh
            if candidate.line not in self._problems
        }

    async def _upload(self, candidate: _Candidate, columns: Json) -> Upload:
        run, metadata = self._read[candidate.line], candidate.record.metadata
        series = await _numbers.of(self._engine, run.results)
        document = await document_row(candidate.record.content)
        doubts = [doubt.model_dump() for doubt in metadata.doubts] if metadata else []
        return Upload(run, series, document, columns, doubts)

    async def _fleets(self, fresh: list[_Candidate]) -> dict[str, uuid.UUID]:
        if self._destination.visibility is not None:
            return {}
        metadata = [candidate.record.metadata for candidate in fresh if candidate.record.metadata]
        return await owners.fleet_ids(self._engine, [item.fleet for item in metadata if item.fleet])

    def _with_owner(self, candidate: _Candidate, fleets: dict[str, uuid.UUID]) -> Json:
        """Return the columns of its row that don't follow from its document."""
        metadata, destination = candidate.record.metadata, self._destination
        columns: Json = {"visibility": destination.visibility, "fleet_id": destination.fleet_id}
        if metadata is None:
            return columns
        columns["received_at"] = metadata.received_at
        if destination.visibility is None:
            columns["visibility"] = metadata.visibility
            columns["fleet_id"] = fleets[metadata.fleet.name] if metadata.fleet else None
        return columns | (metadata.withdrawn.model_dump() if metadata.withdrawn else {})


def _proofs(fresh: Iterable[_Candidate], runs: Mapping[int, DerivedRun]) -> dict[uuid.UUID, bytes]:
    """Return the hashes of tokens that machines had where they were exported."""
    return {
        runs[entry.line].machine_id: bytes.fromhex(entry.record.metadata.token_sha256)
        for entry in fresh
        if entry.record.metadata is not None and entry.record.metadata.token_sha256 is not None
    }


def _candidate(line: Line) -> _Candidate:
    if line.content is None:
        raise too_large()
    parsed = record.parse_line(line.content)
    if len(parsed.content) > MAX_DOCUMENT_BYTES:
        raise too_large()
    try:
        run_id = uuid.UUID(orjson.loads(parsed.content)["id"])
    except (ValueError, KeyError, TypeError, AttributeError):
        # Invalid: the parser will refuse it with a proper message.
        run_id = uuid.uuid4()
    return _Candidate(line.number, run_id, parsed)
