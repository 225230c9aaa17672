"""Downloads of all public results, and of a fleet's."""

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from fastapi.responses import Response
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.scope import Principal, mark_of, seen_fleet
from macmeter.accounts.visibility import ANYBODY
from macmeter.catalog.terms import Op, Term
from macmeter.platform.release import LICENCE, Licence
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
# Number of public runs that a download leaves out because their stored data can't be read.
UNREADABLE = "Macmeter-Unreadable-Runs"
Terms = tuple[Term, ...]
_LICENCE_URL = "https://creativecommons.org/publicdomain/zero/1.0/"


class CorpusColumn(Exact):
    name: str
    type: Literal["text", "number", "boolean", "time"]
    unit: str | None
    about: str | None


class Corpus(Exact):
    """Contents of the downloads. `version` names this list of columns."""

    version: str
    runs: int
    results: int
    licence: Licence
    columns: list[CorpusColumn]


@router.get("/corpus", response_model=Corpus)
async def get_corpus(part: ServerPart) -> Response:
    """Describe the downloads: their columns, version, licence and size."""
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
    """Download every public result as CSV, one per line, streamed."""
    async with _start_download(part, address) as begun:
        return begun.sent(CSV, "text/csv; charset=utf-8; header=present", "corpus", "csv")


@router.get("/corpus.parquet", response_class=Response, responses=_file(PARQUET))
async def get_corpus_parquet(part: ServerPart, address: LimitedAddress) -> Response:
    """Download every public result as Parquet, with version, licence and units in its metadata."""
    async with _start_download(part, address) as begun:
        how = parquet(datetime.now(UTC), begun.left_out, demo=part.settings.demo)
        return begun.sent(how, PARQUET, "corpus", "parquet")


@router.get("/fleets/{fleet}/results.parquet", response_class=Response, responses=_file(PARQUET))
async def get_fleet_results(fleet: str, part: ServerPart, reader: Reader) -> Response:
    """Download every result of a fleet as Parquet, with the columns of the corpus.

    `fleet` is its id or its name. Only for its members and its uploader: to everybody else there is
    no such fleet.
    """
    async with part.reading.connect() as connection:
        seen = await seen_fleet(connection, reader, fleet)
    terms = (Term("fleet", Op.IS, seen.name),)
    async with _start_download(part, None, reader, terms) as begun:
        mark = mark_of(reader, [terms])
        how = parquet(datetime.now(UTC), begun.left_out, demo=part.settings.demo, private=mark)
        return begun.sent(how, PARQUET, "fleet", "parquet", is_licensed=mark is None)


@dataclass(frozen=True)
class _Download:
    """A download in progress, with a directory of its own until the end."""

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
async def _start_download(
    part: Server, address: str | None, reader: Principal | None = ANYBODY, terms: Terms = ()
) -> AsyncIterator[_Download]:
    """Take a slot and a directory. Both are released if nothing is sent."""
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
    connection: AsyncConnection, directory: Path, reader: Principal | None, terms: Terms
) -> int:
    """Write the matching runs that the reader may see. Return how many of them are missing."""
    reading = await begin_reading(connection, reader)
    freeze(reading.data, reading.scope, terms, directory)
    return await left_out(reading, terms)
