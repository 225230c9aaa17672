"""Links from an alert to the page that explains it."""

from __future__ import annotations

from urllib.parse import quote


def page_of(fleet_name: str, public_url: str | None) -> str | None:
    """None where nobody has said under which address this server is known."""
    return f"{public_url}/fleets/{quote(fleet_name, safe='')}" if public_url else None
