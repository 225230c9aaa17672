"""HEAD; and which methods an address accepts, for OPTIONS and in responses with 405."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi.routing import iter_route_contexts
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from macmeter.errors import not_found


def methods_at(routes: Sequence[BaseRoute], path: str) -> set[str]:
    """Empty where nothing is."""
    methods: set[str] = set()
    for route in iter_route_contexts(routes):
        # The dashboard takes every address but those of the API.
        if route.name == "page" and path.split("/")[1:2] == ["api"]:
            continue
        if route.path_regex.match(path):
            methods |= route.methods or set()
    if "GET" in methods:
        methods.add("HEAD")
    return methods | {"OPTIONS"} if methods else methods


def allow(methods: set[str]) -> dict[str, str]:
    return {"Allow": ", ".join(sorted(methods))}


class Options:
    """OPTIONS of every address, and of the server (`*`)."""

    def __init__(self, app: ASGIApp, routes: Sequence[BaseRoute]) -> None:
        self._app = app
        self._routes = routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "OPTIONS":
            await self._app(scope, receive, send)
            return
        path = "/" if scope["path"] in ("*", "") else scope["path"]
        methods = methods_at(self._routes, path)
        response = Response(status_code=204, headers=allow(methods))
        if not methods:
            response = not_found("address").response()
        await response(scope, receive, send)


class HeadAsGet:
    """HEAD as GET without the body: what `curl -I` and link checkers send."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return
        answered = False

        async def headers_alone(message: Message) -> None:
            nonlocal answered
            if message["type"] == "http.response.start":
                await send(message)
            elif not answered:
                answered = True
                await send({"type": "http.response.body", "body": b""})

        async def nothing_more() -> Message:
            # Ends a stream that would otherwise go on to nobody.
            return {"type": "http.disconnect"} if answered else await receive()

        await self._app({**scope, "method": "GET"}, nothing_more, headers_alone)
