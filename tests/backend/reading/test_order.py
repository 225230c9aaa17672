"""Pages of lists follow exactly on one another, however many runs came at one moment."""

from __future__ import annotations

import random
import uuid

import numpy as np
import pytest
from macmeter.columns.segment import RUN_ID, Runs, Segment
from macmeter.reading.order import Place, latest_of, microseconds, moment_of, newest_first


def made_up(dice: random.Random) -> tuple[list[int], list[bytes]]:
    """Few moments: a batch is received at one."""
    count = dice.randrange(0, 60)
    moments = [dice.randrange(2**50) for _ in range(dice.randrange(1, 8))]
    ids = [dice.randbytes(16) for _ in range(count)]
    return [dice.choice(moments) for _ in range(count)], ids


@pytest.mark.parametrize("seed", range(40))
def test_all_pages_together_are_everything_newest_first(seed: int) -> None:
    dice = random.Random(seed)
    received, ids = made_up(dice)
    expected = sorted(range(len(ids)), key=lambda n: (received[n], ids[n]), reverse=True)
    most, shown = dice.randrange(1, 9), list[int]()
    after: Place | None = None
    while page := newest_first(
        np.array(received, dtype=np.int64), np.array(ids, dtype=RUN_ID).take, most, after
    ).tolist():
        assert len(page) <= most
        shown += page
        after = Place(moment_of(received[page[-1]]), uuid.UUID(bytes=ids[page[-1]]))
    assert shown == expected


def segment_of(received: list[int], ids: list[bytes]) -> Segment:
    """Of runs of which nothing else matters."""
    none = np.zeros(len(ids), dtype=np.int32)
    names = ("owner", "setup", "month", "device", "host", "flags", "by_id")
    return Segment(
        Runs(
            **dict.fromkeys(names, none),
            withdrawn=none.astype(bool),
            run_id=np.array(ids, dtype=RUN_ID),
            received=np.array(received, dtype=np.int64),
        ),
        {},
    )


@pytest.mark.parametrize("seed", range(40))
def test_the_newest_that_match_are_found_without_a_look_at_all(seed: int) -> None:
    dice = random.Random(seed)
    received, ids = made_up(dice)
    segment = segment_of(received, ids)
    mask = np.array([dice.random() < 0.4 for _ in ids], dtype=bool)
    chosen = np.flatnonzero(mask)
    most, after = dice.randrange(1, 5), None
    while True:
        expected = chosen[
            newest_first(
                segment.runs.received[chosen], segment.runs.run_id[chosen].take, most, after
            )
        ]
        at = microseconds(after.received_at) if after is not None else None
        some = latest_of(segment, mask, most, at)
        found = some[
            newest_first(segment.runs.received[some], segment.runs.run_id[some].take, most, after)
        ]
        assert found.tolist() == expected.tolist()
        if not len(found):
            break
        after = Place(moment_of(received[found[-1]]), uuid.UUID(bytes=ids[found[-1]]))


def test_a_place_that_is_gone_is_no_end() -> None:
    """What a page ended with may be deleted before the next is asked for."""
    received, ids = [10, 20, 20, 30], [bytes([n] * 16) for n in (1, 2, 4, 5)]
    gone = Place(moment_of(20), uuid.UUID(bytes=bytes([3] * 16)))
    found = newest_first(np.array(received), np.array(ids, dtype=RUN_ID).take, 9, gone)
    assert found.tolist() == [1, 0]


def test_times_keep_their_microseconds() -> None:
    for number in (0, 1, 1_763_800_000_123_457, 1_763_800_000_999_999):
        assert microseconds(moment_of(number)) == number
