"""Uploads of runs: one by PUT, or many as lines of NDJSON, answered in order; and deletion."""

import asyncio
import uuid
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from tempfile import SpooledTemporaryFile
from typing import IO, NotRequired, cast

import orjson
from fastapi import Request
from fastapi.responses import Response, StreamingResponse
from typing_extensions import TypedDict

from macmeter import Json
from macmeter.accounts.audit import count_refusal
from macmeter.accounts.rotation import is_old
from macmeter.accounts.tokens import TokenPrincipal
from macmeter.comparisons.deleting import add_tombstones
from macmeter.comparisons.deleting import delete_run as delete_run_of
from macmeter.documents.read import MAX_DOCUMENT_BYTES, too_large
from macmeter.platform.database_errors import EXPECTED, problem_of
from macmeter.platform.errors import Problem, unexpected
from macmeter.platform.isolation import Isolated
from macmeter.platform.release import newer_agent
from macmeter.platform.schema import Exact
from macmeter.results.ownership import readable_run, require_own_run
from macmeter.runs.accept import Accepted
from macmeter.runs.group_commit import MOST_TOGETHER
from macmeter.server.dependencies import Actor, CurrentServer, Server, UploaderToken, public_address
from macmeter.server.http.body import (
    BATCH_TYPES,
    DOCUMENT_TYPES,
    MAX_BATCH_BYTES,
    read_body,
    read_lines,
)
from macmeter.server.http.hosts import client_address
from macmeter.server.http.requests import log_refusal
from macmeter.server.http.routing import Router, refusals

# One group is with the database while the next is read. The lines' bytes are held meanwhile.
_AT_ONCE = 2 * MOST_TOGETHER
_BYTES_AT_ONCE = 4 * 1024 * 1024


class StoredRun(Exact):
    """A stored run. `newer_agent` is the newest agent's version, if an older one made the run."""

    id: str
    created: bool
    url: str
    renew_token: NotRequired[bool]
    newer_agent: NotRequired[str]


class Outcome(TypedDict):
    """Outcome of a line: its status, and the problem or the run that is stored."""

    status: int
    problem: NotRequired[Json]
    id: NotRequired[str]
    created: NotRequired[bool]
    url: NotRequired[str]
    newer_agent: NotRequired[str]


@dataclass(frozen=True)
class Line:
    """Outcome of a line, with `tell` to log what operators should know, if anything."""

    result: Outcome
    tell: Callable[[], None] = lambda: None

    @property
    def failed(self) -> bool:
        """Whether all further lines would fail, because of the database or the disk."""
        return self.result["status"] in (503, 507)


class Batch:
    """Batch of lines, stored as they come. `results` gets a line for each, in the order of the
    body.

    Until a run is stored, lines go one by one: a fresh token binds the first line's machine. After
    a failure of the server no further line is tried.
    """

    def __init__(self, store: Callable[[bytes | None], Awaitable[Line]], results: IO[bytes]):
        self._store = store
        self._results = results
        self._running: deque[tuple[int, int, asyncio.Task[Line]]] = deque()
        self._bytes = 0
        self._any_stored = False
        self._failure: Line | None = None

    async def take(self, number: int, line: bytes | None) -> None:
        """Start storing a line. Return when there is room for another."""
        if self._failure is None:
            size = len(line or b"")
            task = asyncio.ensure_future(self._store(line))
            self._running.append((number, size, task))
            self._bytes += size
            while self._running and self._is_full():
                await self._end_first()
        else:
            self._write_result(number, self._failure)
        if self._failure is not None:
            await self.finish()

    async def finish(self) -> None:
        """Wait until all lines taken are answered."""
        while self._running:
            await self._end_first()

    async def abandon(self) -> None:
        """Wait for all lines taken, without answers: what the database has is not interrupted."""
        await asyncio.gather(*(task for _, _, task in self._running), return_exceptions=True)

    def _is_full(self) -> bool:
        one_by_one = not self._any_stored
        return one_by_one or len(self._running) >= _AT_ONCE or self._bytes > _BYTES_AT_ONCE

    async def _end_first(self) -> None:
        number, size, task = self._running[0]
        line = await task
        self._running.popleft()
        self._bytes -= size
        self._any_stored = self._any_stored or line.result["status"] == 201
        if line.failed and self._failure is None:
            self._failure = line
            line.tell()
        self._write_result(number, line)

    def _write_result(self, number: int, line: Line) -> None:
        self._results.write(result(number, line.result))


def result(number: int, outcome: Outcome) -> bytes:
    return orjson.dumps({"line": number, **outcome}) + b"\n"


router = Router(prefix="/api/v1/runs", tags=["runs"])

# Limit of lines: each costs a transaction, and a line of the response.
MAX_BATCH_LINES = 10_000
# Results wait until the whole body is read: a client that starts reading only then would block us
# and itself. Beyond this size they wait in a file.
_RESULTS_IN_MEMORY = 1024 * 1024
_RESULTS_AT_ONCE = 64 * 1024

_DOCUMENT_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {
                    "type": "object",
                    "description": "macmeter.run/1, see run.v1.schema.json",
                }
            }
        },
    }
}
_BATCH_BODY = {
    "requestBody": {
        "required": True,
        "content": {"application/x-ndjson": {"schema": {"type": "string"}}},
    }
}


@router.put(
    "/{run_id}",
    status_code=201,
    responses={
        **refusals(400, 401, 403, 409, 413, 415, 422, 429, 503, 507),
        200: {"model": StoredRun},
        201: {"model": StoredRun},
    },
    openapi_extra=_DOCUMENT_BODY,
)
async def put_run(
    run_id: uuid.UUID, request: Request, server: CurrentServer, bearer: UploaderToken
) -> Response:
    """Store a run document. 201: committed and durable. 200: the identical bytes again."""
    await server.uploads.spend(bearer, client_address(request, server.proxies), datetime.now(UTC))
    content = await read_body(request, DOCUMENT_TYPES, MAX_DOCUMENT_BYTES)
    try:
        accepted = await server.ingest.accept(content, bearer, str(run_id))
    except Problem as problem:
        await count_refusal(server.writing, bearer, problem, datetime.now(UTC))
        raise await _name_existing(problem, run_id, request, server, bearer) from None
    stored = _stored(accepted, public_address(request, server))
    if is_old(bearer, datetime.now(UTC)):
        stored["renew_token"] = True
    return Response(
        orjson.dumps(stored), status_code=accepted.stored.value, media_type="application/json"
    )


@router.post(
    "/batch",
    response_class=Response,
    responses={
        **refusals(400, 401, 413, 415),
        200: {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}},
    },
    openapi_extra=_BATCH_BODY,
)
async def post_batch(request: Request, server: CurrentServer, bearer: UploaderToken) -> Response:
    """Store the documents on the lines of an NDJSON body. Return a result line for each, in order.

    Each line is {"line", "status", and either the stored run or the problem}. A bad line harms no
    other. Lines are stored as they arrive, and answered at the end: those answered are durable. If
    the body ends early or passes a limit, the last result says so.
    """
    address = public_address(request, server)
    with ExitStack() as unless_answered:
        results = unless_answered.enter_context(SpooledTemporaryFile(max_size=_RESULTS_IN_MEMORY))
        batch = Batch(lambda line: _accept_line(request, server, line, bearer, address), results)
        number = 0
        try:
            lines = read_lines(request, BATCH_TYPES, MAX_DOCUMENT_BYTES, MAX_BATCH_BYTES)
            async for number, line in _counted(lines):
                if line is None or line.strip():
                    await batch.take(number, line)
            await batch.finish()
        except Problem as problem:
            await batch.finish()
            if results.tell() == 0:
                raise
            results.write(result(number + 1, _refused(problem)))
        finally:
            await batch.abandon()
        results.seek(0)
        unless_answered.pop_all()  # _read closes them
    return StreamingResponse(_read(results), media_type="application/x-ndjson")


async def _counted(lines: AsyncIterator[bytes | None]) -> AsyncIterator[tuple[int, bytes | None]]:
    number = 0
    async for line in lines:
        number += 1
        if number > MAX_BATCH_LINES:
            detail = f"Over {MAX_BATCH_LINES:,} lines: send the others in another batch."
            raise Problem(413, "too_large", "Too large", detail)
        yield number, line


async def _read(results: IO[bytes]) -> AsyncIterator[bytes]:
    with results:
        while chunk := results.read(_RESULTS_AT_ONCE):
            yield chunk


@router.delete("/{run_id}", status_code=204, responses=refusals(401, 403, 404, 422))
async def delete_run(run_id: uuid.UUID, server: CurrentServer, by: Actor) -> Response:
    """Delete your own run. Comparisons that rest on it alone become tombstones."""
    async with server.writing.begin() as connection:
        run = await require_own_run(connection, run_id, by, "deletes a run")
        await delete_run_of(connection, run.machine_id, run_id, by)
    # Again, for a comparison that was saved meanwhile and could not be seen.
    async with server.writing.begin() as connection:
        await add_tombstones(connection, run_id)
    return Response(status_code=204)


async def _accept_line(
    request: Request, server: Server, line: bytes | None, bearer: TokenPrincipal, address: str
) -> Line:
    """Outcome of one line; None is a line that was too long to keep.

    Errors of a line don't affect others.
    """
    lines = Isolated("upload")
    with lines.item(f"a line by token {bearer.token_id}"):
        return await _stored_line(request, server, line, bearer, address)
    return Line(_refused(unexpected()))


async def _stored_line(
    request: Request, server: Server, line: bytes | None, bearer: TokenPrincipal, address: str
) -> Line:
    try:
        if line is None:
            raise too_large()
        await server.uploads.spend(
            bearer, client_address(request, server.proxies), datetime.now(UTC)
        )
        # The same bytes as by PUT, whatever ends the line.
        accepted = await server.ingest.accept(line.removesuffix(b"\r"), bearer)
    except Problem as problem:
        await count_refusal(server.writing, bearer, problem, datetime.now(UTC))
        return Line(_refused(problem))
    except EXPECTED as error:
        expected = problem_of(error, reading=False)
        if expected is None:
            raise
        return Line(_refused(expected), partial(log_refusal, request.scope, expected, error))
    return Line(cast(Outcome, {"status": accepted.stored.value, **_stored(accepted, address)}))


def _refused(problem: Problem) -> Outcome:
    return {"status": problem.status, "problem": problem.body()}


async def _name_existing(
    problem: Problem, run_id: uuid.UUID, request: Request, server: Server, bearer: TokenPrincipal
) -> Problem:
    """Add the run that has the id to a 409, if the uploader may read it."""
    if problem.status == 409:
        async with server.writing.connect() as connection:
            readable = await readable_run(connection, run_id, bearer)
        if readable is not None:
            problem.extra["existing"] = f"{public_address(request, server)}/runs/{run_id}"
    return problem


def _stored(accepted: Accepted, address: str) -> StoredRun:
    stored: StoredRun = {
        "id": accepted.run_id,
        "created": accepted.stored.value == 201,
        "url": f"{address}/runs/{accepted.run_id}",
    }
    if (newer := newer_agent(accepted.agent_version)) is not None:
        stored["newer_agent"] = newer
    return stored
