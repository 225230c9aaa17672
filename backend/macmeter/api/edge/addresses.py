"""Where a request comes from."""

from __future__ import annotations

from starlette.requests import Request


def client_address(request: Request, proxies: int) -> str:
    """The asker's address, as the outermost of our proxies saw it, or as we see it."""
    # A proxy may add a line of its own instead of going on in the one that is there.
    listed = ",".join(request.headers.getlist("x-forwarded-for"))
    seen = [part.strip() for part in listed.split(",")]
    if 0 < proxies <= len(seen):
        return seen[-proxies]
    return request.client.host if request.client else ""
