"""Endpoints that are asked again and again, called without FastAPI's long way to their arguments.

What a question may be asked with is declared for the documentation: its own parser reads the query
string. Collecting all that for each request takes longer than a cached answer does.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from inspect import signature
from typing import Any, get_type_hints

from fastapi import Request
from fastapi.responses import Response

from macmeter.api.asked import AskedFilters, AskedQuestion, AskedSides
from macmeter.api.dependencies import Reader, ServerPart, reader, server
from macmeter.api.routing import Route
from macmeter.queries.question import parse_filters, parse_query
from macmeter.queries.sides import parse_sides

Resolve = Callable[[Request], Awaitable[Any]]


async def _reader(request: Request) -> Any:
    return await reader(request, await server(request))


def _parsed(parse: Callable[[str], Any]) -> Resolve:
    async def of(request: Request) -> Any:
        return parse(request.url.query)

    return of


_KNOWN: dict[Any, Resolve] = {
    ServerPart: server,
    Reader: _reader,
    AskedQuestion: _parsed(parse_query),
    AskedFilters: _parsed(parse_filters),
    AskedSides: _parsed(parse_sides),
}


class QuickRoute(Route):
    """FastAPI's own way where an endpoint asks for anything else."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        hints = get_type_hints(self.endpoint, include_extras=True)
        names = [*signature(self.endpoint).parameters]
        if any(hints[name] not in _KNOWN for name in names):
            return super().get_route_handler()
        resolved = {name: _KNOWN[hints[name]] for name in names}
        endpoint: Callable[..., Awaitable[Response]] = self.endpoint

        async def handle(request: Request) -> Response:
            return await endpoint(**{name: await of(request) for name, of in resolved.items()})

        return handle
