"""What a response tells besides what was asked, to compare it with that about nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from cProfile import Profile
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE
from pathlib import Path
from typing import Any

import httpx
import macmeter
from macmeter.embedded import EmbeddedPostgres
from sqlalchemy import Engine, event

from support.contract import openapi
from support.databases import fresh_database
from support.server import InThisProcess, Server, serving

# Only the address may differ: a made-up id in the place of a real one.
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


@asynccontextmanager
async def observed(cluster: EmbeddedPostgres, dataset: Path) -> AsyncIterator[Server]:
    """Serve a new database in this process, so that tests can observe what it does."""
    with fresh_database(cluster) as name:
        pool = InThisProcess()
        async with serving(cluster.url(name), questions=pool, dataset_dir=dataset) as server:
            yield server


def told_by(response: httpx.Response, *requested: str) -> str:
    """Text of a response without the values asked for, ids, times and request ids."""
    text = response.text
    # Sentences call "Apple M4 Pro" an M4 Pro, and keep it in one line.
    short = [value.removeprefix("Apple ") for value in requested]
    for value in [*requested, *short, *(name.replace(" ", "\xa0") for name in short)]:
        text = text.replace(value, "VALUE")
    text = re.sub(r"\d{4}-\d\d-\d\dT[0-9:.+]+Z?", "TIME", text)
    text = re.sub(r'"request_id":"[0-9a-f]+"', "REQUEST", text)
    return _ID.sub("ID", text)


def addresses() -> Iterator[tuple[str, str]]:
    """Every address of one thing that needs no other parameter."""
    for path, methods in openapi()["paths"].items():
        for method, operation in methods.items():
            needs = [item for item in operation.get("parameters", ()) if item.get("required")]
            if "{" in path and all(item["in"] == "path" for item in needs):
                yield method.upper(), path


# Rooms that read and process runs; endpoints themselves are called either way.
WORK = tuple(
    f"{Path(macmeter.__file__).parent}/{room}/"
    for room in ("results", "questions", "machines", "runs")
)


@contextmanager
def heard() -> Iterator[tuple[list[str], Counter[str]]]:
    """Record database statements meanwhile, and count calls of functions that process runs."""
    statements, calls = list[str](), Counter[str]()

    def listen(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        statements.append(statement)

    event.listen(Engine, "before_cursor_execute", listen)
    profile = Profile(subcalls=False, builtins=False)
    profile.enable()
    try:
        yield statements, calls
    finally:
        profile.disable()
        event.remove(Engine, "before_cursor_execute", listen)
        for entry in profile.getstats():
            code = entry.code
            if isinstance(code, str) or code.co_filename.endswith("router.py"):
                continue
            if code.co_filename.startswith(WORK):
                # Each time that a coroutine goes on counts as a call, and how often it waits for
                # PostgreSQL depends on how an answer arrives.
                waits = code.co_flags & (CO_COROUTINE | CO_ASYNC_GENERATOR)
                calls[code.co_qualname] += 1 if waits else entry.callcount


Told = tuple[int, str, dict[str, str], list[str], Counter[str]]


async def all_told(
    client: httpx.AsyncClient, method: str, path: str, headers: dict[str, str], body: Any
) -> Told:
    """Status, words, headers, and the work done for them."""
    with heard() as (statements, calls):
        response = await client.request(method, path, headers=headers, json=body)
    # The tag is a digest of the text with its ids.
    varying = ("x-request-id", "etag")
    kept_headers = {name: value for name, value in response.headers.items() if name not in varying}
    # The last parts of the path, and the ids among its parameters.
    requested = [*path.partition("?")[0].split("/")[-2:], *_ID.findall(path)]
    return response.status_code, told_by(response, *requested), kept_headers, statements, calls


async def both_told(
    real: Callable[[], Awaitable[Told]], made_up: Callable[[], Awaitable[Told]]
) -> tuple[Told, Told]:
    """Ask for both until they are the same, three times at most: a role's first request does more,
    and background work may interfere.
    """
    for _ in range(2):
        responses = await real(), await made_up()
        if responses[0] == responses[1]:
            return responses
    return await real(), await made_up()
