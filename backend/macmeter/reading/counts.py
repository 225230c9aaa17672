"""How many runs there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import func, select

from macmeter.access.visibility import visible
from macmeter.documents.derive import DERIVATION_VERSION
from macmeter.models import Run
from macmeter.reading.filters import matches, standing
from macmeter.reading.moment import Moment, Reading
from macmeter.reading.order import chosen_runs
from macmeter.terms import Term


class Counted(NamedTuple):
    """The runs of one source; the `outdated` wait for being rederived."""

    source: str
    runs: int
    outdated: int


async def runs_by_source(moment: Moment) -> list[Counted]:
    outdated = Run.derivation_version < DERIVATION_VERSION
    query = (
        select(Run.source, func.count(), func.count().filter(outdated))
        .where(visible(moment.scope))
        .group_by(Run.source)
        .order_by(Run.source)
    )
    return [Counted._make(row) for row in await moment.connection.execute(query)]


class Size(NamedTuple):
    """How many runs may be read, withdrawn ones apart, and how many results they have."""

    runs: int
    results: int


def size_of(reading: Reading) -> Size:
    return Size._make(chosen_runs(reading, ()).size())


async def left_out(reading: Reading, terms: Sequence[Term] = ()) -> int:
    """How many runs that match are not in the data set, as what is stored of them can't be read."""
    may_be_read = visible(reading.scope.asked(terms))
    stored = select(func.count()).where(may_be_read, standing(), matches(terms))
    found = await reading.connection.scalar(stored) or 0
    return found - chosen_runs(reading, terms).count()
