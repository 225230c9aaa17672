"""Whether a request came by https: what is in front of the server may end TLS."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from macmeter.settings import Settings


class Scheme:
    """Has requests say https where browsers see it: in cookies, links and comparisons of Origin."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._proxies = settings.proxies
        self._is_always_https = bool(
            settings.public_url and settings.public_url.startswith("https:")
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and (self._is_always_https or self._is_forwarded_https(scope)):
            scope = {**scope, "scheme": "https"}
        await self._app(scope, receive, send)

    def _is_forwarded_https(self, scope: Scope) -> bool:
        """What the outermost of our proxies saw; without one the header is anybody's word."""
        listed = ",".join(Headers(scope=scope).getlist("x-forwarded-proto")).lower()
        said = [part.strip() for part in listed.split(",")]
        # Most proxies write one word, whatever was there.
        return self._proxies > 0 and said[-min(self._proxies, len(said))] == "https"
