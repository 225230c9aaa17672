"""Recorded behaviour of release 0.1 (tests/recorded/README.md), which is never recorded again."""

from __future__ import annotations

import base64
import copy
import gzip
import json
import os
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import httpx
from macmeter.embedded import EmbeddedPostgres
from macmeter.embedded.cluster import Account, find_binaries
from macmeter.platform.database import migrate

from support.commands import command
from support.databases import fresh_database

Json = dict[str, Any]
FOLDER = Path(__file__).parents[1] / "recorded" / "0.1"


def opened(path: Path) -> bytes:
    return gzip.decompress(path.read_bytes())


def unpacked(name: str) -> bytes:
    return opened(FOLDER / name)


def documents() -> list[bytes]:
    """Documents written by the agent, of every suite and import."""
    return unpacked("documents.ndjson.gz").splitlines()


@cache
def _loaded(name: str) -> Any:
    return json.loads(unpacked(name))


def flags() -> dict[str, set[str]]:
    """Flags of each document's run and results, by the run's id."""
    return {run_id: set(codes) for run_id, codes in _loaded("flags.json.gz").items()}


def exchanges() -> list[Json]:
    """Requests of the agent, each with the response it got."""
    uploads: list[Json] = _loaded("uploads.json.gz")
    return uploads


def reads() -> list[Json]:
    """Reads by different people, with their responses."""
    entries: list[Json] = _loaded("reads.json.gz")["reads"]
    return entries


def known() -> Json:
    """Ids that the reads are about, and the comparisons as they were saved."""
    entries: Json = _loaded("reads.json.gz")["known"]
    return entries


def credentials() -> dict[str, dict[str, str]]:
    """Headers by the names in `reads`, of a server that no longer exists."""
    headers: dict[str, dict[str, str]] = _loaded("reads.json.gz")["who"]
    return headers


def content_of(recorded: Json) -> bytes:
    """Body of a request or a response."""
    if "base64" in recorded:
        return base64.b64decode(recorded["base64"])
    return str(recorded.get("text", "")).encode()


def is_json(recorded: Json) -> bool:
    return str(recorded["headers"].get("content-type", "")).startswith("application/json")


@contextmanager
def upgraded_database(cluster: EmbeddedPostgres) -> Iterator[str]:
    """Address of 0.1's database, upgraded as docs/operating.md describes."""
    with fresh_database(cluster, template="template0") as name:
        url = cluster.url(name)
        binaries = find_binaries(Account(os.geteuid(), os.getegid(), switch=False))
        address = url.replace("+psycopg", "")
        subprocess.run(
            [str(binaries / "psql"), "--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", address],
            input=unpacked("database.sql.gz"),
            stdout=subprocess.DEVNULL,
            check=True,
        )
        migrate(url)
        rederived = command(url, "rederive")
        assert rederived.returncode == 0, rederived.stderr
        yield url


Shape = dict[str, set[str]]
_TYPES = {bool: "boolean", int: "number", float: "number", str: "string", dict: "object"}


def shape_of(content: Any) -> Shape:
    """Map the path of each field, such as `results[].groups[].median`, to its types."""
    shape: Shape = defaultdict(set)

    def add(value: Any, path: str) -> None:
        if isinstance(value, list):
            shape[path].add("array")
            for item in value:
                add(item, f"{path}[]")
            return
        if value is not None:
            shape[path].add(_TYPES[type(value)])
        for name, member in value.items() if isinstance(value, dict) else ():
            add(member, f"{path}.{name}")

    add(content, "")
    return shape


def missing(recorded: Any, live: Any) -> dict[str, str]:
    """Fields that a client knows and no longer gets, or gets with another type."""
    now = shape_of(live)
    return {
        path: f"{sorted(types)} is now {sorted(now.get(path, set()))}"
        for path, types in shape_of(recorded).items()
        if not types <= now.get(path, set())
    }


def loosened(openapi: Json) -> Json:
    """The contract without required fields: an older server's responses lack newer ones."""
    contract = copy.deepcopy(openapi)

    def loosen(value: Any) -> None:
        for member in value if isinstance(value, list) else ():
            loosen(member)
        if isinstance(value, dict):
            if isinstance(value.get("required"), list):
                del value["required"]
            for member in value.values():
                loosen(member)

    loosen(contract)
    return contract


def response_of(entry: Json) -> httpx.Response:
    """A recorded response, as if it had just been received."""
    recorded = entry["response"]
    headers = {"content-type": recorded["headers"].get("content-type", "")}
    request = httpx.Request("GET", f"http://test{entry['path']}")
    return httpx.Response(
        recorded["status"], headers=headers, content=content_of(recorded), request=request
    )
