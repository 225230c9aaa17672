"""How endpoints are declared: FastAPI's router and route, with less to do when a server starts.

Every endpoint makes its `Response` itself. The models of what it sends are for the description of
the API alone, which most processes of a server are never asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from fastapi import APIRouter
from fastapi.datastructures import DefaultPlaceholder
from fastapi.routing import APIRoute
from fastapi.utils import create_model_field

from macmeter.api.schemas import Responses


class Route(APIRoute):
    """Keeps the models of its responses as they were declared."""

    def __init__(
        self,
        path: str,
        endpoint: Callable[..., Any],
        *,
        response_model: Any,
        responses: Responses | None = None,
        **declared: Any,
    ) -> None:
        super().__init__(path, endpoint, response_model=None, **declared)
        if not isinstance(response_model, DefaultPlaceholder):
            self.response_model = response_model
        self.responses = responses or {}

    def read_models(self) -> None:
        """Has FastAPI know what was declared: a second of the processor for all endpoints."""
        if self.response_model is not None:
            self.response_field = _field(self.response_model, f"Response_{self.unique_id}")
        told = self.responses.items()
        self.response_fields = {
            status: _field(response["model"]) for status, response in told if "model" in response
        }


class Router(APIRouter):
    """Its operations are called by the names of their endpoints."""

    def __init__(self, *, route_class: type[Route] = Route, **options: Any) -> None:
        super().__init__(route_class=route_class, generate_unique_id_function=_name_of, **options)


@cache
def _field(model: Any, name: str = "Response") -> Any:
    """One for all who send it by no name of their own: most refuse with the same problems."""
    return create_model_field(name=name, type_=model, mode="serialization")


def _name_of(route: APIRoute) -> str:
    return route.name
