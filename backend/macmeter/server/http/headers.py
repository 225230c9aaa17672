"""Response headers (security, CORS, caching, indexing), and the methods HEAD and OPTIONS."""

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

_NOINDEX = {"X-Robots-Tag": "noindex"}
# Pages about the reader, which search engines need not list.
OWN_PAGES = frozenset(
    {
        "/links",
        "/sign-in",
        "/invitations",
        "/claim",
        "/confirm-address",
        "/you",
        "/my-macs",
        "/review",
        "/reports",
    }
)
# Saved comparisons, which search engines may list if they are public, and charts, which they may.
_COMPARISON = re.compile(r"/(?:embed/)?c/([^/]+)|/api/v1/comparisons/([^/]+)")
_CHART = re.compile(r"/api/v1/chart\.(png|svg)")
_UNLISTED = re.compile(r"/(api|fleets)/|/(metrics|healthz|readyz)$")
_ADDED_KEY = "macmeter.headers"
# Defaults of responses that don't set their own. Pages and embeds do; nothing else is meant to be
# shown as a document.
_DEFAULTS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}
# For two years, browsers use only HTTPS for this host. Its subdomains may belong to others.
_HTTPS_ONLY = {"Strict-Transport-Security": "max-age=63072000"}
_API = "/api/"
# End of the session cookie's name, with or without the prefix of HTTPS.
_SESSION_COOKIE = "macmeter="
_READ_METHODS = ("GET", "HEAD")
# Headers that scripts of other sites may read.
_EXPOSED_HEADERS = (
    "Content-Disposition, ETag, Link, RateLimit-Limit, RateLimit-Policy, RateLimit-Remaining, "
    "RateLimit-Reset, Retry-After, X-Request-ID"
)


def add_header(request: Request, name: str, value: str) -> None:
    """Add a header to the response, whatever response it will be."""
    request.scope[_ADDED_KEY][name] = value


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
                defaults = {
                    **_DEFAULTS,
                    **_https_and_indexing(scope, message["status"]),
                    **_cors(scope),
                }
                for name, value in {**defaults, **added}.items():
                    headers.setdefault(name, value)
                if scope["path"].startswith(_API):
                    _limit_caching(scope, message["status"], headers)
            await send(message)

        await self._app({**scope, _ADDED_KEY: added}, receive, send_with_headers)


def _https_and_indexing(scope: Scope, status: int) -> dict[str, str]:
    headers = _HTTPS_ONLY if scope["scheme"] == "https" else {}
    has_credentials = _has_credentials(Headers(scope=scope))
    if status >= 400 or has_credentials or not is_listed(scope["path"]):
        headers = headers | _NOINDEX
    return headers


def _cors(scope: Scope) -> dict[str, str]:
    if not scope["path"].startswith(_API):
        return {}
    sent = Headers(scope=scope)
    if scope["method"] in _READ_METHODS and not _has_credentials(sent):
        return {
            "Access-Control-Allow-Origin": "*",
            "Access-Control-Expose-Headers": _EXPOSED_HEADERS,
        }
    if scope["method"] == "OPTIONS" and sent.get("access-control-request-method") in _READ_METHODS:
        return {
            "Access-Control-Allow-Origin": "*",
            "Access-Control-Allow-Methods": ", ".join(_READ_METHODS),
            "Access-Control-Allow-Headers": "If-None-Match, Last-Event-ID",
            "Access-Control-Max-Age": "86400",
        }
    return {}


def _has_credentials(sent: Headers) -> bool:
    """Return whether the request has a token or a session cookie."""
    return "authorization" in sent or _SESSION_COOKIE in sent.get("cookie", "")


def _limit_caching(scope: Scope, status: int, headers: MutableHeaders) -> None:
    """Keep what was read with a token or a session from being stored or shared."""
    if scope["method"] not in _READ_METHODS:
        headers.setdefault("Cache-Control", "no-store")
        return
    headers.add_vary_header("Authorization")
    headers.add_vary_header("Cookie")
    if _has_credentials(Headers(scope=scope)):
        headers["Cache-Control"] = "private, no-store"
    else:
        headers.setdefault("Cache-Control", "no-cache" if status < 400 else "no-store")


def is_listed(path: str) -> bool:
    """Return whether search engines may list the public's response at this path."""
    comparison = _COMPARISON.match(path)
    if comparison is not None:
        return not is_private(comparison[1] or comparison[2])
    return bool(_CHART.fullmatch(path)) or not (path in OWN_PAGES or _UNLISTED.match(path))


def methods_at(routes: Sequence[BaseRoute], path: str) -> set[str]:
    """Return the methods at a path; none if nothing is there."""
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
    """Middleware that answers OPTIONS for every path, and for the server (`*`)."""

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
    """Middleware that answers HEAD as GET without the body: `curl -I` and link checkers send it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return
        answered = False

        async def send_headers_only(message: Message) -> None:
            nonlocal answered
            if message["type"] == "http.response.start":
                await send(message)
            elif not answered:
                answered = True
                await send({"type": "http.response.body", "body": b""})

        async def receive_until_answered() -> Message:
            # Ends a stream that nobody reads.
            return {"type": "http.disconnect"} if answered else await receive()

        await self._app({**scope, "method": "GET"}, receive_until_answered, send_headers_only)


def style_source(css: str) -> str:
    """Return the source expression that allows exactly this style element.

    `css` is everything between its tags, byte for byte.
    """
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    return f"'sha256-{digest}'"
