"""PUT of a run, from the edge straight to its endpoint.

FastAPI's way there costs as much as reading the document: two looks through the routes, and a dozen
coroutines around the endpoint. Whatever is unusual about the address goes that way, which has the
words for it; and errors are answered by those whom the application has for them.
"""

from __future__ import annotations

import uuid

from fastapi import Request
from fastapi.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from macmeter.api.dependencies import server, uploader
from macmeter.api.uploads import put_run

_RUNS = "/api/v1/runs/"


class DirectUploads:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        run_id = _uploaded(scope)
        if run_id is None:
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive, send)
        try:
            part = await server(request)
            response = await put_run(run_id, request, part, await uploader(request, part))
        except Exception as error:
            response = await _refusal(request, error)
        await response(scope, receive, send)


def _uploaded(scope: Scope) -> uuid.UUID | None:
    """The id of a run that is uploaded by this request; None for any other request."""
    if scope["type"] != "http" or scope["method"] != "PUT":
        return None
    path: str = scope["path"]
    if not path.startswith(_RUNS):
        return None
    try:
        return uuid.UUID(path.removeprefix(_RUNS))
    except ValueError:
        return None


async def _refusal(request: Request, error: Exception) -> Response:
    """As the application answers it; raises what it has no answer for."""
    handlers = request.app.exception_handlers
    answer = next((handlers[kind] for kind in type(error).__mro__ if kind in handlers), None)
    if answer is None:
        raise error
    response: Response = await answer(request, error)
    return response
