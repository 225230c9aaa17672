"""Every refusal is an application/problem+json that names the field and the fix."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import orjson
from fastapi import Request
from fastapi.responses import Response

MEDIA_TYPE = "application/problem+json"


@dataclass(frozen=True)
class FieldError:
    """One refused field: a JSON pointer into the document, or `?name` for a query parameter."""

    pointer: str
    code: str
    detail: str


@dataclass
class Problem(Exception):
    """A refusal on its way to the client.

    `code` is stable and meant for programs, `detail` is a sentence for people,
    `errors` name the fields (the first one stands at the top as `pointer`).
    """

    status: int
    code: str
    title: str
    detail: str
    errors: list[FieldError] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict)

    def body(self) -> dict[str, Any]:
        body: dict[str, Any] = {
            "type": f"/problems/{self.code}",
            "title": self.title,
            "status": self.status,
            "code": self.code,
            "detail": self.detail,
            **self.extra,
        }
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
    """FastAPI's exception handler for Problem."""
    assert isinstance(problem, Problem)
    return problem.response()


def invalid(pointer: str, detail: str, code: str = "invalid_value") -> Problem:
    """422 for one field."""
    return Problem(422, code, "Invalid value", detail, [FieldError(pointer, code, detail)])


def not_found(what: str) -> Problem:
    return Problem(404, "not_found", "Not found", f"There is no such {what}, or it is not public.")
