"""What endpoints send is described as declared, and costs nothing until then."""

from __future__ import annotations

from typing import get_type_hints

from fastapi import FastAPI
from fastapi.responses import Response
from fastapi.routing import APIRoute
from macmeter.api import schemas
from macmeter.api.openapi import describe
from macmeter.api.routing import Route, Router
from macmeter.main import create_app
from macmeter.settings import Settings

router = Router()


@router.get("/kept", response_model=list[int], responses=schemas.refusals(404))
async def get_kept() -> Response:
    """Numbers."""
    return Response("[1]", media_type="application/json")


def test_models_are_read_when_the_description_is_asked_for() -> None:
    app = FastAPI()
    app.router.routes.extend(router.routes)
    describe(app, None)
    (route,) = router.routes
    assert isinstance(route, Route)
    assert route.response_field is None
    assert route.response_fields == {}
    described = app.openapi()["paths"]["/kept"]["get"]["responses"]
    numbers = described["200"]["content"]["application/json"]["schema"]
    assert numbers["items"] == {"type": "integer"}
    assert described["404"]["content"].keys() == {"application/problem+json"}


def test_every_endpoint_makes_its_response_itself() -> None:
    app = create_app(Settings(database_url="postgresql://nowhere/none"))
    routes = [route for route in app.routes if isinstance(route, APIRoute)]
    assert len(routes) > 100
    for route in routes:
        assert isinstance(route, Route), route.path
        assert issubclass(get_type_hints(route.endpoint)["return"], Response), route.path
