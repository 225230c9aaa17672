"""Lists of runs from columns, newest first, in pages without gaps or repeats."""

from __future__ import annotations

import bisect
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import numpy as np

from macmeter.columns.names import Ints
from macmeter.columns.segment import Bools, Segment, Small
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


def newest_chosen(
    reading: Reading, terms: Sequence[Term], most: int, after: Place | None = None
) -> tuple[Ints, int]:
    """The numbers of the `most` that were received last of those that match and may be read, after
    the one of the page before; and how many match in all.
    """
    view = reading.view
    at = microseconds(after.received_at) if after is not None else None
    listed, total = [np.zeros(0, dtype=np.int64)], 0
    for segment, first, runs in zip(
        view.segments, view.first_runs[:-1], view.runs(terms, reading.scope), strict=True
    ):
        total += len(segment.runs) if runs.mask is None else int(np.count_nonzero(runs.mask))
        listed.append(latest_of(segment, runs.mask, most, at) + np.int64(first))
    numbers = np.concatenate(listed)
    received, ids = view.of_runs("received")[numbers], view.of_runs("run_id")[numbers]
    return numbers[newest_first(received, ids.take, most, after)], total


def latest_of(segment: Segment, mask: Bools | None, most: int, at: int | None) -> Small:
    """Places of a segment's runs that `mask` chooses: those of one moment together, the last moment
    first, until `most` were received before `at`. Of those no more are looked at than it takes.
    """
    received, order = segment.runs.received, segment.latest
    place = 0 if at is None else bisect.bisect_left(order, -at, key=lambda run: -received[run])
    found, earlier, step = [order[:0]], 0, 4 * most
    while place < len(order):
        some = order[place : place + step]
        own = some if mask is None else some.compress(mask.take(some))
        found.append(own)
        earlier += len(own) if at is None else int(np.count_nonzero(received.take(own) < at))
        place, step = place + step, 2 * step
        if earlier >= most and place < len(order):
            every = np.concatenate(found)
            # Whoever came at the moment at which the page ends is on it or not by its id.
            if received[order[place]] < received[every[len(every) - earlier + most - 1]]:
                return every
    return np.concatenate(found)


def newest_first(received: Ints, ids: Any, most: int, after: Place | None = None) -> Ints:
    """The places of the `most` that were received last, after the one of the page before.

    `received` in microseconds; `ids` of 16 bytes each tell those of one moment apart.
    """
    places = np.arange(len(received))
    if after is not None:
        at = microseconds(after.received_at)
        places = np.flatnonzero(received <= at)
        same = places[received[places] == at]
        later = np.array([of.tobytes() >= after.id.bytes for of in ids(same)], dtype=bool)
        places = np.setdiff1d(places, same[later], assume_unique=True)
    if len(places) > most:
        # All of the moment at which the page ends, and then in order.
        bound = np.partition(received[places], len(places) - most)[len(places) - most]
        places = places[received[places] >= bound]
    halves = np.ascontiguousarray(ids(places)).view(">u8").reshape(-1, 2)
    order = np.lexsort((halves[:, 1], halves[:, 0], received[places]))[::-1]
    return places[order[:most]]


def microseconds(at: datetime) -> int:
    """Since 1970, as columns keep times."""
    return (at - _EPOCH) // _MICROSECOND


def moment_of(number: int) -> datetime:
    """The time of so many microseconds since 1970."""
    return _EPOCH + timedelta(microseconds=number)
