"""Problems, as every endpoint sends them; what else is sent is described where it is made."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, StringConstraints

from macmeter.untyped import Json


class Input(BaseModel):
    """What is sent, in a body or in a query string. A name that it doesn't have is refused."""

    model_config = ConfigDict(extra="forbid")


def one_line(longest: int) -> StringConstraints:
    """Text without line breaks and other control characters."""
    return StringConstraints(
        strip_whitespace=True, min_length=1, max_length=longest, pattern=r"^[^\x00-\x1f\x7f]*$"
    )


def lines(longest: int, shortest: int = 1) -> StringConstraints:
    """Text in which line breaks are welcome; other control characters are not text."""
    return StringConstraints(
        strip_whitespace=True,
        min_length=shortest,
        max_length=longest,
        pattern=r"^[^\x00-\x08\x0b-\x1f]*$",
    )


class ProblemField(BaseModel):
    model_config = ConfigDict(extra="forbid")

    pointer: str
    code: str
    detail: str


class Problem(BaseModel):
    """RFC 9457, with a stable `code` and a pointer to the refused field."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    request_id: str
    pointer: str | None = None
    errors: list[ProblemField] | None = None


# As FastAPI takes them.
Responses = dict[int | str, Json]


def refusals(*statuses: int) -> Responses:
    """For the `responses` of an endpoint: each of these statuses is a problem.

    Those of its dependencies, parameters and body are known without it: api/openapi.py.
    """
    return {status: {"model": Problem} for status in statuses}


def sends(*media_types: str, **schema: str) -> Responses:
    """For the `responses` of an endpoint: the types of what it sends, text unless `schema` says."""
    one = {"schema": {"type": "string", **schema}}
    return {200: {"content": dict.fromkeys(media_types, one)}}
