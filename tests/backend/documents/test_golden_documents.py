"""The golden documents: accepted, stored, and returned. The agent's tests read the same files."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from macmeter.documents.parse import parse
from macmeter.platform.errors import Problem
from macmeter.platform.settings import CHECKOUT
from support.published import store_published
from support.server import Server

FOLDER = Path(__file__).resolve().parents[2] / "documents"
FILES = sorted(FOLDER.glob("*.json"))
SCHEMA = Draft202012Validator(
    json.loads((CHECKOUT / "docs" / "run.v1.schema.json").read_text(encoding="utf-8"))
)
Json = dict[str, Any]
golden = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


def read(name: str) -> Json:
    document: Json = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return document


async def told(server: Server, document: Json) -> Json:
    response = await server.client.get(f"/api/v1/runs/{document['id']}")
    assert response.status_code == 200, response.text
    found: Json = response.json()
    return found


async def taken(server: Server, name: str) -> tuple[Json, Json]:
    """Upload the document; return it and what the server says about it."""
    document = read(name)
    response = await server.put(document)
    assert response.status_code == 201, response.text
    return document, await told(server, document)


def test_the_readme_describes_every_document_and_no_other() -> None:
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    described = re.findall(r"^\| `(.+?\.json)` \|", text, re.MULTILINE)
    assert sorted(described) == [file.name for file in FILES]


@golden
def test_each_is_as_the_schema_says(file: Path) -> None:
    assert [error.message for error in SCHEMA.iter_errors(read(file.stem))] == []


@golden
def test_each_has_an_id_of_its_own(file: Path) -> None:
    others = {read(other.stem)["id"] for other in FILES if other != file}
    assert read(file.stem)["id"] not in others


async def test_the_minimal_document_states_nothing_else(server: Server) -> None:
    document, found = await taken(server, "minimal")
    stated = {name: value for name, value in found.items() if value not in (None, [], {}, False)}
    # The same in words.
    for name in ("words", "received_at", "document_sha256", "document_bytes", "stated_method"):
        assert stated.pop(name)
    (result,) = stated.pop("results")
    assert (result["values"], result["parameters"]) == ([7.1e9], {})
    assert stated.pop("chief")[0]["high"] == 7.1e9
    # Without a statement, it is not a virtual machine.
    assert stated.pop("similar") == {"virtual": False}
    method = document["method"]
    assert stated == {
        "id": document["id"],
        "suite": "disk",
        "source": "measured",
        "state": "complete",
        "method": method["name"],
        "method_version": method["version"],
        "started_at": "2026-11-20T10:00:00+00:00",
        "machine": document["machine"],
    }


async def test_the_full_document_is_told_in_full(server: Server) -> None:
    document, found = await taken(server, "full")
    for name in ("id", "suite", "source", "state", "simulated"):
        assert found[name] == document[name], name
    for name in ("machine", "environment", "target", "agent", "tool", "labels", "warnings"):
        assert found[name] == document[name], name
    assert found["method_parameters"] == document["method"]["parameters"]
    assert found["traces"] == [trace["kind"] for trace in document["traces"]]
    assert len(found["results"]) == len(document["series"])
    for result in found["results"]:
        (series,) = [
            series
            for series in document["series"]
            if (series["metric"], series.get("parameters", {}))
            == (result["metric"], result["parameters"])
        ]
        assert result["values"] == series["values"]
        assert result["positions"] == series.get("positions")
        assert (result["min"], result["max"]) == (min(series["values"]), max(series["values"]))
    # Every stated dimension can be queried.
    (group,) = await server.groups(
        "metric=disk.write_average&by=vcpus&by=label:iops&by=link_speed"
        "&where=image_format:asif&where=image_state:new&where=virtual:true&where=via:direct"
        "&where=file_system:apfs&where=simultaneous:1&where=os_major:26&where=tool:macmeter"
        "&where=power_mode:automatic&where=model:Mac mini&where=month:2026-11"
    )
    assert group["key"] == {"vcpus": 5, "label:iops": "12000", "link_speed": 80e9}
    assert {flag["code"] for flag in group["flags"]} == {"busy_system"}


async def test_what_nobody_has_heard_of_is_kept_by_its_name(server: Server) -> None:
    document, found = await taken(server, "unknown_chip_and_enums")
    assert found["machine"] == document["machine"]
    assert found["target"] == document["target"]
    assert found["state"] == "incomplete"
    flags = {flag["code"]: flag["severity"] for flag in found["flags"]}
    assert flags == {
        "incomplete": "doubt",
        "busy_system": "caution",
        "hot": "caution",
        "gremlins_seen": "caution",
    }
    asked = "metric=disk.write_speed&flagged=include&where=file_size:2000000"
    for name, value in {
        "chip": "Apple M17 Hyper",
        "chip_family": "M17",
        "chip_variant": "Hyper",
        "model": "Mac99,7",
        "storage": "thunderbolt9",
        "encryption": "rot26",
        "image_format": "qcow9",
        "image_state": "half_emptied",
        "power_mode": "overdrive",
        "power_source": "solar",
        "file_system": "zfs",
        "os_major": 33,
        "month": "2026-11",
    }.items():
        (group,) = await server.groups(f"{asked}&by={name}")
        assert group["key"] == {name: value}
    assert await server.groups("metric=disk.write_speed&where=file_size:2000000") == []


async def test_a_published_document_is_the_servers_own_alone(server: Server) -> None:
    document = read("published")
    refused = await server.put(document)
    assert (refused.status_code, refused.json()["pointer"]) == (422, "/source")
    await store_published(server, document)
    found = await told(server, document)
    assert found["citation"] == document["citation"]
    (result,) = found["results"]
    assert (result["printed"], result["qualifier"]) == ("6.57 GB/s", "about")
    ratio, printed_range = found["published"]
    for figure, of in ((ratio, "published_ratios"), (printed_range, "published_ranges")):
        for name, value in document[of][0].items():
            assert figure[name] == value, name
    (group,) = await server.groups("metric=disk.read_average")
    assert (group["published"], group["machines"]) == (True, 0)
    (shown,) = (await server.answer("metric=disk.write_average"))["results"][0]["published"]
    assert (shown["printed"], shown["value"]) == ("97%", 0.97)


STRANGE: list[Any] = [
    None,
    True,
    -1,
    0,
    1.5,
    10**20,
    "",
    "x",
    "x" * 257,
    "a\u0000",
    [],
    [None],
    {},
    {"x": {}},
]


@golden
@pytest.mark.every(2)
def test_whatever_is_taken_is_as_the_schema_says(file: Path) -> None:
    """The schema is never stricter than the server, with any part omitted or changed, so that
    readers who rely on it accept all our documents.
    """
    verdicts = [(refusal(changed), changed) for changed in variants(read(file.stem))]
    for refused, changed in verdicts:
        if refused is None:
            assert [error.message for error in SCHEMA.iter_errors(without_nulls(changed))] == []
        else:
            assert refused.status == 422
            assert refused.errors, changed
    assert 20 < sum(refused is not None for refused, _ in verdicts) < len(verdicts)


def refusal(document: Json) -> Problem | None:
    try:
        parse(json.dumps(document).encode(), now=datetime.now(UTC))
    except Problem as problem:
        return problem
    return None


def variants(document: Json) -> Iterator[Json]:
    for path in places(document):
        for strange in (..., *STRANGE):
            changed = copy.deepcopy(document)
            part: Any = changed
            for step in path[:-1]:
                part = part[step]
            if strange is ...:
                del part[path[-1]]
            else:
                part[path[-1]] = strange
            yield changed


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every part; of lists only the first."""
    if path:
        yield path
    if isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, (*path, key))
    elif isinstance(value, list) and value:
        yield from places(value[0], (*path, 0))


def without_nulls(value: Any) -> Any:
    """Remove nulls, which mean the same as omission."""
    if isinstance(value, dict):
        return {key: without_nulls(item) for key, item in value.items() if item is not None}
    return [without_nulls(item) for item in value] if isinstance(value, list) else value
