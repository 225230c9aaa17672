"""Pages of lists follow one another exactly, however many runs were received at once."""

from __future__ import annotations

import random
import uuid
from typing import Any

import pytest
from macmeter.machines.queries import list_machines
from macmeter.runs.queries import Page, list_runs
from sqlalchemy import text
from support.databases import transaction
from support.documents import disk_run
from support.random_runs import snapshot
from support.server import Server
from support.thorough import some

_RECEIVED = text("""
    UPDATE runs SET received_at = timestamptz '2026-11-20' + :ms * interval '1 ms',
        withdrawn_at = CASE WHEN :gone THEN now() END
    WHERE run_id = :id
""")
_RUNS = text("SELECT run_id::text FROM runs ORDER BY received_at DESC, runs.run_id DESC")
_MACHINES = text("""
    SELECT machine_id::text FROM runs WHERE withdrawn_at IS NULL
    GROUP BY machine_id ORDER BY max(received_at) DESC, runs.machine_id DESC
""")


@pytest.mark.parametrize("seed", some(range(4)))
async def test_all_pages_together_are_everything_newest_first(server: Server, seed: int) -> None:
    dice = random.Random(seed)
    documents = [disk_run(machine=str(uuid.UUID(int=dice.randrange(9)))) for _ in range(24)]
    await server.stored(*documents)
    with transaction(server.database_url) as connection:
        for document in documents:
            values = {"ms": dice.randrange(4), "gone": dice.random() < 0.3, "id": document["id"]}
            connection.execute(_RECEIVED, values)
        expected = connection.execute(_RUNS).scalars().all()
        machines = connection.execute(_MACHINES).scalars().all()
    async with snapshot(server) as reading:

        async def page_of_machines(page: Page) -> Any:
            return await list_machines(reading, (), "", None, page)

        async def page_of_runs(page: Page) -> Any:
            return await list_runs(reading, (), None, page)

        for list_them, all_ids in ((page_of_runs, expected), (page_of_machines, machines)):
            ids: list[str] = []
            cursor = None
            while not ids or cursor is not None:
                page = Page(dice.randrange(1, 7), cursor)
                content: Any = await list_them(page)
                assert content["total"] == len(all_ids)
                ids += [item["id"] for item in content["items"]]
                cursor = content["next"]
            assert ids == all_ids
