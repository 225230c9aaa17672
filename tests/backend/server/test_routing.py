"""Responses are sent and described as endpoints declare them, at no cost until then."""

from __future__ import annotations

from typing import get_type_hints

import httpx
from fastapi import FastAPI
from fastapi.responses import Response
from fastapi.routing import APIRoute
from macmeter.platform.settings import Settings
from macmeter.server.http.openapi import install_openapi
from macmeter.server.http.routing import Route, Router, refusals
from macmeter.server.main import create_app

router = Router()


@router.get("/numbers", responses=refusals(409))
async def get_numbers() -> list[int]:
    """Numbers."""
    return [1]


@router.post("/numbers", status_code=201)
async def post_number() -> int:
    """A new number."""
    return 2


@router.delete("/numbers", status_code=204)
async def delete_numbers() -> None:
    """No numbers."""


@router.get("/ready", response_model=list[int])
async def get_ready() -> Response:
    """Numbers, ready to be sent."""
    return Response("[3]", media_type="application/json")


def served() -> FastAPI:
    app = FastAPI()
    app.router.routes.extend(router.routes)
    install_openapi(app, None)
    return app


async def test_what_an_endpoint_returns_is_sent() -> None:
    transport = httpx.ASGITransport(served())
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        numbers = await client.get("/numbers")
        assert (numbers.status_code, numbers.json()) == (200, [1])
        assert numbers.headers["cache-control"] == "no-cache"
        assert numbers.headers["etag"]
        created = await client.post("/numbers")
        assert (created.status_code, created.json()) == (201, 2)
        assert created.headers["cache-control"] == "no-store"
        deleted = await client.delete("/numbers")
        assert (deleted.status_code, deleted.content) == (204, b"")
        assert "content-type" not in deleted.headers
        assert (await client.get("/ready")).json() == [3]


def test_models_are_read_when_the_description_is_asked_for() -> None:
    app = served()
    for route in router.routes:
        assert isinstance(route, Route)
        assert route.response_field is None
        assert route.response_fields == {}
    paths = app.openapi()["paths"]
    described = paths["/numbers"]["get"]["responses"]
    numbers = described["200"]["content"]["application/json"]["schema"]
    assert numbers["items"] == {"type": "integer"}
    assert described["409"]["content"].keys() == {"application/problem+json"}
    content = paths["/numbers"]["post"]["responses"]["201"]["content"]["application/json"]
    assert content["schema"]["type"] == "integer"
    assert "content" not in paths["/numbers"]["delete"]["responses"]["204"]
    ready = paths["/ready"]["get"]["responses"]["200"]["content"]["application/json"]
    assert ready["schema"]["items"] == {"type": "integer"}


def test_every_endpoint_declares_what_it_returns() -> None:
    app = create_app(Settings(database_url="postgresql://nowhere/none"))
    routes = [route for route in app.routes if isinstance(route, APIRoute)]
    assert len(routes) > 100
    for route in routes:
        assert isinstance(route, Route), route.path
        returned = get_type_hints(route.endpoint)["return"]
        assert (returned is type(None)) is (route.status_code == 204 and returned is not Response)
