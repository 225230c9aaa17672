"""Cost of a request: accumulated where it arises, logged if the request was slow.

PostgreSQL statements and time in the data set are counted in whichever process they occur: worker
processes return a question's cost with its result.
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
    """Cost of one request; times in seconds."""

    waited: float = 0.0
    """Wait for a worker process."""
    worked: float = 0.0
    """Time in the worker process, including PostgreSQL's."""
    database: float = 0.0
    statements: int = 0
    rows: int = 0
    """Rows that PostgreSQL returned or changed."""
    dataset: float = 0.0
    """Time reading the data set."""

    def add(self, other: Cost) -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)

    def fields(self) -> dict[str, float]:
        """Return the values for the log, with times to the millisecond."""
        return {name: round(value, 3) for name, value in vars(self).items()}


_current: ContextVar[Cost | None] = ContextVar("cost", default=None)


def begin() -> Cost:
    """Start counting costs for a new request."""
    cost = Cost()
    _current.set(cost)
    return cost


def current() -> Cost:
    """Return the cost of the current request; outside a request, one that is discarded."""
    return _current.get() or Cost()


def count_reading(seconds: float) -> None:
    """Add time spent reading the data set."""
    if (cost := _current.get()) is not None:
        cost.dataset += seconds


def count_statements(engine: AsyncEngine) -> AsyncEngine:
    """Count the engine's statements as costs of the current request; return the engine."""
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
