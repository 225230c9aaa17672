"""One machine's results in the order in which it measured them."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import func

from macmeter import catalog
from macmeter.answers.answer import Key
from macmeter.answers.runs import Source
from macmeter.catalog import Trait
from macmeter.models import Result, Run, Series
from macmeter.reading.filters import results_of, undoubted
from macmeter.reading.moment import Moment
from macmeter.terms import Op, Term

# What a run was measured on, besides its method.
CONFIGURATION = (*catalog.having(Trait.CONFIGURATION), "device_id", "labels")


class Measurement(NamedTuple):
    """One result; `configuration` in the order of CONFIGURATION, None where not stated."""

    run_id: uuid.UUID
    at: datetime
    os_version: str | None
    metric: str
    run_flags: list[str]
    source: Source
    method: str
    method_version: int
    series_id: int
    parameters: Key
    value: float
    flags: list[str] | None
    printed: str | None
    samples: int
    configuration: tuple[Any, ...]


async def measurements_of(
    moment: Moment,
    machine_id: uuid.UUID,
    metrics: Sequence[str],
    terms: Sequence[Term],
    flagged: str,
) -> list[Measurement]:
    """A machine's results of these metrics that match, the oldest first."""
    at = func.coalesce(Run.started_at, Run.received_at)
    of_machine = (*terms, Term("machine", Op.IS, str(machine_id)))
    query = (
        results_of(metrics, of_machine, moment.scope)
        .where(undoubted(flagged))
        .add_columns(
            *(Run.run_id, at, Run.os_version, Series.metric, Run.flags, Run.source, Run.method),
            *(Run.method_version, Series.series_id, Series.parameters, Result.median),
            *(Result.flags, Result.printed, Result.n),
            *(getattr(Run, name) for name in CONFIGURATION),
        )
        .order_by(at, Run.run_id)
    )
    own = len(Measurement._fields) - 1
    return [
        Measurement._make((*row[:own], tuple(row[own:])))
        for row in await moment.connection.execute(query)
    ]
