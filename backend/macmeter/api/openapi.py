"""The OpenAPI description, said as responses are really sent."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI

from macmeter.errors import MEDIA_TYPE

_PROBLEM = "#/components/schemas/Problem"


def describe(app: FastAPI) -> None:
    """Has `app.openapi()` name refusals' own media type: FastAPI knows one for all."""
    made = app.openapi

    def openapi() -> dict[str, Any]:
        described = made()
        for operations in described["paths"].values():
            for operation in operations.values():
                for response in operation["responses"].values():
                    _name_problems(response)
        return described

    app.openapi = openapi  # type: ignore[method-assign]


def _name_problems(response: dict[str, Any]) -> None:
    content = response.get("content", {})
    if content.get("application/json", {}).get("schema", {}).get("$ref") == _PROBLEM:
        content[MEDIA_TYPE] = content.pop("application/json")
