"""The database's clock, queried once for all concurrent requests."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

from macmeter.platform import database
from macmeter.platform.telemetry import cost
from macmeter.results.runs import Clock


async def test_those_who_ask_together_ask_the_database_once_or_twice(database_url: str) -> None:
    engine = database.reading_engine(database_url)
    clock, spent = Clock(engine), cost.begin()
    first = await clock.now()
    count = spent.statements
    times = await asyncio.gather(*(clock.now() for _ in range(50)))
    assert spent.statements - count <= 2 * count
    assert first <= min(times)
    later = await clock.now()
    assert max(times) < later
    assert abs(later - datetime.now(UTC)).total_seconds() < 60
    await engine.dispose()
