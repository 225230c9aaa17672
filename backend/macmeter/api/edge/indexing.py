"""What search engines may list: pages and pictures that are anybody's."""

from __future__ import annotations

import re

from macmeter.sharing.stored import is_private

NOT_LISTED = {"X-Robots-Tag": "noindex"}
# Pages of the reader's own, which say nothing to anybody else.
OWN_PAGES = frozenset(
    {"/links", "/sign-in", "/invitations", "/claim", "/you", "/my-macs", "/review", "/reports"}
)
_LINK = re.compile(r"/(?:embed/)?c/([^/]+)|/api/v1/comparisons/([^/]+)")
_PICTURE = re.compile(r"/api/v1/chart\.(png|svg)")
_OTHERS = re.compile(r"/(api|fleets)/|/(metrics|healthz|readyz)$")


def is_listed(path: str) -> bool:
    """Whether the public's response from this address may be listed."""
    link = _LINK.match(path)
    if link is not None:
        return not is_private(link[1] or link[2])
    return bool(_PICTURE.fullmatch(path)) or not (path in OWN_PAGES or _OTHERS.match(path))
