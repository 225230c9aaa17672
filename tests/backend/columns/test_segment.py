"""Runs of a segment by their ids."""

from __future__ import annotations

import uuid
from random import Random

import numpy as np
from macmeter.columns.building import build
from macmeter.columns.names import Names
from macmeter.columns.segment import RUN_ID
from support.columns import run


def test_runs_are_found_by_their_ids_and_lie_in_the_order_of_their_bytes() -> None:
    chance = Random(1)
    ids = [uuid.UUID(int=chance.getrandbits(128)) for _ in range(300)]
    # Of the same first half, too.
    ids += [uuid.UUID(int=ids[0].int ^ number) for number in (1, 256, 1 << 40)]
    machines = [uuid.UUID(int=number) for number in range(7)]
    rows = [run(chance.choice(machines), run_id, {1: [1.0]}) for run_id in ids]
    segment = build(Names(), rows)
    ordered = segment.runs.run_id.take(segment.runs.by_id).tolist()
    assert ordered == sorted(run_id.bytes for run_id in ids)
    absent = [uuid.UUID(int=chance.getrandbits(128)).bytes for _ in range(20)]
    wanted = np.array([*(run_id.bytes for run_id in ids), *absent], dtype=RUN_ID)
    places = segment.places(wanted)
    assert segment.runs.run_id.take(places[: len(ids)]).tolist() == wanted.tolist()[: len(ids)]
    assert (places[len(ids) :] == -1).all()
