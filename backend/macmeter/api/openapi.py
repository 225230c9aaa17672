"""The OpenAPI description, adjusted to the responses that are really sent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from fastapi.dependencies.models import Dependant

from macmeter.api import comparisons, dependencies, doubts, enrolment, operation
from macmeter.api.routing import Route
from macmeter.errors import MEDIA_TYPE
from macmeter.untyped import Json

_PROBLEM = {"$ref": "#/components/schemas/Problem"}
_BEARER = {"type": "http", "scheme": "bearer"}
_SCHEMES = {
    "token": {
        **_BEARER,
        "description": "Of a device, an uploader or a person.",
    },
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": "__Host-macmeter",
        "description": "Of a browser in which somebody is signed in; `macmeter` on plain http.",
    },
    "report": {
        **_BEARER,
        "description": "The status secret of a reported doubt.",
    },
    "owner": {
        **_BEARER,
        "description": "The owner secret of a comparison.",
    },
}
# Who is asked for what; {} is nobody in particular.
_SECURITY: dict[Callable[..., Any], list[Json]] = {
    dependencies.writer: [{"token": []}],
    dependencies.uploader: [{"token": []}],
    dependencies.here: [{"session": []}],
    dependencies.person: [{"session": []}, {"token": []}],
    dependencies.actor: [{"session": []}, {"token": []}],
    enrolment.present_token: [{}, {"token": []}],
    doubts.status_secret: [{"report": []}],
    comparisons.owner: [{"owner": []}, {"session": []}],
    operation.operator: [{}, {"token": []}, {"session": []}],
    dependencies.reader: [{}, {"token": []}, {"session": []}],
    dependencies.limited_address: [{}, {"token": []}, {"session": []}],
    comparisons.shown_owner: [{}, {"owner": []}, {"session": []}],
}
_WATCHED = ("/healthz", "/readyz", "/metrics")


def describe(app: FastAPI, public_url: str | None) -> None:
    """Has `app.openapi()` say what the edge and shared dependencies do to every operation."""
    made = app.openapi

    def openapi() -> Json:
        for route in _routes(app):
            route.read_models()
        described = made()
        described["servers"] = [{"url": public_url or "/"}]
        described["components"]["securitySchemes"] = _SCHEMES
        for path, method, dependant in _operations(app):
            operation = described["paths"].get(path, {}).get(method)
            if operation is not None:
                _complete(operation, path, method, set(_calls(dependant)))
        return described

    app.openapi = openapi  # type: ignore[method-assign]


def _operations(app: FastAPI) -> Iterator[tuple[str, str, Dependant]]:
    for route in _routes(app):
        for method in route.methods or ():
            yield route.path_format, method.lower(), route.dependant


def _routes(app: FastAPI) -> Iterator[Route]:
    return (route for route in app.routes if isinstance(route, Route))


def _calls(dependant: Dependant) -> Iterator[Callable[..., Any]]:
    for part in dependant.dependencies:
        if part.call is not None:
            yield part.call
        yield from _calls(part)


def _complete(operation: Json, path: str, method: str, calls: set[Callable[..., Any]]) -> None:
    responses = operation["responses"]
    for status in _refusals(operation, path, method, calls):
        phrase = HTTPStatus(status).phrase
        responses.setdefault(str(status), {"description": phrase, "content": {}})
        responses[str(status)]["content"] = {MEDIA_TYPE: {"schema": _PROBLEM}}
    for response in responses.values():
        _name_problems(response)
    if method == "get" and path.startswith("/api/") and _comes_whole(responses.get("200")):
        responses.setdefault("304", {"description": "Unchanged since If-None-Match."})
    operation["responses"] = dict(sorted(responses.items()))
    for call, security in _SECURITY.items():
        if call in calls:
            operation["security"] = security
            break


def _refusals(
    operation: Json, path: str, method: str, calls: set[Callable[..., Any]]
) -> Iterator[int]:
    """What the edge and the database do to an operation, beyond what its endpoint declares."""
    yield 500
    if path not in _WATCHED:
        yield 421
    if "requestBody" in operation:
        yield from (400, 408, 413)
    if "{slug}" in path or path.endswith("/oembed"):
        yield 429  # too many guesses
    if dependencies.server in calls:
        yield 503
        if method != "get":
            yield 507


def _comes_whole(response: Json | None) -> bool:
    """What flows has no tag, files of the whole corpus and events; nor has what sends elsewhere."""
    if response is None:
        return False
    streams = ("text/event-stream", "application/vnd.apache.parquet")
    content = response.get("content", {})
    flows = any(media_type in content for media_type in streams)
    return not flows and content.get("text/csv", {}).get("schema", {}).get("format") != "binary"


def _name_problems(response: Json) -> None:
    content = response.get("content", {})
    if content.get("application/json", {}).get("schema") == _PROBLEM:
        content[MEDIA_TYPE] = content.pop("application/json")
