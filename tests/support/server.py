"""The application in this process, over a real database: for tests that make many requests."""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

import httpx
from fastapi import FastAPI
from macmeter.models import Fleet
from macmeter.platform.settings import Settings
from macmeter.platform.worker_pool import Pool
from macmeter.server.jobs import MODULES
from macmeter.server.main import create_app
from sqlalchemy import update

from support.databases import token, transaction
from support.documents import Document, encoded

# Before every request, httpx checks whether Trio runs, which searches every folder for this
# package.
if find_spec("sniffio") is None:
    sys.modules["sniffio"] = None  # type: ignore[assignment]
# Host of the server's address in links: http://test.
HOST = "test"
T = TypeVar("T")


class Server:
    """An HTTP client of one application, with shortcuts for common requests."""

    def __init__(self, client: httpx.AsyncClient, database_url: str, app: FastAPI) -> None:
        self.client = client
        self.database_url = database_url
        self.app = app

    def token(self, scope: str = "device") -> str:
        return token(self.database_url, scope)

    async def put(
        self,
        document: Document | bytes,
        token: str | None = None,
        run_id: str | None = None,
    ) -> httpx.Response:
        """PUT a document, by default with a fresh device token."""
        content = document if isinstance(document, bytes) else encoded(document)
        if run_id is None:
            assert isinstance(document, dict)
            run_id = str(document["id"])
        return await self.client.put(
            f"/api/v1/runs/{run_id}",
            content=content,
            headers={
                "Authorization": f"Bearer {token or self.token()}",
                "Content-Type": "application/json",
            },
        )

    async def stored(self, *documents: Document) -> None:
        """Store documents, with one token per machine."""
        tokens: dict[str, str] = {}
        for document in documents:
            machine = document["machine"]["id"]
            token = tokens.setdefault(machine, self.token())
            response = await self.put(document, token)
            assert response.status_code == 201, response.text

    async def stored_by_fleet(self, *documents: Document) -> None:
        """Store all documents with one token of a public fleet."""
        token = self.token("fleet")
        with transaction(self.database_url) as connection:
            connection.execute(update(Fleet).values(visibility="public"))
        for document in documents:
            response = await self.put(document, token)
            assert response.status_code == 201, response.text

    async def answer(self, query: str, **headers: str) -> dict[str, Any]:
        response = await self.client.get(f"/api/v1/answer?{query}", headers=headers)
        assert response.status_code == 200, response.text
        content: dict[str, Any] = response.json()
        return content

    async def groups(self, query: str) -> list[dict[str, Any]]:
        """The groups of a question with one metric."""
        groups: list[dict[str, Any]] = (await self.answer(query))["results"][0]["groups"]
        return groups


# Shared by all applications of this process: starting a pool takes a second. Patient, as a question
# may take longer on a machine that is busy with other tests.
_QUESTIONS = Pool(2, MODULES, patience=20)


class InThisProcess(Pool):
    """Pool that answers questions in the test's own process, where tests may patch things."""

    def __init__(self) -> None:
        super().__init__(0)

    async def run(self, job: Callable[..., Awaitable[T]], *arguments: Any) -> T:
        return await job(*arguments)


@cache
def _settings(_environment: frozenset[tuple[str, str]]) -> Settings:
    """Cache the settings: reading them takes as long as an upload."""
    return Settings(allowed_hosts=(HOST,), patience=20)


@asynccontextmanager
async def serving(
    database_url: str,
    frontend: Path | None = None,
    *,
    demo: bool = False,
    questions: Pool = _QUESTIONS,
    **changes: Any,
) -> AsyncIterator[Server]:
    """Serve the application; `changes` are settings."""
    environment = {*os.environ.items()}
    environment.discard(("PYTEST_CURRENT_TEST", os.environ.get("PYTEST_CURRENT_TEST", "")))
    settings = _settings(frozenset(environment)).model_copy(
        update={"database_url": database_url, "demo": demo, **changes}
    )
    if frontend is not None:
        settings = settings.model_copy(update={"frontend_dir": frontend})
    app = create_app(settings, questions)
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}") as client:
            yield Server(client, database_url, app)
