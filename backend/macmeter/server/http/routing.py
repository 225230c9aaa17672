"""Declaration of endpoints: a router that renders what they return, and shared responses.

An endpoint's return annotation is the shape of its response. Models of responses are only for the
description of the API, which most processes of a server never need.
"""

from collections.abc import Awaitable, Callable, Coroutine
from functools import partial, wraps
from typing import Any, TypeVar

from fastapi import APIRouter, Request
from fastapi.responses import Response
from fastapi.routing import APIRoute
from pydantic import BaseModel, ConfigDict

from macmeter import Json
from macmeter.server.http.limits import allow_body
from macmeter.server.http.responses import json_response

_BODY = "_macmeter_body_bytes"
Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])


def takes_body(limit: int) -> Callable[[Endpoint], Endpoint]:
    """Allow an endpoint's body `limit` bytes, where its model needs more than any other's."""

    def allow(endpoint: Endpoint) -> Endpoint:
        setattr(endpoint, _BODY, limit)
        return endpoint

    return allow


class Route(APIRoute):
    """Route without the models of its responses. `described()` adds them: about 4 ms for each."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **declared: Any) -> None:
        self.described: Callable[..., APIRoute] = partial(APIRoute, path, endpoint, **declared)
        rendering = _rendering(endpoint, declared["status_code"] or 200)
        super().__init__(path, rendering, **declared | {"response_model": None, "responses": None})

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        limit: int | None = getattr(self.endpoint, _BODY, None)
        if limit is None:
            return handle

        async def handle_larger(request: Request) -> Response:
            allow_body(request, limit)
            return await handle(request)

        return handle_larger


class Router(APIRouter):
    """Router whose operations have the names of their endpoints."""

    def __init__(self, **options: Any) -> None:
        super().__init__(route_class=Route, generate_unique_id_function=_name_of, **options)


def _rendering(
    endpoint: Callable[..., Awaitable[Any]], status_code: int
) -> Callable[..., Awaitable[Response]]:
    """Wrap an endpoint: its result becomes JSON unless it is a `Response`."""

    @wraps(endpoint)
    async def render(**arguments: Any) -> Response:
        result = await endpoint(**arguments)
        if isinstance(result, Response):
            return result
        if status_code == 204:
            return Response(status_code=status_code)
        return json_response(result, status_code)

    return render


def _name_of(route: APIRoute) -> str:
    return route.name


class ProblemField(BaseModel):
    model_config = ConfigDict(extra="forbid")

    pointer: str
    code: str
    detail: str


class Problem(BaseModel):
    """RFC 9457, with a stable `code` and a pointer to the refused field."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    request_id: str
    pointer: str | None = None
    errors: list[ProblemField] | None = None


# Type that FastAPI expects.
Responses = dict[int | str, Json]


def refusals(*statuses: int) -> Responses:
    """Declare an endpoint's `responses`: each of these statuses is a problem.

    Those of its dependencies, parameters and body are added in server/http/openapi.py.
    """
    return {status: {"model": Problem} for status in statuses}


def sends(*media_types: str, **schema: str) -> Responses:
    """Declare an endpoint's `responses`: its media types, as text unless `schema` differs."""
    content = {"schema": {"type": "string", **schema}}
    return {200: {"content": dict.fromkeys(media_types, content)}}
