"""Numbers of series, by which results refer to them.

New series are inserted in a short transaction of their own, before the run that brings them: two
uploads with the same new series never wait for, or deadlock with, each other's run.
"""

from collections import OrderedDict
from typing import Any

import orjson
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from macmeter.documents.derive import DerivedResult

SeriesKey = tuple[Any, ...]
_ASKED = (
    "unnest(CAST(:metrics AS text[]), CAST(CAST(:parameters AS text[]) AS jsonb[])) "
    "WITH ORDINALITY AS asked (metric, parameters, place)"
)
_LOOK_UP_SERIES = text(
    f"SELECT asked.place, series.series_id FROM {_ASKED} "  # noqa: S608 - no value in it
    "JOIN series ON series.metric = asked.metric AND series.parameters = asked.parameters"
)
# In a fixed order, so that two uploads can't deadlock.
_WRITE_SERIES = text(
    f"INSERT INTO series (metric, parameters) SELECT metric, parameters FROM {_ASKED} "  # noqa: S608
    "ORDER BY metric, parameters ON CONFLICT DO NOTHING"
)
# Entries of a few hundred bytes each.
_MOST_KNOWN = 20_000


class SeriesNumbers:
    """LRU cache of series' numbers in this process. A number never changes."""

    def __init__(self, most: int = _MOST_KNOWN) -> None:
        self._known: OrderedDict[SeriesKey, int] = OrderedDict()
        self._most = most

    async def of(self, engine: AsyncEngine, results: list[DerivedResult]) -> list[int]:
        """Return the number of each result's series, in order. Insert new series first."""
        keys = [(result.metric, *result.parameters.items()) for result in results]
        try:
            return [self._known[key] for key in keys]
        except KeyError:
            return await self._find_or_insert(engine, keys, results)

    async def _find_or_insert(
        self, engine: AsyncEngine, keys: list[SeriesKey], results: list[DerivedResult]
    ) -> list[int]:
        known = {key: self._known[key] for key in keys if key in self._known}
        missing = {key: r for key, r in zip(keys, results, strict=True) if key not in known}
        if missing:
            async with engine.begin() as connection:
                known |= await _numbers(connection, missing)
        # Only committed numbers are cached.
        self._keep(known)
        return [known[key] for key in keys]

    def _keep(self, used: dict[SeriesKey, int]) -> None:
        self._known.update(used)
        for key in used:
            self._known.move_to_end(key)
        while len(self._known) > self._most:
            self._known.popitem(last=False)


async def _numbers(
    connection: AsyncConnection, series: dict[SeriesKey, DerivedResult]
) -> dict[SeriesKey, int]:
    """Look up the numbers, inserting missing series: three statements at most for any number."""
    numbers = await _look_up(connection, series)
    missing = {key: result for key, result in series.items() if key not in numbers}
    if missing:
        await connection.execute(_WRITE_SERIES, _columns(missing))
        numbers |= await _look_up(connection, missing)
    return numbers


async def _look_up(
    connection: AsyncConnection, series: dict[SeriesKey, DerivedResult]
) -> dict[SeriesKey, int]:
    keys = list(series)
    rows = await connection.execute(_LOOK_UP_SERIES, _columns(series))
    return {keys[row.place - 1]: row.series_id for row in rows}


def _columns(series: dict[SeriesKey, DerivedResult]) -> dict[str, list[str]]:
    return {
        "metrics": [result.metric for result in series.values()],
        "parameters": [orjson.dumps(result.parameters).decode() for result in series.values()],
    }
