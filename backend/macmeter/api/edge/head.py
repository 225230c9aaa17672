"""HEAD, answered as GET would be and without the body: what `curl -I` and link checkers send."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send


class HeadAsGet:
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
