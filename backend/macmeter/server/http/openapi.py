"""OpenAPI description of the API, adjusted to the responses that are actually sent."""

from collections.abc import Callable, Iterator
from functools import cache
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Query, params
from fastapi.dependencies.models import Dependant
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from pydantic import BaseModel

from macmeter import Json
from macmeter.comparisons import router as comparisons
from macmeter.fleets import enrolment_router
from macmeter.moderation import router as moderation
from macmeter.platform.errors import MEDIA_TYPE
from macmeter.server import dependencies, operation_router
from macmeter.server.http.routing import Route
from macmeter.server.query_parameters import QueryParser

_PROBLEM = {"$ref": "#/components/schemas/Problem"}
_BEARER = {"type": "http", "scheme": "bearer"}
_SCHEMES = {
    "token": {**_BEARER, "description": "Of a device, an uploader or a person."},
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": "__Host-macmeter",
        "description": "Of a browser in which somebody is signed in; `macmeter` on plain http.",
    },
    "report": {**_BEARER, "description": "The status secret of a reported doubt."},
    "owner": {**_BEARER, "description": "The owner secret of a comparison."},
}
_PUBLIC: Json = {}
_TOKEN: Json = {"token": []}
_SESSION: Json = {"session": []}
_OWNER: Json = {"owner": []}
# Security schemes of each dependency, with none for the public, and the statuses that it refuses
# with.
_SECURITY_OF: dict[Callable[..., Any], tuple[list[Json], tuple[int, ...]]] = {
    dependencies.writer: ([_TOKEN], (401, 403)),
    dependencies.uploader: ([_TOKEN], (401,)),
    dependencies.here: ([_SESSION], (401,)),
    dependencies.person: ([_SESSION, _TOKEN], (401, 403)),
    dependencies.actor: ([_SESSION, _TOKEN], (401, 403)),
    enrolment_router.current_token: ([_PUBLIC, _TOKEN], (401,)),
    moderation.status_secret: ([{"report": []}], (401,)),
    comparisons.owner: ([_OWNER, _SESSION], (401, 403)),
    operation_router.operator: ([_PUBLIC, _TOKEN, _SESSION], (401, 403)),
    dependencies.reader: ([_PUBLIC, _TOKEN, _SESSION], (401,)),
    dependencies.limited_address: ([_PUBLIC, _TOKEN, _SESSION], ()),
    comparisons.shown_owner: ([_PUBLIC, _OWNER, _SESSION], (401,)),
}
# Dependencies for device tokens, which get 403 and not 404 for what isn't theirs.
_FOR_DEVICES = {dependencies.writer, dependencies.uploader}
# FastAPI's schemas of validation errors, which are never sent.
_UNUSED_SCHEMAS = ("HTTPValidationError", "ValidationError")
_MONITORING_PATHS = ("/healthz", "/readyz", "/metrics")


def install_openapi(app: FastAPI, public_url: str | None) -> None:
    """Make `app.openapi()` say what middleware and shared dependencies do to every operation."""

    @cache
    def openapi() -> Json:
        routes = [_with_query_parameters(route) for route in app.routes if isinstance(route, Route)]
        document = get_openapi(
            title=app.title, version=app.version, description=app.description, routes=routes
        )
        document["servers"] = [{"url": public_url or "/"}]
        for name in _UNUSED_SCHEMAS:
            document["components"]["schemas"].pop(name, None)
        document["components"]["securitySchemes"] = _SCHEMES
        for route in routes:
            for method in map(str.lower, route.methods or ()):
                operation = document["paths"].get(route.path_format, {}).get(method)
                if operation is not None:
                    _complete_operation(operation, route, method)
        return document

    app.openapi = openapi  # type: ignore[method-assign]


def _with_query_parameters(route: Route) -> APIRoute:
    """Return a route with the parameters that its dependencies read from the query string."""
    parsed = [call.parameters for call in _calls(route.dependant) if isinstance(call, QueryParser)]
    return route.described(dependencies=[*route.dependencies, *map(_declaration_of, parsed)])


def _declaration_of(parameters: type[BaseModel]) -> params.Depends:
    def declare(declared: object) -> None:
        """Do nothing: FastAPI reads only the annotation."""

    declare.__annotations__["declared"] = Annotated[parameters, Query()]
    dependency: params.Depends = Depends(declare)
    return dependency


def _calls(dependant: Dependant) -> Iterator[Callable[..., Any]]:
    for dependency in dependant.dependencies:
        if dependency.call is not None:
            yield dependency.call
        yield from _calls(dependency)


def _complete_operation(operation: Json, route: APIRoute, method: str) -> None:
    calls, responses = set(_calls(route.dependant)), operation["responses"]
    matches = (entry for call, entry in _SECURITY_OF.items() if call in calls)
    security, refusals = next(matches, (None, ()))
    if security is not None:
        operation["security"] = security
    for status in (*_refusals(operation, route.path_format, method, calls), *refusals):
        responses[str(status)] = {
            "description": HTTPStatus(status).phrase,
            "content": {MEDIA_TYPE: {"schema": _PROBLEM}},
        }
    for response in responses.values():
        _set_problem_media_type(response)
    has_etag = route.path_format.startswith("/api/") and _has_etag(responses.get("200"))
    if method == "get" and has_etag:
        responses.setdefault("304", {"description": "Unchanged since If-None-Match."})
    operation["responses"] = dict(sorted(responses.items()))


def _refusals(
    operation: Json, path: str, method: str, calls: set[Callable[..., Any]]
) -> Iterator[int]:
    """Yield the statuses with which middleware and shared dependencies refuse a request."""
    yield 500
    if path not in _MONITORING_PATHS:
        yield 421
    if "requestBody" in operation:
        yield from (400, 408, 413)
    if "422" in operation["responses"]:
        yield 422  # FastAPI adds it wherever there are parameters, with a schema of its own
    path_parameters = (entry for entry in operation.get("parameters", ()) if entry["in"] == "path")
    if calls.isdisjoint(_FOR_DEVICES) and any(
        "enum" not in entry["schema"] for entry in path_parameters
    ):
        yield 404
    if "{slug}" in path or path.endswith("/oembed"):
        yield 429  # too many guesses
    if dependencies.server_of in calls:
        yield 503
    if method != "get":
        if dependencies.server_of in calls:
            yield 507
        if dependencies.here in calls:
            yield 403  # from a page of another site


def _has_etag(response: Json | None) -> bool:
    """Return whether a response has an ETag, unlike streams and redirects."""
    if response is None:
        return False
    streams = ("text/event-stream", "application/vnd.apache.parquet")
    content = response.get("content", {})
    is_stream = any(media_type in content for media_type in streams)
    return not is_stream and content.get("text/csv", {}).get("schema", {}).get("format") != "binary"


def _set_problem_media_type(response: Json) -> None:
    content = response.get("content", {})
    if content.get("application/json", {}).get("schema") == _PROBLEM:
        content[MEDIA_TYPE] = content.pop("application/json")
