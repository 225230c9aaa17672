"""What a response tells besides what was asked, to compare it with that about nothing."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
from macmeter.embedded import EmbeddedPostgres

from support.contract import openapi
from support.databases import fresh_database
from support.server import InThisProcess, Server, serving

# Only the address may differ: a made-up id in the place of a real one.
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


@asynccontextmanager
async def observed(cluster: EmbeddedPostgres, dataset: Path) -> AsyncIterator[Server]:
    """Serve a new database in this process, so that tests can observe what it does."""
    with fresh_database(cluster) as name:
        here = InThisProcess()
        async with serving(cluster.url(name), questions=here, dataset_dir=dataset) as server:
            yield server


def told_by(response: httpx.Response, *asked: str) -> str:
    """Text of a response without the values asked for, ids, times and request ids."""
    text = response.text
    # Sentences call "Apple M4 Pro" an M4 Pro, and keep it in one line.
    short = [value.removeprefix("Apple ") for value in asked]
    for value in [*asked, *short, *(one.replace(" ", "\xa0") for one in short)]:
        text = text.replace(value, "VALUE")
    text = re.sub(r"\d{4}-\d\d-\d\dT[0-9:.+]+Z?", "TIME", text)
    text = re.sub(r'"request_id":"[0-9a-f]+"', "REQUEST", text)
    return _ID.sub("ID", text)


def addresses() -> Iterator[tuple[str, str]]:
    """Every address of one thing that needs no other parameter."""
    for path, methods in openapi()["paths"].items():
        for method, operation in methods.items():
            needs = [one for one in operation.get("parameters", ()) if one.get("required")]
            if "{" in path and all(one["in"] == "path" for one in needs):
                yield method.upper(), path
