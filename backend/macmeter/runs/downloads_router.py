"""Downloads of all public results, and of a fleet's."""

import contextlib
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from fastapi.responses import FileResponse, Response
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.scope import Principal, mark_of, seen_part
from macmeter.accounts.visibility import ANYBODY
from macmeter.catalog.terms import Op, Term
from macmeter.platform.database import Databases
from macmeter.platform.errors import Problem, not_found
from macmeter.platform.release import LICENCE, Licence
from macmeter.platform.schema import Exact
from macmeter.results.context import begin_reading
from macmeter.results.dataset import downloads, versions
from macmeter.results.dataset.corpus import COLUMNS, VERSION
from macmeter.results.dataset.downloads import CSV_OPTIONS, freeze, parquet_options, stream
from macmeter.results.dataset.versions import Version
from macmeter.results.matching_runs import count_missing_from_dataset, dataset_size
from macmeter.server.dependencies import CurrentServer, LimitedAddress, Reader, Server
from macmeter.server.http.responses import HeldResponse
from macmeter.server.http.routing import Responses, Router, refusals, sends
from macmeter.server.jobs import of_one_moment

router = Router(prefix="/api/v1", tags=["downloads"])

PARQUET = "application/vnd.apache.parquet"
# Header with the number of runs that a download lacks because their stored data can't be read.
UNREADABLE = "Macmeter-Unreadable-Runs"
Terms = tuple[Term, ...]
_VERSION_NAME = re.compile(r"\d{8}T\d{6}Z-[0-9a-f]{4}")
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
async def get_corpus(server: CurrentServer) -> Response:
    """Describe the downloads: their columns, version, licence and size."""
    return await server.questions.send(_describe)


async def _describe(connection: AsyncConnection) -> Corpus:
    size = dataset_size(await begin_reading(connection, ANYBODY))
    columns: list[CorpusColumn] = [
        {"name": c.name, "type": c.type, "unit": c.unit, "about": c.about} for c in COLUMNS
    ]
    return {
        "version": VERSION,
        "runs": size.runs,
        "results": size.results,
        "licence": LICENCE,
        "columns": columns,
    }


def _file_responses(media_type: str) -> Responses:
    return sends(media_type, format="binary") | refusals(429)


@router.get("/corpus.csv", response_class=Response, responses=_file_responses("text/csv"))
async def get_corpus_csv(server: CurrentServer, address: LimitedAddress) -> Response:
    """Download every public result as CSV, one per line, streamed."""
    async with _start_download(server, address) as download:
        return download.response(
            CSV_OPTIONS, "text/csv; charset=utf-8; header=present", "corpus", "csv"
        )


@router.get("/corpus.parquet", response_class=Response, responses=_file_responses(PARQUET))
async def get_corpus_parquet(server: CurrentServer, address: LimitedAddress) -> Response:
    """Download every public result as Parquet, with version, licence and units in its metadata."""
    async with _start_download(server, address) as download:
        options = parquet_options(datetime.now(UTC), download.left_out, demo=server.settings.demo)
        return download.response(options, PARQUET, "corpus", "parquet")


_PARTIAL_RESPONSES: Responses = {
    206: {
        "description": "The bytes that Range asks for.",
        "content": {PARQUET: {"schema": {"type": "string", "format": "binary"}}},
    },
    304: {"description": "Unchanged since If-None-Match."},
}


class VersionFile(Exact):
    url: str
    bytes: int
    sha256: str


class VersionResponse(Exact):
    """A version of the public data set that statements of `/api/v1/answer.sql` name."""

    version: str
    made_at: str
    kept_until: str
    """Earliest end; later if a saved comparison names it."""
    licence: Licence
    files: dict[str, VersionFile]
    """By metric: those that were asked for while nothing changed."""
    gone: dict[str, str]
    """Metrics whose files were removed, and when: a run in them isn't public any more."""


@router.get("/dataset/{version}", response_model=VersionResponse, responses=refusals(404))
async def get_version(version: str, server: CurrentServer) -> VersionResponse:
    """Describe a version of the public data set: its files, and those that are gone."""
    stored = _version(server, version)
    files: dict[str, VersionFile] = {
        metric: {
            "url": f"/api/v1/dataset/{stored.name}/{metric}.parquet",
            "bytes": file.bytes,
            "sha256": file.sha256,
        }
        for metric, file in sorted(stored.files.items())
    }
    return {
        "version": stored.name,
        "made_at": stored.made_at.isoformat(timespec="seconds"),
        "kept_until": stored.kept_until.isoformat(timespec="seconds"),
        "licence": LICENCE,
        "files": files,
        "gone": {metric: at.isoformat(timespec="seconds") for metric, at in stored.gone.items()},
    }


@router.get(
    "/dataset/{version}/{metric}.parquet",
    response_class=Response,
    responses=sends(PARQUET, format="binary") | _PARTIAL_RESPONSES | refusals(404, 410),
)
async def get_version_file(version: str, metric: str, server: CurrentServer) -> Response:
    """Download every public result of a metric as of a version, with the columns of the corpus.

    Ranges of bytes can be asked for. 410 if one of its runs isn't public any more.
    """
    stored, root = _version(server, version), server.settings.dataset_dir
    if root is None or metric not in stored.files | stored.gone:
        raise not_found("file")
    if metric in stored.gone or await server.questions.ask(
        _has_nonpublic_run, root, stored, metric
    ):
        raise Problem(
            410,
            "version_not_whole",
            "Not whole any more",
            f"Version {version} isn't whole any more: a run with {metric} was withdrawn, deleted or"
            " made private. Ask /api/v1/answer.sql again.",
        )
    path = versions.path_of(root, stored.name, metric)
    if not path.is_file():  # removed a moment ago
        raise not_found("file")
    headers = {"Cache-Control": "no-cache", "Link": f'<{_LICENCE_URL}>; rel="license"'}
    return FileResponse(path, media_type=PARQUET, headers=headers)


async def _has_nonpublic_run(
    databases: Databases, root: Path, version: Version, metric: str
) -> bool:
    async with databases.latest() as connection:
        return await versions.has_nonpublic_run(connection, root, version, metric)


def _version(server: Server, name: str) -> Version:
    """Return the kept version of that name, or raise 404."""
    root = server.settings.dataset_dir
    version = (
        versions.find(root, name) if root is not None and _VERSION_NAME.fullmatch(name) else None
    )
    if version is None:
        raise not_found("version")
    return version


@router.get(
    "/fleets/{fleet}/results.parquet", response_class=Response, responses=_file_responses(PARQUET)
)
async def get_fleet_results(fleet: str, server: CurrentServer, reader: Reader) -> Response:
    """Download every result of a fleet as Parquet, with the columns of the corpus.

    `fleet` is its id or its name. Only for its members and its uploader: to everybody else there is
    no such fleet.
    """
    async with server.reading.connect() as connection:
        fleet_part = await seen_part(connection, reader, fleet)
    terms = (Term("fleet", Op.IS, fleet_part.name),)
    async with _start_download(server, None, reader, terms) as download:
        mark = mark_of(reader, [terms])
        options = parquet_options(
            datetime.now(UTC), download.left_out, demo=server.settings.demo, private=mark
        )
        return download.response(options, PARQUET, "fleet", "parquet", is_licensed=mark is None)


@dataclass(frozen=True)
class _Download:
    """A download in progress, with a directory of its own that `cleanup` removes."""

    directory: Path
    left_out: int
    cleanup: contextlib.ExitStack

    def response(
        self,
        options: str,
        media_type: str,
        subject: str,
        extension: str,
        *,
        is_licensed: bool = True,
    ) -> Response:
        name = f"macmeter-{subject}-{datetime.now(UTC):%Y-%m-%d}.{extension}"
        links = '</api/v1/corpus>; rel="describedby"'
        if is_licensed:
            links = f'<{_LICENCE_URL}>; rel="license", {links}'
        return HeldResponse(
            stream(self.directory, options),
            self.cleanup.close,
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
    server: Server, address: str | None, reader: Principal | None = ANYBODY, terms: Terms = ()
) -> AsyncIterator[_Download]:
    """Take a slot and freeze the data in a directory. Both are released if nothing is sent."""
    cleanup = contextlib.ExitStack()
    try:
        cleanup.callback(server.downloads.take(address))
        directory = cleanup.enter_context(downloads.new_directory(server.settings.dataset_dir))
        arguments = (_freeze_matching, directory, reader, terms)
        missing, _ = await server.questions.ask(of_one_moment, *arguments)
        yield _Download(directory, missing, cleanup)
    except BaseException:
        cleanup.close()
        raise


async def _freeze_matching(
    connection: AsyncConnection, directory: Path, reader: Principal | None, terms: Terms
) -> int:
    """Write the matching runs that the reader may see to `directory`. Return how many are missing
    because they can't be read.
    """
    reading = await begin_reading(connection, reader)
    freeze(reading.data, reading.scope, terms, directory)
    return await count_missing_from_dataset(reading, terms)
