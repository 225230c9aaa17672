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

from macmeter.accounts.scope import Asker, mark_of, seen_fleet
from macmeter.accounts.visibility import ANYBODY
from macmeter.catalog.terms import Op, Term
from macmeter.platform.licence import LICENCE, Licence
from macmeter.platform.schema import Exact
from macmeter.results.chosen import left_out, size_of
from macmeter.results.context import begin_reading
from macmeter.results.dataset import downloads
from macmeter.results.dataset.corpus import COLUMNS, VERSION
from macmeter.results.dataset.downloads import CSV, freeze, parquet, sent
from macmeter.server.dependencies import LimitedAddress, Reader, Server, ServerPart
from macmeter.server.http.responses import HeldResponse
from macmeter.server.http.routing import Responses, Router, refusals, sends
from macmeter.server.jobs import of_one_moment

router = Router(prefix="/api/v1", tags=["downloads"])

PARQUET = "application/vnd.apache.parquet"
# How many public runs a download leaves out, as what is stored of them can't be read.
UNREADABLE = "Macmeter-Unreadable-Runs"
Terms = tuple[Term, ...]
_LICENCE_URL = "https://creativecommons.org/publicdomain/zero/1.0/"


class CorpusColumn(Exact):
    name: str
    type: Literal["text", "number", "boolean", "time"]
    unit: str | None
    about: str | None


class Corpus(Exact):
    """What the downloads hold: `version` names this list of columns."""

    version: str
    runs: int
    results: int
    licence: Licence
    columns: list[CorpusColumn]


@router.get("/corpus", response_model=Corpus)
async def get_corpus(part: ServerPart) -> Response:
    """What the downloads hold: their columns, their version, their licence, how much there is."""
    return await part.questions.send(_described)


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


def _file(media_type: str) -> Responses:
    return sends(media_type, format="binary") | refusals(429)


@router.get("/corpus.csv", response_class=Response, responses=_file("text/csv"))
async def get_corpus_csv(part: ServerPart, address: LimitedAddress) -> Response:
    """Every public result as CSV, a line each, sent as it is read."""
    async with _begun(part, address) as begun:
        return begun.sent(CSV, "text/csv; charset=utf-8; header=present", "corpus", "csv")


@router.get("/corpus.parquet", response_class=Response, responses=_file(PARQUET))
async def get_corpus_parquet(part: ServerPart, address: LimitedAddress) -> Response:
    """Every public result as Parquet, with version, licence and units in its metadata."""
    async with _begun(part, address) as begun:
        how = parquet(datetime.now(UTC), begun.left_out, demo=part.settings.demo)
        return begun.sent(how, PARQUET, "corpus", "parquet")


@router.get("/fleets/{fleet}/results.parquet", response_class=Response, responses=_file(PARQUET))
async def get_fleet_results(fleet: str, part: ServerPart, reader: Reader) -> Response:
    """Every result of a fleet as Parquet, with the columns of the corpus.

    `fleet` is its id or its name. For its members and its uploader: to everybody else there is no
    such fleet.
    """
    async with part.reading.connect() as connection:
        seen = await seen_fleet(connection, reader, fleet)
    terms = (Term("fleet", Op.IS, seen.name),)
    async with _begun(part, None, reader, terms) as begun:
        mark = mark_of(reader, [terms])
        how = parquet(datetime.now(UTC), begun.left_out, demo=part.settings.demo, private=mark)
        return begun.sent(how, PARQUET, "fleet", "parquet", is_licensed=mark is None)


@dataclass(frozen=True)
class _Download:
    """One under way: what it sends is in a directory of its own until the end."""

    directory: Path
    left_out: int
    ending: contextlib.ExitStack

    def sent(
        self, how: str, media_type: str, what: str, ending: str, *, is_licensed: bool = True
    ) -> Response:
        name = f"macmeter-{what}-{datetime.now(UTC):%Y-%m-%d}.{ending}"
        links = '</api/v1/corpus>; rel="describedby"'
        if is_licensed:
            links = f'<{_LICENCE_URL}>; rel="license", {links}'
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
async def _begun(
    part: Server, address: str | None, reader: Asker | None = ANYBODY, terms: Terms = ()
) -> AsyncIterator[_Download]:
    """With a turn and a directory, which are given back where nothing is sent."""
    ending = contextlib.ExitStack()
    try:
        ending.callback(part.downloads.take(address))
        directory = ending.enter_context(downloads.directory(part.settings.dataset_dir))
        asked = (_frozen, directory, reader, terms)
        missing, _ = await part.questions.ask(of_one_moment, *asked)
        yield _Download(directory, missing, ending)
    except BaseException:
        ending.close()
        raise


async def _frozen(
    connection: AsyncConnection, directory: Path, reader: Asker | None, terms: Terms
) -> int:
    """Put by what matches and may be read; returns how many of these runs are missing there."""
    reading = await begin_reading(connection, reader)
    freeze(reading.data, reading.scope, terms, directory)
    return await left_out(reading, terms)
