"""Marks a response type that has exactly the members it names; and the type of times in one."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import ConfigDict, WithJsonSchema, with_config

# Before Python 3.12 Pydantic reads no others.
from typing_extensions import TypedDict

exact = with_config(ConfigDict(extra="forbid"))
"""Marks a dataclass. OpenAPI says so, and the contract test holds responses to it."""


@exact
class Exact(TypedDict):
    """The base of a TypedDict that is marked so, as are those made of it."""


Time = Annotated[datetime, WithJsonSchema({"type": "string"})]
"""A text in JSON: 2026-11-27T09:30:00+00:00."""
