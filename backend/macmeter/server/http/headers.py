"""Headers of every response, who may read or index it, HEAD, and the methods of a path."""

import base64
import hashlib
import re
from collections.abc import Sequence

from fastapi.routing import iter_route_contexts
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from macmeter.comparisons.stored import is_private
from macmeter.platform.errors import not_found

_NOT_LISTED = {"X-Robots-Tag": "noindex"}
# The reader's own pages, which are of no use to anybody else.
OWN_PAGES = frozenset(
    {"/links", "/sign-in", "/invitations", "/claim", "/you", "/my-macs", "/review", "/reports"}
)
# Pages and pictures that search engines may list because they are public.
_LINK = re.compile(r"/(?:embed/)?c/([^/]+)|/api/v1/comparisons/([^/]+)")
_PICTURE = re.compile(r"/api/v1/chart\.(png|svg)")
_OTHERS = re.compile(r"/(api|fleets)/|/(metrics|healthz|readyz)$")
_KEY = "macmeter.headers"
# Defaults of a response without its own. Pages and embeds have them: nothing else is meant to be a
# document.
_DEFAULTS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}
# Browsers use only HTTPS for this host for two years. Its other hosts are not ours to decide for.
_BY_HTTPS = {"Strict-Transport-Security": "max-age=63072000"}
_API = "/api/"
# Part of the session cookie's name, whichever it is: see server/dependencies.py.
SESSION_COOKIE = "macmeter="
_READING = ("GET", "HEAD")
# Headers that scripts of other sites may read.
_EXPOSED = (
    "Content-Disposition, ETag, Link, RateLimit-Limit, RateLimit-Policy, RateLimit-Remaining, "
    "RateLimit-Reset, Retry-After, X-Request-ID"
)


def add_header(request: Request, name: str, value: str) -> None:
    """Add a header to the response, whatever response it will be."""
    request.scope[_KEY][name] = value


class CommonHeaders:
    """Middleware that adds the headers that a response lacks.

    Scripts of any site may read what is public (CORS), but never with a token, and never write:
    preflights of those are not allowed.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        added: dict[str, str] = {}

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=message.setdefault("headers", []))
                usual = {**_DEFAULTS, **_always(scope, message["status"]), **_sharing(scope)}
                for name, value in {**usual, **added}.items():
                    headers.setdefault(name, value)
                if scope["path"].startswith(_API):
                    _say_for_whom(scope, message["status"], headers)
            await send(message)

        await self._app({**scope, _KEY: added}, receive, send_with_headers)


def _always(scope: Scope, status: int) -> dict[str, str]:
    headers = _BY_HTTPS if scope["scheme"] == "https" else {}
    if status >= 400 or not is_listed(scope["path"]) or _is_somebody(Headers(scope=scope)):
        headers = headers | _NOT_LISTED
    return headers


def _sharing(scope: Scope) -> dict[str, str]:
    if not scope["path"].startswith(_API):
        return {}
    sent = Headers(scope=scope)
    if scope["method"] in _READING and not _is_somebody(sent):
        return {"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": _EXPOSED}
    if scope["method"] == "OPTIONS" and sent.get("access-control-request-method") in _READING:
        return {
            "Access-Control-Allow-Origin": "*",
            "Access-Control-Allow-Methods": ", ".join(_READING),
            "Access-Control-Allow-Headers": "If-None-Match, Last-Event-ID",
            "Access-Control-Max-Age": "86400",
        }
    return {}


def _is_somebody(sent: Headers) -> bool:
    """Return whether the request has a token, or comes from a browser that may be signed in."""
    return "authorization" in sent or SESSION_COOKIE in sent.get("cookie", "")


def _say_for_whom(scope: Scope, status: int, headers: MutableHeaders) -> None:
    """Keep what was read with a token or a session from being stored or shared."""
    if scope["method"] not in _READING:
        headers.setdefault("Cache-Control", "no-store")
        return
    headers.add_vary_header("Authorization")
    headers.add_vary_header("Cookie")
    if _is_somebody(Headers(scope=scope)):
        headers["Cache-Control"] = "private, no-store"
    else:
        headers.setdefault("Cache-Control", "no-cache" if status < 400 else "no-store")


def is_listed(path: str) -> bool:
    """Return whether search engines may list the public's response at this path."""
    link = _LINK.match(path)
    if link is not None:
        return not is_private(link[1] or link[2])
    return bool(_PICTURE.fullmatch(path)) or not (path in OWN_PAGES or _OTHERS.match(path))


def methods_at(routes: Sequence[BaseRoute], path: str) -> set[str]:
    """Methods at a path. Empty if nothing is there."""
    methods: set[str] = set()
    for route in iter_route_contexts(routes):
        # The dashboard takes every path except those of the API.
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
    """Middleware for OPTIONS of every path, and of the server (`*`)."""

    def __init__(self, app: ASGIApp, routes: Sequence[BaseRoute]) -> None:
        self._app = app
        self._routes = routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "OPTIONS":
            await self._app(scope, receive, send)
            return
        path = "/" if scope["path"] in ("*", "") else scope["path"]
        methods = methods_at(self._routes, path)
        response = Response(status_code=204, headers=allow(methods))
        if not methods:
            response = not_found("address").response()
        await response(scope, receive, send)


class HeadAsGet:
    """Middleware for HEAD, as GET without the body: `curl -I` and link checkers send it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "HEAD":
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
            # Ends a stream that would otherwise go on for nobody.
            return {"type": "http.disconnect"} if answered else await receive()

        await self._app({**scope, "method": "GET"}, nothing_more, headers_alone)


def style_source(css: str) -> str:
    """Return the source expression that allows exactly this style element.

    `css` is everything between its tags, byte for byte.
    """
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    return f"'sha256-{digest}'"
