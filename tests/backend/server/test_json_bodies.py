"""No JSON body makes the server fail, whatever operation takes it, in whatever field."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from support import people
from support.contract import PROBLEM, openapi
from support.server import Server

HOSTILE = {
    "as deep as a document may be": "[" * 32 + "]" * 32,
    "254 deep": "[" * 254 + "]" * 254,
    "1,000 objects deep": '{"a":' * 1000 + "1" + "}" * 1000,
    "5,000 deep": "[" * 5000 + "]" * 5000,
    "an integer of 401 digits": "1" * 401,
    "an integer of 5,000 digits": "-" + "1" * 5000,
    "65 bits": str(2**64),
    "a number too large": "1e999",
    "NaN": "NaN",
    "a NUL": '"a\\u0000"',
    "a lone surrogate": '"a\\ud800"',
    "control characters": '"a\\u0001\\u000b"',
    "invisible": '"\\u202e\\ufeff"',
    "a long text": f'"{"x" * 70_000}"',
    "null": "null",
    "a list of nulls": "[null]",
}


def operations() -> Iterator[tuple[str, str, list[str]]]:
    """Method, path and fields of each operation that takes JSON."""
    for path, methods in openapi()["paths"].items():
        for method, operation in methods.items():
            content = operation.get("requestBody", {}).get("content", {})
            if "application/json" in content:
                yield method.upper(), path, [*fields(content["application/json"]["schema"])]


def fields(schema: Any) -> Iterator[str]:
    if "$ref" in schema:
        schema = openapi()["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    for option in schema.get("anyOf", ()):
        yield from fields(option)
    yield from schema.get("properties", ())


@pytest.mark.every(4)
@pytest.mark.parametrize("kind", HOSTILE)
async def test_no_json_makes_the_server_fail(server: Server, kind: str) -> None:
    url, json_text, count = server.database_url, HOSTILE[kind], 0
    admin = people.make_person(url, "Root", server_admin=True)
    headers = {**await people.sign_in(url, admin), "Content-Type": "application/json"}
    for method, path, names in operations():
        address = re.sub(r"{\w+}", str(uuid.uuid4()), path)
        for body in (json_text, *(f'{{"{name}":{json_text}}}' for name in names)):
            response = await server.client.request(
                method, address, content=body.encode(), headers=headers
            )
            assert response.status_code < 500, (method, path, body[:80], response.text)
            if response.status_code >= 400:
                assert response.headers["content-type"] == PROBLEM
            count += 1
    assert count > 80
