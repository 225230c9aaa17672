"""openapi.json as a judge: every response that a client gets is checked against it."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import httpx
from jsonschema_rs import Draft202012Validator
from macmeter.platform.settings import Settings
from macmeter.server.main import create_app

Json = dict[str, Any]
PROBLEM = "application/problem+json"


@cache
def openapi() -> Json:
    """The server's OpenAPI description, as its clients read it."""
    app = create_app(Settings(database_url="postgresql://nowhere/none"))
    description: Json = json.loads(json.dumps(app.openapi()))
    return description


@cache
def of_api() -> Contract:
    """Shared instance, for tests about something else."""
    return Contract(openapi())


class Contract:
    """Checker of responses that remembers which operations answered with what."""

    def __init__(self, openapi: Json) -> None:
        self._components = {"components": openapi["components"]}
        self._operations = {
            (method.upper(), path): operation
            for path, methods in openapi["paths"].items()
            for method, operation in methods.items()
        }
        self._patterns = {
            name: re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(name[1])))
            for name in self._operations
        }
        # Keyed by the identity of a schema, which `_operations` keeps alive.
        self._validators: dict[int, Draft202012Validator] = {}
        self.seen: set[tuple[str, str, int]] = set()

    @property
    def promised(self) -> set[tuple[str, str, int]]:
        """Every success that the contract names, in the form of `seen`."""
        return {
            (*name, int(status))
            for name, operation in self._operations.items()
            for status in operation["responses"]
            if int(status) < 400
        }

    async def hook(self, response: httpx.Response) -> None:
        """Check every response of an httpx client that has this event hook."""
        await response.aread()
        self.check(response)

    async def hook_of_successes(self, response: httpx.Response) -> None:
        """Check successes, except for streams, which end only when they are closed."""
        path = response.request.url.path
        streams = path == "/api/v1/events"
        if response.is_success and not streams and self._matching(response.request.method, path):
            await self.hook(response)

    def check(self, response: httpx.Response) -> None:
        """Fail unless the operation promises this status, type and shape."""
        request = response.request
        name = self.operation(request.method, request.url.path)
        about = f"{request.method} {request.url}: {response.status_code} {response.content[:500]!r}"
        promised = self._operations[name]["responses"].get(str(response.status_code))
        assert promised is not None, f"not in the contract: {about}"
        media_type = response.headers.get("content-type", "").split(";")[0]
        content = promised.get("content", {})
        if response.status_code >= 400:
            # A problem in JSON, or a picture that says it where a page shows pictures.
            assert media_type in content, about
            if media_type.startswith("image/"):
                assert response.status_code == 410, about
            else:
                assert media_type == PROBLEM, about
                self._validate(response.json(), content[PROBLEM]["schema"], about)
        elif content:
            assert media_type in content, about
            if media_type == "application/json":
                self._validate(json.loads(response.content), content[media_type]["schema"], about)
        else:
            assert response.content == b"", about
        self.seen.add((*name, response.status_code))

    def operation(self, method: str, path: str) -> tuple[str, str]:
        """The operation of an address; of several, the one with the fewest parameters."""
        matching = self._matching(method, path)
        assert matching, f"not in the contract: {method} {path}"
        return min(matching, key=lambda name: name[1].count("{"))

    def _matching(self, method: str, path: str) -> list[tuple[str, str]]:
        return [
            name
            for name, pattern in self._patterns.items()
            if name[0] == method and pattern.fullmatch(path)
        ]

    def _validate(self, value: Any, schema: Json, about: str) -> None:
        if id(schema) not in self._validators:
            full_schema = {**schema, **self._components}
            self._validators[id(schema)] = Draft202012Validator(full_schema, validate_formats=False)
        error = next(self._validators[id(schema)].iter_errors(value), None)
        assert error is None, f"{about}\n{error.instance_path}: {error.message}"
