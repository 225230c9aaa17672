"""Downloads of all public results."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from fastapi.responses import Response
from sqlalchemy.ext.asyncio import AsyncConnection
from typing_extensions import TypedDict

from macmeter.access.visibility import ANYBODY
from macmeter.answers.exact import exact
from macmeter.api import schemas
from macmeter.api.dependencies import LimitedAddress, Server, ServerPart
from macmeter.api.jobs import json_of, of_one_moment
from macmeter.api.responses import HeldResponse
from macmeter.api.routing import Router
from macmeter.dataset import held
from macmeter.dataset.corpus import COLUMNS, VERSION
from macmeter.dataset.frozen import freeze
from macmeter.dataset.sending import CSV, parquet, sent
from macmeter.licence import LICENCE, Licence
from macmeter.reading.counts import left_out, size_of
from macmeter.reading.moment import begin_reading

router = Router(prefix="/api/v1", tags=["downloads"])

PARQUET = "application/vnd.apache.parquet"
# How many public runs a download leaves out, as what is stored of them can't be read.
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
        return begun.sent(CSV, "text/csv; charset=utf-8; header=present", "csv")


@router.get("/corpus.parquet", response_class=Response, responses=_responses(PARQUET))
async def get_corpus_parquet(part: ServerPart, address: LimitedAddress) -> Response:
    """Every public result as Parquet, with version, licence and units in its metadata."""
    async with _begun(part, address) as begun:
        how = parquet(datetime.now(UTC), begun.left_out, demo=part.demo)
        return begun.sent(how, PARQUET, "parquet")


@dataclass(frozen=True)
class _Download:
    """One under way: what it sends is in a directory of its own until the end."""

    directory: Path
    left_out: int
    ending: contextlib.ExitStack

    def sent(self, how: str, media_type: str, ending: str) -> Response:
        name = f"macmeter-corpus-{datetime.now(UTC):%Y-%m-%d}.{ending}"
        links = f'<{_LICENCE_URL}>; rel="license", </api/v1/corpus>; rel="describedby"'
        return HeldResponse(
            sent(self.directory, how),
            self.ending.close,
            media_type=media_type,
            headers={
                "Content-Disposition": f'attachment; filename="{name}"',
                "Link": links,
                "Cache-Control": "no-store",
                UNREADABLE: str(self.left_out),
            },
        )


@contextlib.asynccontextmanager
async def _begun(part: Server, address: str | None) -> AsyncIterator[_Download]:
    """With a turn and a directory, which are given back where nothing is sent."""
    ending = contextlib.ExitStack()
    try:
        ending.callback(part.downloads.take(address).give_back)
        directory = ending.enter_context(held.directory(part.dataset))
        missing, _ = await part.questions.ask(of_one_moment, _frozen, directory)
        yield _Download(directory, missing, ending)
    except BaseException:
        ending.close()
        raise


async def _frozen(connection: AsyncConnection, directory: Path) -> int:
    """Put by what everybody may read; returns how many runs are missing there."""
    reading = await begin_reading(connection, ANYBODY)
    freeze(reading.data, reading.scope, (), directory)
    return await left_out(reading)
