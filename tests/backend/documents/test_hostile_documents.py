"""Documents made to keep the server busy: refused before anything large is built from them.

With eight megabytes each of these took between two seconds and a minute. Nothing is timed here: a
tenth of that exceeds the same limits.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from macmeter.documents.parse import parse
from macmeter.platform.errors import Problem
from support.documents import disk_run

ROOM = 800_000


def repeated(item: str, room: int = ROOM) -> str:
    """An array with as many items as fit into `room`."""
    return f"[{','.join([item] * (room // (len(item) + 1)))}]"


def beside(key: str, value: str) -> bytes:
    """A good document except for the value of one key, verbatim."""
    run = disk_run()
    run.pop(key, None)
    return f'{json.dumps(run)[:-1]},"{key}":{value}}}'.encode()


def keys(count: int) -> str:
    return "{" + ",".join(f'"k{number}":"1"' for number in range(count)) + "}"


def trace(row: str) -> bytes:
    columns = json.dumps([f"c{number}" for number in range(64)])
    return beside("traces", f'[{{"kind":"cpu","columns":{columns},"rows":{repeated(row)}}}]')


def values(written: str) -> bytes:
    return beside("series", f'[{{"metric":"disk.write_average","values":{written}}}]')


def series(count: int) -> bytes:
    listed = [
        {"metric": "disk.write_speed", "parameters": {"file_size": size}, "values": [1e9]}
        for size in range(1, count + 1)
    ]
    return beside("series", json.dumps(listed))


REFUSED = {
    "keys": (keys(60_000).encode(), "too_many"),
    "keys of labels": (beside("labels", keys(60_000)), "too_many"),
    "one key again and again": (b"{" + b",".join([b'"k":1'] * 60_000) + b"}", "too_many"),
    "objects": (repeated("{}").encode(), "too_many"),
    "objects further in": (beside("environment", f'{{"x":{repeated("{}")}}}'), "too_many"),
    "arrays": (beside("environment", f'{{"x":{repeated("[]")}}}'), "too_many"),
    "arrays in arrays": (b"[" * ROOM, "too_many"),
    "texts for numbers": (trace(repeated('""', 3 * 64)), "string_too_short"),
    "nothing for numbers": (values(repeated("null")), "too_long"),
    "infinite numbers": (values(repeated("1e999")), "not_finite"),
    "control characters": (
        beside("environment", f'{{"x":{repeated(json.dumps(chr(1)))}}}'),
        "control_character",
    ),
    "series": (series(3_000), "too_long"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_in_a_few_words(name: str) -> None:
    content, code = REFUSED[name]
    with pytest.raises(Problem) as refused:
        parse(content, now=datetime.now(UTC))
    assert (refused.value.status, refused.value.code) == (422, code)
    assert len(refused.value.errors) <= 20
    assert len(json.dumps(refused.value.body())) < 20_000


def test_the_largest_honest_documents_are_taken() -> None:
    assert len(parse(series(1_000), now=datetime.now(UTC)).series) == 1_000
    rows = json.dumps([[n / 10, "P0", 1e9, 0.5] for n in range(200_000)])
    columns = json.dumps(["t", "cluster", "frequency", "active_residency"])
    traced = beside("traces", f'[{{"kind":"cpu","columns":{columns},"rows":{rows}}}]')
    (trace,) = parse(traced, now=datetime.now(UTC)).document.traces or []
    assert len(trace.rows) == 200_000
