"""Refusals as application/problem+json, naming the field and the fix."""

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field, fields
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response

from macmeter import Json

MEDIA_TYPE = "application/problem+json"

# Id of the current request, for its log lines, response and problems.
request_id: ContextVar[str | None] = ContextVar("request_id", default=None)


class ServeError(Exception):
    """The server can't start or keep running; the message says why."""


class ItemError(Exception):
    """One of many items failed; the message is for people. See isolation.py."""


@dataclass(frozen=True)
class FieldError:
    """One refused field: a JSON pointer into the document, or `?name` for a query parameter."""

    pointer: str
    code: str
    detail: str


@dataclass
class Problem(Exception):
    """A refusal that is sent to the client.

    `code` is stable and for programs, `detail` is a sentence for people, `errors` name the fields
    (the first one is also the problem's `pointer`).
    """

    status: int
    code: str
    title: str
    detail: str
    errors: list[FieldError] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    extra: Json = field(default_factory=dict)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle field by field: exceptions by default keep positional arguments only."""
        return Problem, tuple(getattr(self, member.name) for member in fields(self))

    def body(self) -> Json:
        body: Json = {
            "type": f"/problems/{self.code}",
            "title": self.title,
            "status": self.status,
            "code": self.code,
            "detail": self.detail,
            **self.extra,
        }
        if (identity := request_id.get()) is not None:
            body["request_id"] = identity
        if self.errors:
            body["pointer"] = self.errors[0].pointer
            body["errors"] = [
                {"pointer": e.pointer, "code": e.code, "detail": e.detail} for e in self.errors
            ]
        return body

    def response(self) -> Response:
        return Response(
            orjson.dumps(self.body()),
            status_code=self.status,
            media_type=MEDIA_TYPE,
            headers={"Cache-Control": "no-store", **self.headers},
        )


async def answer_problem(_request: Request, problem: Exception) -> Response:
    """Handle a Problem as FastAPI's exception handler."""
    assert isinstance(problem, Problem)
    return problem.response()


def invalid(pointer: str, detail: str, code: str = "invalid_value") -> Problem:
    """Return a 422 for one field."""
    return Problem(422, code, "Invalid value", detail, [FieldError(pointer, code, detail)])


# Replacements for Pydantic's messages.
_MESSAGES = {
    "json_invalid": "Must be valid JSON",
    "model_attributes_type": "Must be a JSON object",
    "model_type": "Must be a JSON object",
    "uuid_parsing": "An id has 32 hexadecimal digits, such as 0198f3c2-6d1e-7a40-9c55-2b7e4f0d1a63",
}


def message_of(fault: Mapping[str, Any]) -> str:
    """Return a Pydantic error's message for people: "Must be greater than 0"."""
    message: str = fault["msg"].removeprefix("Value error, ")
    return _MESSAGES.get(fault["type"]) or message.replace("Input should be", "Must be", 1)


def not_found(what: str) -> Problem:
    return Problem(404, "not_found", "Not found", f"This {what} doesn't exist, or it isn't public.")


def too_costly(detail: str, pointer: str = "") -> Problem:
    """Return a 422: the same request would fail again."""
    errors = [FieldError(pointer, "too_costly", detail)] if pointer else []
    return Problem(422, "too_costly", "Too costly", detail, errors)


def too_slow(detail: str) -> Problem:
    """Return a 503: it took too long, which also depends on the server's load."""
    return Problem(503, "too_slow", "Too slow", detail, headers={"Retry-After": "60"})


def server_full(detail: str, seconds: int = 5) -> Problem:
    """Return a 503: the same request may succeed in a moment."""
    return Problem(
        503,
        "server_full",
        "Server full",
        f"{detail} Try again in {seconds} seconds.",
        headers={"Retry-After": str(seconds)},
    )


def unexpected() -> Problem:
    """Return a 500: a fault of ours."""
    return Problem(
        500,
        "unexpected",
        "Unexpected error",
        "Something went wrong on the server. Its log has the details.",
    )


def disk_full() -> Problem:
    """Return a 507: nothing can be stored until there is space again."""
    return Problem(
        507,
        "disk_full",
        "Disk full",
        "The server's disk is full. Nothing was stored; try again later.",
        headers={"Retry-After": "60"},
    )
