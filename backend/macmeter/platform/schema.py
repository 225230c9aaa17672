"""Base types of request and response bodies: both have exactly the members that they name."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints, WithJsonSchema, with_config

# Before Python 3.12 Pydantic reads no others.
from typing_extensions import TypedDict

exact = with_config(ConfigDict(extra="forbid"))
"""Marks a dataclass. OpenAPI says so, and the contract test holds responses to it."""


@exact
class Exact(TypedDict):
    """The base of a TypedDict that is marked so, as are those made of it."""


Time = Annotated[datetime, WithJsonSchema({"type": "string"})]
"""A text in JSON: 2026-11-27T09:30:00+00:00."""


class Input(BaseModel):
    """What is sent, in a body or in a query string. A name that it doesn't have is refused."""

    model_config = ConfigDict(extra="forbid")


def one_line(longest: int) -> StringConstraints:
    """Text without line breaks and other control characters."""
    return StringConstraints(
        strip_whitespace=True, min_length=1, max_length=longest, pattern=r"^[^\x00-\x1f\x7f]*$"
    )


def several_lines(longest: int, shortest: int = 1) -> StringConstraints:
    """Text in which line breaks are welcome; other control characters are not text."""
    return StringConstraints(
        strip_whitespace=True,
        min_length=shortest,
        max_length=longest,
        pattern=r"^[^\x00-\x08\x0b-\x1f]*$",
    )
