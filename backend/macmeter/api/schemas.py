"""Problems, as every endpoint sends them; what else is sent is described where it is made."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from macmeter.untyped import Json


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
    """For the `responses` of an endpoint: each of these statuses is a problem."""
    return {status: {"model": Problem} for status in statuses}
