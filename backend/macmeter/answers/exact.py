"""Response types with exactly the members they name, and the type of times in responses."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import ConfigDict, WithJsonSchema, with_config

# Pydantic supports no other before Python 3.12.
from typing_extensions import TypedDict

exact = with_config(ConfigDict(extra="forbid"))
"""Decorator of a dataclass: OpenAPI forbids extra members, and the contract test checks that."""


@exact
class Exact(TypedDict):
    """Base of TypedDicts without extra members."""


Time = Annotated[datetime, WithJsonSchema({"type": "string"})]
"""A text in JSON: 2026-11-27T09:30:00+00:00."""
