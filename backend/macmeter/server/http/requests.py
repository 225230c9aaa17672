"""Ids of requests, in the response, in its problem and in the log."""

import logging
import os
from urllib.parse import quote

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from macmeter.platform.database_errors import EXPECTED, first_line
from macmeter.platform.errors import Problem, request_id, unexpected
from macmeter.platform.telemetry.requests import Observed

log = logging.getLogger("macmeter")

HEADER = b"x-request-id"


class Identified:
    """Middleware that gives requests an id, and turns uncaught errors into 500, logged once."""

    def __init__(self, app: ASGIApp, slow_seconds: float) -> None:
        """Log questions that take longer than `slow_seconds`, with their cost."""
        self._app = app
        self._slow_seconds = slow_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        identity = os.urandom(8).hex()
        request_id.set(identity)
        observed = Observed(scope, self._slow_seconds)
        started = False

        async def send_identified(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                observed.responds(message["status"])
                message["headers"] = [*message["headers"], (HEADER, identity.encode())]
            await send(message)

        try:
            await self._app(scope, receive, send_identified)
        except Exception as error:
            # Starlette wraps an expected error in the middle of a response in one of its own.
            cause = error.__cause__ or error
            if isinstance(cause, EXPECTED):
                log.warning("%s: broken off: %s", _label(scope), first_line(cause))
            else:
                log.exception("%s: unexpected error", _label(scope))
            if started:
                # Breaks the connection: half a response must not pass for a whole one.
                raise ConnectionError(f"response {identity} broke off") from error
            await unexpected().response()(scope, receive, send_identified)


def log_refusal(scope: Scope, problem: Problem, error: BaseException) -> None:
    """Log one line for an error that was expected."""
    log.warning("%s: %d %s: %s", _label(scope), problem.status, problem.code, first_line(error))


def _label(scope: Scope) -> str:
    # Quoted: a line break in a path must not start a new line of the log.
    return f"[{request_id.get()}] {scope['method']} {quote(scope['path'])}"
