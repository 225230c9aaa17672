"""The quick way of reading a document never takes what the long way refuses, or reads another."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from load import generated
from macmeter.documents.derive import DerivedRun, derive
from macmeter.documents.document import RunDocument
from macmeter.documents.parse import Parsed, _check_clock, _parse, parse_plain
from macmeter.documents.read import MAX_DEPTH, read_json, read_plain_json
from macmeter.documents.series import measured
from macmeter.errors import Problem
from macmeter.settings import CHECKOUT
from support.documents import disk_run, encoded, sampled_run

GOLDEN = sorted((CHECKOUT / "tests" / "documents").glob("*.json"))
# What JSON leaves open, and what ends up in a document by way of a broken program.
FRAGMENTS = [
    *(b'"', b"\\", b":", b",", b"{", b"}", b"[", b"]", b"null", b"true", b"-", b"e9", b"1e999"),
    *(b"NaN", b"\x00", b"\xff", b" ", b"\n", b"\\u003a", b"\\ud800", b'"id":"x",', b'"k":1,'),
    *(b'"series":[],', b'"threads":8,', b'"file_size":"8"', b"0.5", b"-1", b"99999999999999999999"),
    *(b'"citation":{},', b'"a:b":":",', b'"printed":["1"],', b'"positions":[0],', b'"2001-01-01"'),
    b'"' + b"x" * 300 + b'":1,',
    b"[" * 40,
]


FULL = {
    "metric": "disk.write_average",
    "positions": [0, 4],
    "printed": ["2", "1.50"],
    "qualifier": "about",
}


def good() -> Iterator[bytes]:
    yield encoded(disk_run(write=[5e9, 6e9]))
    yield encoded(disk_run(labels={"bay:1": "a:b"}, finished_at="2026-11-20T11:00:01+01:00"))
    yield json.dumps(disk_run(environment={"os_version": None, "busy": ["backup"]})).encode()
    yield encoded(disk_run(source="imported", tool={"name": "fio"}, started_at=None))
    yield generated.encoded(next(generated.documents(1)))
    yield encoded(disk_run(series=[{**FULL, "values": [2, 1.5]}]))


# A document without its series, and what is made of it with them.
Read = tuple[RunDocument, DerivedRun]


def read(content: bytes) -> Read | None:
    """As the long way reads it; None where that refuses it."""
    try:
        document = _parse(content)
        _check_clock(document, datetime.now(UTC))
    except Problem:
        return None
    return _read(Parsed(document, measured(document)))


def read_plain(content: bytes) -> Read | None:
    """The same by the quick way."""
    parsed = parse_plain(content)
    if parsed is None:
        return None
    try:
        _check_clock(parsed.document, datetime.now(UTC))
    except Problem:
        return None
    return _read(parsed)


def _read(parsed: Parsed) -> Read:
    run = derive(*parsed)
    for result in run.results:
        assert {type(sample) for sample in result.samples} == {float}
    return parsed.document.model_copy(update={"series": []}), run


@pytest.mark.parametrize("content", list(good()))
def test_what_agents_send_is_read_the_quick_way(content: bytes) -> None:
    found = read_plain(content)
    assert found is not None
    assert found == read(content)


def test_what_was_read_before_lets_nothing_pass_that_is_only_equal_to_it() -> None:
    plain = generated.encoded(next(generated.documents(1))).replace(
        b'"elapsed":1}', b'"elapsed":1.0}'
    )
    assert b'"elapsed":1.0}' in plain
    assert parse_plain(plain) is not None
    assert parse_plain(plain.replace(b'"elapsed":1.0}', b'"elapsed":true}')) is None
    # Nor are two series that differ in the way of writing alone.
    assert parse_plain(plain.replace(b'"elapsed":2}', b'"elapsed":1}')) is None


@pytest.mark.parametrize("inside", [b"[]", b'{"a":1}', b'"[{"', b"1"])
@pytest.mark.parametrize("opened", [b"[", b'{"a":'])
def test_what_is_nested_too_deep_is_not_read_the_quick_way(opened: bytes, inside: bytes) -> None:
    closed = {b"[": b"]", b'{"a":': b"}"}[opened]
    taken = []
    for depth in range(MAX_DEPTH + 4):
        content = b'{"x":' + opened * depth + inside + closed * depth + b"}"
        found = read_plain_json(content, "series")
        assert found is None or found.value == read_json(content)
        taken.append(found is not None)
    assert not taken[-1]
    assert taken[0] is (inside != b'"[{"')


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_wrong_with_a_document_the_quick_way_does_not_take_it(seed: int) -> None:
    dice = random.Random(seed)
    documents = [*good(), *(path.read_bytes() for path in GOLDEN), encoded(sampled_run())]
    taken = 0
    for _ in range(1500):
        content = bytearray(dice.choice(documents))
        for _ in range(dice.choice((1, 1, 2, 3))):
            place = dice.randrange(len(content))
            length = dice.choice((0, 0, 1, 2, 8))
            content[place : place + length] = dice.choice(FRAGMENTS)
        quick = read_plain(bytes(content))
        if quick is not None:
            taken += 1
            assert quick == read(bytes(content)), bytes(content)
    assert taken > 20


VALUES: list[Any] = [
    *(None, True, 0, -1, 1.5, 10**400, 2**64, "", "x", "x" * 257, [], {}, [1], {"a": 1}),
    *("2026-11-20T10:00:00", "1999-01-01T00:00:00Z", "9999-12-31T23:59:59-12:00", "published"),
    *("imported", "disk.read_average", "disk.write_speed", {"file_size": 1}, {"file_size": "1"}),
    *({"file_size": True}, {"nothing": 1}, [{"metric": "disk.write_average", "values": [1e99]}]),
]


@pytest.mark.parametrize("seed", range(4))
def test_whatever_a_key_is_given_both_ways_agree(seed: int) -> None:
    dice = random.Random(seed)
    documents = [json.loads(content) for content in good()]
    for _ in range(1000):
        document = json.loads(json.dumps(dice.choice(documents)))
        for _ in range(dice.choice((1, 2))):
            holder: Any = document
            while True:
                keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
                if not keys:
                    break
                key = dice.choice(keys)
                inner = holder[key]
                if isinstance(inner, (dict, list)) and inner and dice.random() < 0.7:
                    holder = inner
                    continue
                holder[key] = copy.deepcopy(dice.choice(VALUES))
                break
        content = json.dumps(document).encode()
        quick = read_plain(content)
        assert quick is None or quick == read(content), content


def test_two_series_that_differ_by_the_kind_of_a_number_only_are_read_alike() -> None:
    series = [
        {"metric": "disk.write_speed", "parameters": {"file_size": size}, "values": [1e9]}
        for size in (1, 1.0)
    ]
    content = encoded(disk_run(series=series))
    assert read_plain(content) in (None, read(content))
