"""JSON of unknown shape: from documents, tools and sign-ins, and for logs.

Our own JSON has types.
"""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]
