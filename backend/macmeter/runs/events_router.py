"""New runs as server-sent events, which keep an open page up to date."""

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any
from urllib.parse import parse_qsl, urlencode

import orjson
from fastapi import Header, Query, Request
from fastapi.responses import Response
from pydantic import AwareDatetime, Field
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.catalog.terms import Filters
from macmeter.charts.runs import ListedRun, listed_run
from macmeter.platform.database_errors import EXPECTED
from macmeter.platform.errors import Problem
from macmeter.questions.question import parse_filters
from macmeter.questions.sides import parse_sides
from macmeter.results.context import ReadContext, begin
from macmeter.results.runs import OVERLAP, StoredRun, arrived, now_of
from macmeter.runs.queries import cursor_of, listed, position_of
from macmeter.server.dependencies import Credential, CurrentServer, Reader, Server, credential_of
from macmeter.server.http.hosts import client_address
from macmeter.server.http.responses import HeldResponse
from macmeter.server.http.routing import Router, refusals, sends
from macmeter.server.query_parameters import SIDE, FilterParameters

HEARTBEAT_SECONDS = 15.0
# Pause that combines a burst of uploads into a few queries.
_PAUSE_SECONDS = 1.0
# After this the client reconnects, with its Last-Event-ID.
_MAX_STREAM_SECONDS = 3600.0
_RUNS_PER_QUERY = 100
# A page that missed more than this has to be reloaded.
_MOST_MISSED = 1000


@dataclass
class Follower:
    """Subscription of one open page, and what it has received."""

    filters: tuple[Filters, ...]
    credential: Credential
    # Runs received before this are not sent.
    floor: datetime | None
    # When each recently sent run was received, by run id.
    sent: dict[str, datetime]
    # Number of runs after which the stream ends; None for no end.
    remaining: int | None
    # Whether the client chose `floor` with `since`.
    is_start_given: bool = False

    @property
    def since(self) -> datetime | None:
        """Time to look from: a little before the last run, because runs may be committed late."""
        if not self.sent or self.floor is None:
            return self.floor
        return max(self.floor, max(self.sent.values()) - OVERLAP)

    def adjust_to_clock(self, now: datetime) -> None:
        """Handle a clock that was set back: new runs then have earlier times than those sent."""
        # `floor` moves back only once, so that later looks don't skip runs received since.
        self.sent = {run_id: min(at, now) for run_id, at in self.sent.items()}
        if self.floor is None or (self.floor > now and not self.is_start_given):
            self.floor = now if self.floor is None else now - OVERLAP

    def mark_sent(self, run_id: str, at: datetime) -> None:
        self.sent[run_id] = at
        if self.remaining is not None:
            self.remaining -= 1

    def forget_old(self) -> None:
        """Forget sent runs that no later look can find again."""
        since = self.since
        if since is not None:
            self.sent = {run_id: at for run_id, at in self.sent.items() if at >= since}


class EventParameters(FilterParameters):
    side: list[str] | None = Field(None, description=SIDE)
    since: AwareDatetime | None = Field(None, description="from then on; default now")
    limit: int | None = Field(None, ge=1, description="end after so many runs")


router = Router(prefix="/api/v1", tags=["runs"])


@router.get(
    "/events", response_class=Response, responses=sends("text/event-stream") | refusals(429)
)
async def get_events(
    request: Request,
    server: CurrentServer,
    reader: Reader,
    parameters: Annotated[EventParameters, Query()],
    last_event_id: Annotated[str | None, Header(description="go on after this event")] = None,
) -> Response:
    """Stream runs that match, as they are stored: `event: run`, its data as in the list of runs.

    With `side`, as in a comparison: runs of any of its sides that have one of its metrics. `event:
    reload` says that too many runs were missed to be sent. After a break the same run may come
    twice. A comment every 15 seconds shows that the connection is alive.
    """
    pairs = parse_qsl(request.url.query, keep_blank_values=True)
    query = urlencode([(k, v) for k, v in pairs if k not in ("limit", "since")])
    filters = parse_sides(query).filters if parameters.side else (parse_filters(query),)
    credential, since = credential_of(request), parameters.since
    follower = Follower(filters, credential, since, {}, parameters.limit, since is not None)
    if last_event_id:
        at, run_id = position_of(last_event_id, "Last-Event-ID")
        follower.floor, follower.sent = at - OVERLAP, {str(run_id): at}
        follower.is_start_given = False
    # `reader` has already checked the token.
    address = None if reader is not None else client_address(request, server.proxies)
    return HeldResponse(
        _stream(server, follower),
        server.pages.take(address),
        media_type="text/event-stream",
        # Keeps nginx and other proxies from buffering.
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def _stream(server: Server, follower: Follower) -> AsyncGenerator[bytes]:
    """Stream until the token or the database fails.

    The reconnecting client then gets the reason.
    """
    with contextlib.suppress(Problem, *EXPECTED):
        async for event in _events(server, follower):
            yield event


async def _events(server: Server, follower: Follower) -> AsyncIterator[bytes]:
    end = time.monotonic() + _MAX_STREAM_SECONDS
    async with server.notifications.waiter() as arrivals:
        should_look = follower.floor is not None
        if not should_look:
            follower.adjust_to_clock(await server.clock.now())
        heartbeat = time.monotonic() + HEARTBEAT_SECONDS
        # Before the first look, so that the client knows at once that it is connected.
        yield b"retry: 3000\n: new runs follow\n\n"
        while not server.notifications.closing and time.monotonic() < end:
            # Without an earlier start, there is nothing to look for until a run arrives.
            runs = await _unsent_runs(server, follower, arrivals) if should_look else []
            should_look = True
            if len(runs) > _MOST_MISSED and follower.remaining is None:
                yield _event("reload", {"runs": len(runs)})
                follower.floor, follower.sent, runs = runs[-1].received_at, {}, []
            for start in range(0, len(runs), _RUNS_PER_QUERY):
                batch = runs[start : start + _RUNS_PER_QUERY]
                for run, item in zip(batch, await _listed(server, follower, batch), strict=True):
                    yield _event("run", item, cursor_of(run.position))
                    follower.mark_sent(item["id"], run.received_at)
                    if follower.remaining == 0:
                        return
            follower.forget_old()
            try:
                async with asyncio.timeout(heartbeat - time.monotonic()):
                    await arrivals.wait()
                    await asyncio.sleep(_PAUSE_SECONDS)
            except TimeoutError:
                # Sent even if no runs arrive: its timing must not reveal what others upload.
                heartbeat += HEARTBEAT_SECONDS
                yield b": still here\n\n"


async def _unsent_runs(
    server: Server, follower: Follower, arrivals: asyncio.Event
) -> list[StoredRun]:
    """Return the runs not sent yet, at most one more than a page may miss."""
    arrivals.clear()
    async with server.reading.connect() as connection:
        context = await _begin(connection, follower)
        follower.adjust_to_clock(await now_of(connection))
        assert follower.since is not None
        limit = _MOST_MISSED + 1 + len(follower.sent)
        runs = await arrived(context, follower.filters, follower.since, limit)
    return [run for run in runs if str(run.run_id) not in follower.sent]


async def _listed(server: Server, follower: Follower, runs: list[StoredRun]) -> list[ListedRun]:
    async with server.reading.connect() as connection:
        summaries = await listed(await _begin(connection, follower), runs)
    return [listed_run(run) for run in summaries]


async def _begin(connection: AsyncConnection, follower: Follower) -> ReadContext:
    """Begin with the token as it is now. Raise 401 if it is no longer valid."""
    return await begin(
        connection, await follower.credential.principal(connection, datetime.now(UTC))
    )


def _event(name: str, data: Mapping[str, Any], id_: str | None = None) -> bytes:
    """Format an event. JSON from orjson is one line, whatever line breaks its texts have."""
    id_line = f"id: {id_}\n".encode() if id_ else b""
    return id_line + b"event: " + name.encode() + b"\ndata: " + orjson.dumps(data) + b"\n\n"
