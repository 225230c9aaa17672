"""HTTP as clients expect it: HEAD, honest statuses, refusals that say where."""

from __future__ import annotations

from typing import Any

import pytest
from support.documents import disk_run
from support.server import Server

ADDRESSES = [
    "/healthz",
    "/api/v1/facets",
    "/api/v1/answer.csv?metric=disk.write_average",
    "/api/v1/chart.png?metric=disk.write_average",
    "/api/v1/runs/00000000-0000-0000-0000-000000000000",
    "/api/v1/events",
]


@pytest.mark.parametrize("address", ADDRESSES)
async def test_head_is_get_without_a_body(server: Server, address: str) -> None:
    await server.stored(disk_run())
    # Without compression, the length is that of the content.
    server.client.headers["Accept-Encoding"] = "identity"
    head = await server.client.head(address)
    assert head.content == b""
    if address != "/api/v1/events":
        response = await server.client.get(address)
        assert head.status_code == response.status_code
        assert head.headers["Content-Length"] == str(len(response.content))
    assert head.headers["Content-Type"]


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "PATCH"])
async def test_an_unknown_address_of_the_api_is_not_found(
    empty_server: Server, method: str
) -> None:
    response = await empty_server.client.request(method, "/api/v1/nothing")
    assert (response.status_code, response.json()["code"]) == (404, "not_found")


async def test_a_known_address_says_which_methods_it_takes(empty_server: Server) -> None:
    response = await empty_server.client.post("/api/v1/answer")
    assert (response.status_code, response.headers["Allow"]) == (405, "GET, HEAD, OPTIONS")
    assert response.json()["detail"] == "This address takes GET, HEAD, OPTIONS, not POST."


@pytest.mark.parametrize(
    ("request_", "pointer", "detail"),
    [
        (("POST", "/api/v1/comparisons", b"{"), "", "The body: "),
        (("POST", "/api/v1/comparisons", b"{}"), "/question", "/question: "),
        (("GET", "/api/v1/runs/xyz", b""), "{run_id}", "{run_id}: An id has 32 hexadecimal digits"),
        (("GET", "/api/v1/runs?limit=x", b""), "?limit", "?limit: "),
    ],
)
async def test_a_refusal_says_where(
    empty_server: Server, request_: tuple[str, str, bytes], pointer: str, detail: str
) -> None:
    method, address, body = request_
    response = await empty_server.client.request(
        method, address, content=body, headers={"Content-Type": "application/json"}
    )
    assert response.status_code == 422
    assert response.json()["pointer"] == pointer
    assert response.json()["detail"].startswith(detail)


async def test_refusals_are_described_by_the_media_type_they_have(empty_server: Server) -> None:
    described = (await empty_server.client.get("/api/v1/openapi.json")).json()
    # A closed comparison's picture says so itself.
    refused = [
        (list(response["content"]), path.endswith((".svg", ".png")) and status == "410")
        for path, operations in described["paths"].items()
        for operation in operations.values()
        for status, response in operation["responses"].items()
        if status >= "400"
    ]
    assert refused
    for types, is_drawn in refused:
        assert types in (
            [["image/svg+xml"], ["image/png"]] if is_drawn else [["application/problem+json"]]
        )


async def test_counts_are_of_public_runs_alone(server: Server) -> None:
    await server.stored(disk_run())
    private: Any = server.token(scope="fleet")
    assert (await server.put(disk_run(), private)).status_code == 201
    text = (await server.client.get("/metrics")).text
    assert 'macmeter_runs{source="measured"} 1' in text


@pytest.mark.parametrize(
    ("method", "address", "body", "detail"),
    [
        ("POST", "/comparisons", "nonsense", "The body: Must be valid JSON."),
        ("POST", "/comparisons", "[]", "The body: Must be a JSON object."),
        ("GET", "/runs?limit=0", None, "?limit: Must be greater than or equal to 1."),
        ("GET", "/answer?metrc=x", None, 'Unknown parameter "metrc". Use by, fit, flagged, '),
        (
            "GET",
            "/answer?metric=score.value&fit=cubic",
            None,
            "fit must be linear, power, quadratic or",
        ),
    ],
)
async def test_refusals_are_said_in_our_words(
    empty_server: Server, method: str, address: str, body: str | None, detail: str
) -> None:
    headers = {"Content-Type": "application/json"} if body else {}
    response = await empty_server.client.request(
        method, f"/api/v1{address}", content=body, headers=headers
    )
    assert response.status_code == 422
    assert response.json()["detail"].startswith(detail), response.json()["detail"]
