"""PUT of a run by its short way: the answers are those of the way that other requests take."""

from __future__ import annotations

import uuid
from typing import Any

from macmeter.api.direct import DirectUploads
from support.documents import disk_run, encoded
from support.server import Server

JSON = {"Content-Type": "application/json"}


async def test_both_ways_answer_alike(server: Server) -> None:
    short = await answers(server)
    parts: list[Any] = server.app.user_middleware
    others = [part for part in parts if part.cls is not DirectUploads]
    assert len(others) == len(parts) - 1
    server.app.user_middleware = others
    server.app.middleware_stack = None  # the next request builds it again
    assert short == await answers(server)
    assert [status for status, *_ in short] == [201, 200, 409, 422, 415, 413, 400, 422, 401, 401]


async def answers(server: Server) -> list[tuple[int, Any, dict[str, str]]]:
    """Status, body and headers of uploads that are taken and of such as are refused."""
    document, token = disk_run(), server.token()
    known = encoded(document)
    other = encoded(document | {"labels": {"a": "b"}})
    bearer = {"Authorization": f"Bearer {token}"}
    path = f"/api/v1/runs/{document['id']}"
    asked: list[tuple[str, bytes, dict[str, str]]] = [
        (path, known, bearer | JSON),
        (path, known, bearer | JSON),
        (path, other, bearer | JSON),
        (f"/api/v1/runs/{uuid.uuid4()}", known, bearer | JSON),
        (path, known, bearer | {"Content-Type": "text/plain"}),
        (path, b" " * (8 * 1024 * 1024 + 1), bearer | JSON),
        (path, b"{", bearer | JSON),
        ("/api/v1/runs/none", known, bearer | JSON),
        (path, known, JSON),
        (path, known, JSON | {"Authorization": "Bearer mmd_nobody"}),
    ]
    found = []
    for path, content, headers in asked:
        response = await server.client.put(path, content=content, headers=headers)
        body = response.json()
        for own in ("request_id", "id", "url", "existing", "detail", "errors"):
            body.pop(own, None)  # they name this run, or this request
        told = {
            name: value
            for name, value in response.headers.items()
            if name not in ("x-request-id", "content-length")
        }
        found.append((response.status_code, body, told))
    return found
