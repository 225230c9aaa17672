"""Lists from columns: what was received last comes first, and a page follows exactly on another."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import numpy as np

from macmeter.columns.names import Ints
from macmeter.reading.moment import Reading
from macmeter.terms import Term

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class Place(NamedTuple):
    """Where something is in a list: when it was received, and its id among those of that moment."""

    received_at: datetime
    id: uuid.UUID


def chosen_runs(reading: Reading, terms: Sequence[Term]) -> Ints:
    """The numbers of the runs that match and may be read, ascending."""
    return np.flatnonzero(reading.view.mask(terms, reading.scope))


def newest_first(received: Ints, ids: Any, most: int, after: Place | None = None) -> Ints:
    """The places of the `most` that were received last, after the one of the page before.

    `received` in microseconds; `ids` of 16 bytes each tell those of one moment apart.
    """
    places = np.arange(len(received))
    if after is not None:
        at = microseconds(after.received_at)
        places = np.flatnonzero(received <= at)
        same = places[received[places] == at]
        later = np.array([of.tobytes() >= after.id.bytes for of in ids[same]], dtype=bool)
        places = np.setdiff1d(places, same[later], assume_unique=True)
    if len(places) > most:
        # All of the moment at which the page ends, and then in order.
        bound = np.partition(received[places], len(places) - most)[len(places) - most]
        places = places[received[places] >= bound]
    halves = np.ascontiguousarray(ids[places]).view(">u8").reshape(-1, 2)
    order = np.lexsort((halves[:, 1], halves[:, 0], received[places]))[::-1]
    return places[order[:most]]


def microseconds(at: datetime) -> int:
    """Since 1970, as columns keep times."""
    return (at - _EPOCH) // _MICROSECOND


def moment_of(number: int) -> datetime:
    """The time of so many microseconds since 1970."""
    return _EPOCH + timedelta(microseconds=number)
