"""What a request costs: added up where it is spent, logged where it was too much.

The statements that a request gives PostgreSQL, and the time that the data set takes, are counted
in whichever process that happens: a question's are handed back with its result.
"""

from __future__ import annotations

import time
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncEngine


@dataclass
class Cost:
    """The cost of one request. Times are in seconds."""

    waited: float = 0.0
    """For a process to work it out."""
    worked: float = 0.0
    """In that process, PostgreSQL's time included."""
    database: float = 0.0
    statements: int = 0
    rows: int = 0
    """That PostgreSQL returned or changed."""
    dataset: float = 0.0
    """Reading the data set."""

    def add(self, other: Cost) -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def fields(self) -> dict[str, float]:
        """For the log: whole numbers, and times to the millisecond."""
        return {name: round(value, 3) for name, value in vars(self).items()}


_current: ContextVar[Cost | None] = ContextVar("cost", default=None)


def begin() -> Cost:
    """From here on costs count as those of one request."""
    cost = Cost()
    _current.set(cost)
    return cost


def current() -> Cost:
    """The cost of the request that is being answered; ignored outside of one."""
    return _current.get() or Cost()


def count_reading(seconds: float) -> None:
    """The data set was read for so long."""
    if (cost := _current.get()) is not None:
        cost.dataset += seconds


def count_statements(engine: AsyncEngine) -> AsyncEngine:
    """The same engine, whose statements count as costs of the request that gives them."""
    event.listen(engine.sync_engine, "before_cursor_execute", _before)
    event.listen(engine.sync_engine, "after_cursor_execute", _after)
    return engine


def _before(_connection: Any, _cursor: Any, _text: str, _with: Any, context: Any, _: bool) -> None:
    if context is not None:
        context.began = time.perf_counter()


def _after(_connection: Any, cursor: Any, _text: str, _with: Any, context: Any, _: bool) -> None:
    cost = _current.get()
    if cost is not None and context is not None:
        cost.database += time.perf_counter() - context.began
        cost.statements += 1
        cost.rows += max(cursor.rowcount, 0)
