"""What all requests and responses have in common.

Around everything but the ids of requests: an endpoint can't forget a limit or a header that is set
here. Each part is an ASGI application around the next.
"""

from __future__ import annotations

from collections.abc import Sequence

from starlette.routing import BaseRoute
from starlette.types import ASGIApp

from macmeter.api.edge.demo import DemoMarks
from macmeter.api.edge.headers import CommonHeaders, HeadAsGet, Options
from macmeter.api.edge.hosts import KnownHosts, Scheme
from macmeter.api.edge.limits import BoundedBodies, Guesses, SlowReaders
from macmeter.api.responses import Conditional, Packing
from macmeter.settings import Settings


def edge(app: ASGIApp, settings: Settings, routes: Sequence[BaseRoute]) -> ASGIApp:
    """`app` with its edge, from the inside out."""
    app = BoundedBodies(app)
    if settings.demo:
        app = DemoMarks(app)
    app = Guesses(app, settings.quota_guesses, settings.proxies)
    app = Conditional(app)
    app = Packing(app)
    app = HeadAsGet(app)
    app = Options(app, routes)
    app = KnownHosts(app, settings)
    app = CommonHeaders(app)
    app = Scheme(app, settings)
    return SlowReaders(app, settings.slow_reader_seconds)
