"""JSON whose members nobody here names: what documents, tools and sign-ins bring, what logs take.

What is our own has a type.
"""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]
