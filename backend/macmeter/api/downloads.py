"""Downloads of all public results."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

from fastapi.responses import Response
from sqlalchemy.ext.asyncio import AsyncConnection
from typing_extensions import TypedDict

from macmeter.access.turns import Turn
from macmeter.access.visibility import ANYBODY
from macmeter.answers.exact import exact
from macmeter.api import schemas
from macmeter.api.dependencies import LimitedAddress, Server, ServerPart
from macmeter.api.jobs import json_of
from macmeter.api.responses import HeldResponse
from macmeter.api.routing import Router
from macmeter.database_errors import EXPECTED
from macmeter.isolation import DOCUMENTS, Isolated, record
from macmeter.licence import LICENCE, Licence
from macmeter.queries.corpus_files import as_csv, as_parquet, metadata_of
from macmeter.reading.corpus import COLUMNS, VERSION, pages, unreadable_runs
from macmeter.reading.counts import size_of
from macmeter.reading.moment import begin_reading

router = Router(prefix="/api/v1", tags=["downloads"])

PARQUET = "application/vnd.apache.parquet"
# How many public runs a download leaves out, as their documents can't be read.
UNREADABLE = "Macmeter-Unreadable-Runs"
_LICENCE_URL = "https://creativecommons.org/publicdomain/zero/1.0/"


@exact
class CorpusColumn(TypedDict):
    name: str
    type: Literal["text", "number", "boolean", "time"]
    unit: str | None
    about: str | None


@exact
class Corpus(TypedDict):
    """What the downloads hold: `version` names this list of columns."""

    version: str
    runs: int
    results: int
    licence: Licence
    columns: list[CorpusColumn]


@router.get("/corpus", response_model=Corpus)
async def get_corpus(part: ServerPart) -> Response:
    """What the downloads hold: their columns, their version, their licence, how much there is."""
    return await part.questions.answer(json_of, _described)


async def _described(connection: AsyncConnection) -> Corpus:
    held = size_of(await begin_reading(connection, ANYBODY))
    columns: list[CorpusColumn] = [
        {"name": c.name, "type": c.type, "unit": c.unit, "about": c.about} for c in COLUMNS
    ]
    return {
        "version": VERSION,
        "runs": held.runs,
        "results": held.results,
        "licence": LICENCE,
        "columns": columns,
    }


def _responses(media_type: str) -> schemas.Responses:
    return {
        **schemas.refusals(429, 503),
        200: {"content": {media_type: {"schema": {"type": "string", "format": "binary"}}}},
    }


@router.get("/corpus.csv", response_class=Response, responses=_responses("text/csv"))
async def get_corpus_csv(part: ServerPart, address: LimitedAddress) -> Response:
    """Every public result as CSV, a line each, sent as it is read."""
    async with _begun(part, address) as begun:
        chunks = as_csv(pages(part.reading, begun.runs), begun.runs)
        return begun.sent(chunks, "text/csv; charset=utf-8; header=present", "csv")


@router.get("/corpus.parquet", response_class=Response, responses=_responses(PARQUET))
async def get_corpus_parquet(part: ServerPart, address: LimitedAddress) -> Response:
    """Every public result as Parquet, with version, licence and units in its metadata."""
    async with _begun(part, address) as begun:
        metadata = metadata_of(datetime.now(UTC), begun.unreadable, demo=part.demo)
        chunks = as_parquet(pages(part.reading, begun.runs), metadata, begun.runs)
        return begun.sent(chunks, PARQUET, "parquet")


@dataclass(frozen=True)
class _Download:
    """One under way: what it may not send is left out, counted and recorded."""

    part: Server
    turn: Turn
    unreadable: int
    """Runs that are known to be left out when it begins."""
    runs: Isolated = field(default_factory=lambda: Isolated(DOCUMENTS))

    def sent(self, chunks: AsyncGenerator[bytes], media_type: str, ending: str) -> Response:
        name = f"macmeter-corpus-{datetime.now(UTC):%Y-%m-%d}.{ending}"
        links = f'<{_LICENCE_URL}>; rel="license", </api/v1/corpus>; rel="describedby"'
        return HeldResponse(
            self._recorded(chunks),
            self.turn,
            media_type=media_type,
            headers={
                "Content-Disposition": f'attachment; filename="{name}"',
                "Link": links,
                "Cache-Control": "no-store",
                UNREADABLE: str(self.unreadable),
            },
        )

    async def _recorded(self, chunks: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
        try:
            async for chunk in chunks:
                yield chunk
        finally:
            await chunks.aclose()
            if self.runs.failed:
                with contextlib.suppress(*EXPECTED):  # the log has them
                    async with self.part.writing.begin() as connection:
                        await record(connection, DOCUMENTS, self.runs.failed, datetime.now(UTC))


@contextlib.asynccontextmanager
async def _begun(part: Server, address: str | None) -> AsyncIterator[_Download]:
    """With a turn, which is given back where nothing is sent."""
    turn = part.downloads.take(address)
    try:
        async with part.reading.connect() as connection:
            unreadable = await unreadable_runs(connection)
        yield _Download(part, turn, unreadable)
    except BaseException:
        turn.give_back()
        raise
