"""Marks of a demo's responses, however they arrive."""

from __future__ import annotations

import csv
from collections.abc import AsyncIterator

import httpx
import pytest
from macmeter.server.http.demo import DemoMarks
from starlette.responses import StreamingResponse

FILE = b'name,value\r\n"two\r\nlines",1\r\n"a ""quoted"" word",2\r\nlast,3\r\n'
MARKED = [
    ["name", "value", "demo"],
    ["two\r\nlines", "1", "true"],
    ['a "quoted" word', "2", "true"],
    ["last", "3", "true"],
]


@pytest.mark.parametrize("size", [1, 2, 3, 11, len(FILE)])
async def test_each_line_of_csv_is_marked_once_wherever_it_is_divided(size: int) -> None:
    async def parts() -> AsyncIterator[bytes]:
        for start in range(0, len(FILE), size):
            yield FILE[start : start + size]

    transport = httpx.ASGITransport(DemoMarks(StreamingResponse(parts(), media_type="text/csv")))
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        response = await client.get("/api/v1/corpus.csv")
    assert [*csv.reader(response.text.splitlines(keepends=True))] == MARKED
