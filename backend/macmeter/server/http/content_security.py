"""Content-Security-Policy: what a browser may do with a document that we wrote."""

from __future__ import annotations

import base64
import hashlib


def style_source(css: str) -> str:
    """The source expression that lets a browser use this one style element, and no other style.

    `css` is all that is between its tags, to the byte.
    """
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    return f"'sha256-{digest}'"
