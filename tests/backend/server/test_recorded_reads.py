"""Clients of 0.1: each field that they read is there, with the type that it had."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import uuid
from typing import Any

import pytest
from support import people, recorded
from support.contract import Contract, openapi
from support.live_server import LiveServer

Json = dict[str, Any]
READS = recorded.reads()
# Their content depends on the day, or has expired: checked only against the contract.
OF_ITS_DAY = (
    "/api/v1/fleets/local/dashboard",
    "/api/v1/fleets/local/machines",
    "/api/v1/invitations",
    "/api/v1/account/export",
)
# Since decision 233 it chooses other values.
CHOSEN_SINCE = ("/api/v1/starting-point",)
# Its runs claimed 5 GB/s on an M1, which is doubtful since decision 192: no figure is left.
DOUBTED_SINCE = ("/api/v1/things/chips/m1",)
# Fields that have a new name, each with that name. A field goes a version after its successor came.
RENAMED: dict[str, str] = {}
# Optional fields that are now withheld for the same data: an interval of a dozen runs of one
# machine (decision 215), a margin if all values are equal, and mixes of unlike printed figures,
# which are shown one by one (220).
WITHHELD = (
    *("ci_low", "ci_high", "interval", "interval[]", "within", "smallest_visible"),
    *("mixes", "mixed"),
    # Curves end at their last point (decision 235).
    *(f"beyond{'[]' * level}" for level in range(4)),
    # Sides have a linear axis, and false is omitted (decision 265).
    "log",
)


@pytest.fixture(scope="module")
async def headers(upgraded_server: LiveServer) -> dict[str, dict[str, str]]:
    """Headers of the recording; signed-in people have a session of today."""
    admin = uuid.UUID(recorded.known()["admin"])
    signed_in = await people.sign_in(upgraded_server.database_url, admin)
    return {**recorded.credentials(), "admin": signed_in}


def name_of(read: Json) -> str:
    return f"{read['path'].removeprefix('/api/v1')} as {read['as']}"


@pytest.mark.every(3)
@pytest.mark.parametrize("read", READS, ids=name_of)
def test_a_read_gets_what_it_got(
    upgraded_server: LiveServer, headers: dict[str, dict[str, str]], read: Json
) -> None:
    before = read["response"]
    path = read["path"].partition("?")[0]
    # Links contain the address of the recorded server.
    query = read["path"].replace(old_address(), upgraded_server.url)
    response = upgraded_server.ask(query, headers=headers[read["as"]])
    assert response.status_code == before["status"], response.text
    kinds = (before["headers"]["content-type"], response.headers["content-type"])
    assert kinds[0] == kinds[1]
    if recorded.is_json(before) and path not in OF_ITS_DAY + CHOSEN_SINCE + DOUBTED_SINCE:
        missing = recorded.missing(json.loads(recorded.content_of(before)), response.json())
        unexpected = {field for field in missing if field.rpartition(".")[2] not in WITHHELD}
        assert unexpected <= RENAMED.keys(), missing
    if kinds[0].startswith("text/csv"):
        old, new = (head(text) for text in (recorded.content_of(before), response.content))
        # Keep the first columns in place for programs that read them by number.
        assert new[: len(old)] == old


def old_address() -> str:
    saved = next(iter(recorded.known()["comparisons"].values()))
    return str(saved["url"]).removesuffix(f"/c/{saved['slug']}")


def head(content: bytes) -> list[str]:
    return next(csv.reader(io.StringIO(content.decode())))


def test_the_contract_describes_what_was_sent() -> None:
    """Even for content that depends on the day: no field was removed or has another type."""
    contract = Contract(recorded.loosened(openapi()))
    for read in READS:
        # Pictures were not kept.
        if not read["response"]["headers"]["content-type"].startswith("image/"):
            contract.check(recorded.response_of(read))
    assert len(contract.seen) > 60


def test_a_field_that_is_gone_or_another_type_is_missed() -> None:
    before = {"a": [{"b": 1, "c": None}, {"b": None, "c": "x"}], "d": {}}
    assert recorded.missing(before, before | {"e": 1}) == {}
    assert recorded.missing(before, {"a": [{"b": 2, "c": "y", "f": 0}], "d": {"g": 1}}) == {}
    assert recorded.missing(before, {"a": [{"b": "2", "c": "y"}], "d": {}}).keys() == {".a[].b"}
    assert recorded.missing(before, {"a": [{"b": 2}], "d": {}}).keys() == {".a[].c"}


def test_the_recording_is_the_one_that_was_made() -> None:
    """A fixture rewritten by newer code would approve whatever that code does."""
    digest = hashlib.sha256()
    for path in sorted(recorded.FOLDER.iterdir()):
        digest.update(f"{path.name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    assert digest.hexdigest() == DIGEST


DIGEST = "d5e971eb744d68271c050b6b2c92a0cb4a5f87865747d2db5ea52940012329d2"
