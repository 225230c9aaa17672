"""Upload an invented fleet to a server."""

from __future__ import annotations

import asyncio
import sys
import uuid
from pathlib import Path

import httpx
import orjson
from macmeter.accounts import tokens
from macmeter.accounts.visibility import PUBLIC
from macmeter.embedded import find_running
from macmeter.models import Fleet
from sqlalchemy import select
from sqlalchemy.dialects import postgresql

from support.databases import transaction
from support.fleet_runs import upload
from support.unlike.design import Design
from support.unlike.documents import documents


async def store(client: httpx.AsyncClient, database_url: str, design: Design) -> None:
    """Upload all runs of a fleet, public, to the server of `client`."""
    await upload(client, _uploader(database_url, design.name), list(documents(design)))


def _uploader(database_url: str, name: str) -> str:
    """Token of a public fleet of this name, which is created if needed."""
    with transaction(database_url) as connection:
        connection.execute(
            postgresql.insert(Fleet)
            .values(fleet_id=uuid.uuid4(), name=name, visibility=PUBLIC)
            .on_conflict_do_nothing()
        )
        fleet_id = connection.execute(select(Fleet.fleet_id).where(Fleet.name == name)).scalar_one()
        return tokens.issue(connection, tokens.FLEET, fleet_id)


def load(design: Design, data_dir: Path, address: str) -> None:
    """Upload to the running server of this DATA_DIR, and write the truth there."""
    running = find_running(data_dir)
    if running is None:
        sys.exit(f"no server of {data_dir} runs: DATA_DIR={data_dir} PORT=8002 make serve")

    async def send() -> None:
        async with httpx.AsyncClient(base_url=address, timeout=120) as client:
            await store(client, running.url(), design)

    asyncio.run(send())
    name = design.name.replace(" ", "-")
    content = b"".join(orjson.dumps(run) + b"\n" for run in documents(design))
    (data_dir / f"documents-{name}.ndjson").write_bytes(content)
    truth = data_dir / f"truth-{name}.json"
    truth.write_bytes(orjson.dumps(design.truth(), option=orjson.OPT_INDENT_2))
    print(
        f"{design.name}: {len(design.runs):,} invented runs of {design.machines:,} machines; "
        f"what is true of them: {truth}"
    )
