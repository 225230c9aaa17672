"""One way of reading a document: by its types, after checking that its text has one meaning."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import orjson
import pytest
from load import generated
from macmeter.documents.derive import derive
from macmeter.documents.parse import Parsed, parse, parse_stored
from macmeter.documents.read import MAX_DEPTH, read_stored
from macmeter.documents.stored import samples_by_series, series_key
from macmeter.platform.errors import Problem
from macmeter.platform.settings import CHECKOUT
from support.documents import disk_run, encoded, sampled_run
from support.thorough import some

GOLDEN = sorted((CHECKOUT / "tests" / "documents").glob("*.json"))
# Cases that JSON leaves open, and remains of broken programs.
FRAGMENTS = [
    *(b'"', b"\\", b":", b",", b"{", b"}", b"[", b"]", b"null", b"true", b"-", b"e9", b"1e999"),
    *(b"NaN", b"\x00", b"\xff", b" ", b"\n", b"\\u003a", b"\\ud800", b'"id":"x",', b'"k":1,'),
    *(b'"series":[],', b'"threads":8,', b'"file_size":"8"', b"0.5", b"-1", b"99999999999999999999"),
    *(b'"citation":{},', b'"a:b":":",', b'"printed":["1"],', b'"positions":[0],', b'"2001-01-01"'),
    *(b'"x":' + b"1" * 401 + b",", b'"agent":null,', b'"x":"\\ud800",', b'"x":1e999,'),
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


def read(content: bytes) -> Parsed | None:
    """Return None if it is refused, which must name what is wrong."""
    try:
        return parse(content, now=datetime.now(UTC))
    except Problem as problem:
        refused = problem
    assert (refused.status in (400, 422), bool(refused.errors)) == (True, True), refused
    return None


def by_every_reader(content: bytes, parsed: Parsed) -> None:
    """Check that all readers of documents accept this one and agree."""
    assert parse_stored(content) == parsed
    generic = read_stored(content)
    assert generic == _without_nulls(orjson.loads(content))
    run = derive(*parsed)
    samples = {series_key(r.metric, r.parameters): r.samples for r in run.results}
    assert samples_by_series(content) == samples
    for result in run.results:
        assert {type(sample) for sample in result.samples} == {float}


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    return [_without_nulls(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("content", list(good()))
def test_what_agents_send_is_read_by_every_reader(content: bytes) -> None:
    parsed = read(content)
    assert parsed is not None
    by_every_reader(content, parsed)


def written_oddly(content: bytes) -> bytes:
    """The same document with an escaped string and spaces, which needs the slow path."""
    return json.dumps(json.loads(content), indent=1).replace('"disk"', '"\\u0064isk"').encode()


@pytest.mark.parametrize("content", list(good()))
def test_a_document_means_the_same_however_it_is_written(content: bytes) -> None:
    odd = written_oddly(content)
    assert odd != content
    assert read(odd) == read(content)


def nested(depth: int) -> bytes:
    """A good document with an unknown member of that many nested arrays."""
    run = disk_run()
    run["machine"]["x"] = "@"
    return encoded(run).replace(b'"@"', b"[" * depth + b"]" * depth)


@pytest.mark.parametrize("depth", [MAX_DEPTH, 200, 254, 255, 400, 990, 1000, 1023, 1024, 100_000])
def test_what_is_nested_too_deep_is_refused_with_its_place(depth: int) -> None:
    with pytest.raises(Problem) as refused:
        parse(nested(depth), now=datetime.now(UTC))
    assert (refused.value.status, refused.value.code) == (422, "too_deep")
    pointer = refused.value.errors[0].pointer
    assert pointer == "/machine/x" + "/0" * (MAX_DEPTH - 1)


def test_what_is_nested_less_deep_is_taken() -> None:
    content = nested(MAX_DEPTH - 2)
    parsed = read(content)
    assert parsed is not None
    by_every_reader(content, parsed)


# Numbers as written, in an unknown member and in the only member without types.
NUMBERS = {
    "9223372036854775807": None,
    "18446744073709551615": None,
    "-9223372036854775808": None,
    "1e300": None,
    "0.00000000000000000000000000001": None,
    "18446744073709551616": "not_a_number",
    "-9223372036854775809": "not_a_number",
    "1" * 30: "not_a_number",
    "1" * 401: "not_a_number",
    "1" * 5000: "not_a_number",
    "1e999": "not_finite",
    "-1e999": "not_finite",
    "NaN": "not_a_number",
    "-Infinity": "not_a_number",
}


@pytest.mark.parametrize("written", NUMBERS, ids=lambda written: written[:24])
@pytest.mark.parametrize("place", ["/environment/x", "/method/parameters/x", "/machine/x/0/0"])
def test_a_number_that_readers_differ_on_is_refused_with_its_place(
    written: str, place: str
) -> None:
    run = disk_run()
    run["method"]["parameters"] = {}
    run.setdefault("environment", {})
    _, part, *inner = place.split("/")
    holder = run[part]
    if inner[0] == "parameters":
        holder = holder["parameters"]
    holder["x"] = [["@"]] if inner[-1] == "0" else "@"
    content = encoded(run).replace(b'"@"', written.encode())
    code = NUMBERS[written]
    if code is None:
        parsed = read(content)
        assert parsed is not None
        by_every_reader(content, parsed)
        return
    with pytest.raises(Problem) as refused:
        parse(content, now=datetime.now(UTC))
    assert (refused.value.status, refused.value.errors[0].code) == (422, code)
    assert refused.value.errors[0].pointer == place


OBJECTS = [
    ("agent",),
    ("environment",),
    ("target",),
    ("labels",),
    ("tool",),
    ("traces",),
    ("warnings",),
    ("series",),
    ("citation",),
    ("published_ratios",),
    ("simulated",),
    ("finished_at",),
    ("method", "parameters"),
    ("environment", "virtual_machine"),
    ("environment", "busy"),
    ("target", "image"),
    ("machine", "core_tiers"),
    ("machine", "unspecified"),
]


@pytest.mark.parametrize("path", OBJECTS, ids="/".join)
def test_null_is_the_same_as_leaving_out(path: tuple[str, ...]) -> None:
    run = disk_run()
    holder = run
    for key in path[:-1]:
        holder = holder.setdefault(key, {})
    holder.pop(path[-1], None)
    without = read(encoded(run))
    holder[path[-1]] = None
    content = encoded(run)
    assert read(content) == without is not None
    by_every_reader(content, without)


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_done_to_a_document_every_reader_agrees(seed: int) -> None:
    dice = random.Random(seed)
    documents = [*good(), *(path.read_bytes() for path in GOLDEN), encoded(sampled_run())]
    count = 0
    for _ in range(1500):
        content = bytearray(dice.choice(documents))
        for _ in range(dice.choice((1, 1, 2, 3))):
            index = dice.randrange(len(content))
            length = dice.choice((0, 0, 1, 2, 8))
            content[index : index + length] = dice.choice(FRAGMENTS)
        parsed = read(bytes(content))
        if parsed is not None:
            count += 1
            by_every_reader(bytes(content), parsed)
            # The fast path accepts only what the slow path reads alike.
            assert read(written_oddly(bytes(content))) == parsed, bytes(content)
    assert count > 20


VALUES: list[Any] = [
    *(None, True, 0, -1, 1.5, 10**400, 2**64, "", "x", "x" * 257, [], {}, [1], {"a": 1}),
    *("2026-11-20T10:00:00", "1999-01-01T00:00:00Z", "9999-12-31T23:59:59-12:00", "published"),
    *("imported", "disk.read_average", "disk.write_speed", {"file_size": 1}, {"file_size": "1"}),
    *({"file_size": True}, {"nothing": 1}, [{"metric": "disk.write_average", "values": [1e99]}]),
    *(5e-324, 1e-13, -0.0, [5e-324], [None], {"a": None}, "2026-13-01T00:00:00Z"),
]


@pytest.mark.parametrize("seed", some(range(4)))
def test_whatever_a_key_is_given_every_reader_agrees(seed: int) -> None:
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
        content = encoded(document)
        parsed = read(content)
        if parsed is not None:
            by_every_reader(content, parsed)
            assert read(written_oddly(content)) == parsed, content


def test_equal_keys_are_found_however_they_are_hidden() -> None:
    """A colon more or less elsewhere doesn't compensate for the lost one."""
    content_good = encoded(disk_run())
    for more in (
        b'"suite" :"disk",',
        b'"\\u0073uite":"disk",',
        b'"suite":"disk" ,',
        b'"suite":"\\u003a",',
    ):
        content = b"{" + more + content_good[1:]
        with pytest.raises(Problem) as refused:
            parse(content, now=datetime.now(UTC))
        assert refused.value.errors[0].code == "duplicate_key"
        assert refused.value.errors[0].pointer == "/suite"


def test_two_series_that_differ_by_the_way_of_writing_alone_are_one() -> None:
    series = [
        {"metric": "disk.write_speed", "parameters": {"file_size": size}, "values": [1e9]}
        for size in (1, 1.0)
    ]
    with pytest.raises(Problem, match="Merge the two"):
        parse(encoded(disk_run(series=series)), now=datetime.now(UTC))


# Unknown members that an older server accepted, verbatim.
STORED_ONCE = [b"1" * 401, b"18446744073709551616", b"[" * 40 + b"]" * 40, b"null"]


@pytest.mark.parametrize("written", STORED_ONCE, ids=["401 digits", "65 bits", "deep", "null"])
def test_what_an_older_server_took_is_read_for_ever(written: bytes) -> None:
    run = disk_run(agent=None, environment={"os_version": "26.4", "x": "@"})
    content = encoded(run).replace(b'"@"', written)
    orjson.dumps(read_stored(content))
    del run["environment"]["x"]
    current = encoded(run)
    assert derive(*parse_stored(content)) == derive(*parse(current, now=datetime.now(UTC)))
    assert samples_by_series(content) == samples_by_series(current)


TIMES = {
    "2026-11-20T10:00:00Z": None,
    "2026-11-20t10:00:00.123456789z": None,
    "2026-11-20 10:00+0130": None,
    "2026-W47-5T10:00:00Z": "not_a_time",
    "2026-11-20\N{SNOWMAN}10:00:00Z": "not_a_time",
    "2026-11-20T10Z": "not_a_time",
    "20261120T100000Z": "not_a_time",
    "2026-11-20": "not_a_time",
    "\N{ARABIC-INDIC DIGIT TWO}026-11-20T10:00:00Z": "not_a_time",
    "2026-02-30T10:00:00Z": "not_a_time",
    "2026-11-20T10:00:00": "no_offset",
}


@pytest.mark.parametrize("written", TIMES)
def test_a_time_is_one_that_every_reader_takes(written: str) -> None:
    content = encoded(disk_run(started_at=written))
    code = TIMES[written]
    if code is None:
        assert read(content) is not None
        return
    with pytest.raises(Problem) as refused:
        parse(content, now=datetime.now(UTC))
    assert (refused.value.errors[0].pointer, refused.value.errors[0].code) == ("/started_at", code)
