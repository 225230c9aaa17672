"""Marks a response type that has exactly the members it names."""

from __future__ import annotations

from pydantic import ConfigDict, with_config

# Before Python 3.12 Pydantic reads no others.
from typing_extensions import TypedDict

exact = with_config(ConfigDict(extra="forbid"))
"""Marks a dataclass. OpenAPI says so, and the contract test holds responses to it."""


@exact
class Exact(TypedDict):
    """The base of a TypedDict that is marked so, as are those made of it."""
