"""Counts nonexistent links by address, because somebody who tries many is guessing.

Links that lead somewhere open for everybody, guessers included: an office has one address.
"""

from __future__ import annotations

import logging
import re
import time
from collections import Counter

from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from macmeter.access.quota import network
from macmeter.api.edge.addresses import client_address
from macmeter.errors import Problem

log = logging.getLogger("macmeter")
_LINKS = re.compile(r"/(embed/)?c/.|/api/v1/comparisons/.|/api/v1/oembed$")
_HOUR = 3600.0
# Beyond this many addresses an hour the count starts again.
_MOST_COUNTED = 100_000


class Guesses:
    def __init__(self, app: ASGIApp, limit: int, proxies: int) -> None:
        """429 instead of the 404 that is one too many in an hour."""
        self._app = app
        self._limit = limit
        self._proxies = proxies
        self._counted: Counter[bytes] = Counter()
        self._end = 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not _LINKS.match(scope["path"]):
            await self._app(scope, receive, send)
            return
        refused: Problem | None = None

        async def send_counted(message: Message) -> None:
            nonlocal refused
            if message["type"] == "http.response.start" and message["status"] == 404:
                refused = self._count(Request(scope))
                if refused is not None:
                    await refused.response()(scope, receive, send)
            if refused is None:
                await send(message)

        await self._app(scope, receive, send_counted)

    def _count(self, request: Request) -> Problem | None:
        now = time.monotonic()
        if now >= self._end or len(self._counted) >= _MOST_COUNTED:
            self._counted.clear()
            self._end = now + _HOUR
        address = client_address(request, self._proxies)
        of = network(address)
        self._counted[of] += 1
        if self._counted[of] <= self._limit:
            return None
        if self._counted[of] == self._limit + 1:
            log.warning("links guessed", extra={"fields": {"of": address}})
        return Problem(
            429,
            "too_many_unknown_links",
            "Too many unknown links",
            "Too many nonexistent links were opened from this address. Try again in an hour.",
            headers={"Retry-After": str(int(self._end - now) + 1)},
        )
