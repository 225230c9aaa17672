"""What a client's Accept-Encoding allows."""

from __future__ import annotations

from starlette.datastructures import Headers


def takes_gzip(headers: Headers) -> bool:
    """Whether it has gzip or *, and not with a weight of nothing."""
    for offer in headers.get("accept-encoding", "").split(","):
        name, _, weight = offer.partition(";")
        if name.strip().lower() in ("gzip", "*"):
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False
