"""Middleware for all requests and responses.

It is around everything but request ids: an endpoint can't forget a limit or a header that is set
here. Each part is an ASGI application around the next.
"""

from collections.abc import Sequence

from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from macmeter.platform.settings import Settings
from macmeter.server.http.demo import DemoMarks
from macmeter.server.http.headers import CommonHeaders, HeadAsGet, Options
from macmeter.server.http.hosts import KnownHosts, Scheme
from macmeter.server.http.limits import BoundedBodies, GuessLimiter, SlowReaders
from macmeter.server.http.responses import Conditional, Gzip


def edge(app: ASGIApp, settings: Settings, routes: Sequence[BaseRoute]) -> ASGIApp:
    """Wrap `app` in the middleware, from the inside out. Only HTTP requests go through it."""
    edged: ASGIApp = BoundedBodies(app)
    if settings.demo:
        edged = DemoMarks(edged)
    edged = GuessLimiter(edged, settings.quota_guesses, settings.proxies)
    edged = Conditional(edged)
    edged = Gzip(edged)
    edged = HeadAsGet(edged)
    edged = Options(edged, routes)
    edged = KnownHosts(edged, settings)
    edged = CommonHeaders(edged)
    edged = Scheme(edged, settings)
    edged = SlowReaders(edged, settings.slow_reader_seconds)

    async def served(scope: Scope, receive: Receive, send: Send) -> None:
        await (edged if scope["type"] == "http" else app)(scope, receive, send)

    return served
