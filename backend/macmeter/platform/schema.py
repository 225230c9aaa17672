"""Base types of request and response bodies, with exactly the members they name."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, StringConstraints, WithJsonSchema, with_config

# Pydantic supports no other before Python 3.12.
from typing_extensions import TypedDict

exact = with_config(ConfigDict(extra="forbid"))
"""Decorator of a dataclass: OpenAPI forbids extra members, and the contract test checks that."""


@exact
class Exact(TypedDict):
    """Base of TypedDicts without extra members."""


Time = Annotated[datetime, WithJsonSchema({"type": "string"})]
"""A text in JSON: 2026-11-27T09:30:00+00:00."""


class Input(BaseModel):
    """Body or query string of a request. Unknown names are refused."""

    model_config = ConfigDict(extra="forbid")


def one_line(longest: int) -> StringConstraints:
    """Text without line breaks and other control characters."""
    return StringConstraints(
        strip_whitespace=True, min_length=1, max_length=longest, pattern=r"^[^\x00-\x1f\x7f]*$"
    )


def several_lines(longest: int, shortest: int = 1) -> StringConstraints:
    """Text with line breaks but without other control characters."""
    return StringConstraints(
        strip_whitespace=True,
        min_length=shortest,
        max_length=longest,
        pattern=r"^[^\x00-\x08\x0b-\x1f]*$",
    )
