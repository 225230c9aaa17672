"""Lists of runs, newest first, in pages without gaps or repeats."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import func, not_, select, tuple_
from sqlalchemy import literal as literal_of

from macmeter.access.visibility import visible
from macmeter.dataset.runs import Runs
from macmeter.dataset.snapshot import matching_setups
from macmeter.models import Run
from macmeter.reading.filters import matches, standing
from macmeter.reading.keys import Key
from macmeter.reading.moment import Reading
from macmeter.terms import Term

_MICROSECONDS = func.extract("epoch", Run.received_at) * 1_000_000


class Place(NamedTuple):
    """Where something is in a list: when it was received, and its id among those of that moment."""

    received_at: datetime
    id: uuid.UUID


def chosen_runs(reading: Reading, terms: Sequence[Term], also: Sequence[Term] = ()) -> Runs:
    """The runs that match, and match `also`, and may be read; without those that were withdrawn."""
    having = matching_setups(reading.data, also) if also else None
    return Runs(reading.data, tuple(terms), reading.scope, having)


async def newest_chosen(
    reading: Reading, terms: Sequence[Term], most: int, after: Place | None = None
) -> tuple[list[Key], int]:
    """The `most` that were received last of the runs that match and may be read, after the one of
    the page before; and how many match in all. Those that were withdrawn are among them.
    """
    chosen = chosen_runs(reading, terms)
    total, found = chosen.count(), chosen.newest(most, after)
    withdrawn = select(_MICROSECONDS, Run.run_id, Run.machine_id).where(
        not_(standing()), visible(reading.scope.asked(terms)), matches(terms)
    )
    counted = select(func.count()).select_from(withdrawn.subquery())
    total += await reading.connection.scalar(counted) or 0
    if after is not None:
        place = tuple_(literal_of(after.received_at), literal_of(after.id))
        withdrawn = withdrawn.where(tuple_(Run.received_at, Run.run_id) < place)
    newest = withdrawn.order_by(Run.received_at.desc(), Run.run_id.desc()).limit(most)
    found += [tuple(row) for row in await reading.connection.execute(newest)]
    found.sort(key=lambda row: (int(row[0]), row[1]), reverse=True)
    return [(machine_id, run_id) for _, run_id, machine_id in found[:most]], total
