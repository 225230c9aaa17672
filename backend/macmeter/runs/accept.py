"""Intake of an uploaded document: parse it, derive its run, bind its machine, store it."""

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import NamedTuple

from sqlalchemy.ext.asyncio import AsyncEngine

from macmeter.accounts import tokens
from macmeter.accounts.binding import bind
from macmeter.accounts.rotation import in_use
from macmeter.accounts.tokens import KnownTokens, TokenPrincipal
from macmeter.documents.derive import DerivedRun, derive
from macmeter.documents.implausible import implausible
from macmeter.documents.parse import parse
from macmeter.platform import database
from macmeter.platform.database_errors import EXPECTED, GONE, sqlstate
from macmeter.platform.errors import FieldError, Problem, invalid, server_full
from macmeter.platform.isolation import refused
from macmeter.platform.notifications import Announcer
from macmeter.platform.worker_pool import Pool
from macmeter.runs.group_commit import GroupCommitter
from macmeter.runs.series_numbers import SeriesNumbers
from macmeter.runs.store import Upload, digests, document_row, other_content, quarantine, store

# Larger documents would block all other requests while they are checked. A thread would, too: the
# reader of long arrays doesn't release the GIL.
_INLINE_BYTES = 64 * 1024
_READ_TIMEOUT_SECONDS = 60.0
# One generic plan for all uploads. Tables are looked up by key, also while they are small.
_OPTIONS = "-c plan_cache_mode=force_generic_plan -c enable_seqscan=off"


class Stored(Enum):
    NEW = 201
    IDENTICAL = 200


@dataclass(frozen=True)
class Accepted:
    """Id of a stored run, whether it was new, and the version of its agent."""

    run_id: str
    stored: Stored
    agent_version: str | None = None


class ParsedUpload(NamedTuple):
    """An uploaded document as a run, and the version of the agent that wrote it."""

    run: DerivedRun
    agent_version: str | None


class IngestService:
    """Intake of documents in one server process. A worker process reads the large ones."""

    def __init__(
        self,
        engine: AsyncEngine,
        *,
        simulated: bool = False,
        public: bool = True,
        patience: float = 1,
    ) -> None:
        """Take documents of simulated Macs if `simulated`, for contributors' own servers, and runs
        without a fleet if `public`.
        """
        self._engine = engine
        self._tokens = KnownTokens()
        url = engine.url.render_as_string(hide_password=False)
        writing = database.engine(url, pool_size=1, options=_OPTIONS)
        autocommit = writing.execution_options(isolation_level="AUTOCOMMIT")
        self._groups = GroupCommitter(autocommit, patience)
        self._announcer = Announcer(url)
        self._numbers = SeriesNumbers()
        self._simulated = simulated
        self._public = public
        # Started for the first large document: most servers never get one, and it takes 60 MB.
        self._reader = Pool(
            1, ("macmeter.runs.accept",), _READ_TIMEOUT_SECONDS, patience, "documents"
        )

    async def find_bearer(self, secret: str) -> TokenPrincipal:
        """Find an upload's token, possibly in the cache: `accept` checks it again."""
        if (cached := self._tokens.get(secret)) is not None:
            return cached
        # A single statement needs no transaction, which saves two round trips.
        autocommit = self._engine.execution_options(isolation_level="AUTOCOMMIT")
        async with autocommit.connect() as connection:
            now = datetime.now(UTC)
            bearer = await tokens.find(connection, secret, now)
            await tokens.note_use(connection, bearer, now)
        bearer = await in_use(self._engine, bearer, now)
        self._tokens.keep(secret, bearer)
        return bearer

    async def accept(
        self, content: bytes, bearer: TokenPrincipal, run_id: str | None = None
    ) -> Accepted:
        """Store a document. On return, the run is committed and durable."""
        if bearer.fleet_id is None and not self._public:
            raise fleets_only()
        run, agent_version = await self._read(content, run_id)
        series = await self._numbers.of(self._engine, run.results)
        document = await document_row(content)
        upload = Upload(run, series, document, {"token_id": bearer.token_id})
        stored = await self._store(upload, bearer)
        if stored is Stored.NEW:
            self._announcer.stored()
        return Accepted(str(run.run_id), stored, agent_version)

    async def _store(self, upload: Upload, principal: TokenPrincipal) -> Stored:
        try:
            if _quarantine_reason(upload.run, principal) is None and await self._groups.store(
                upload
            ):
                return Stored.NEW
            return await self._bind_and_store(upload, principal)
        except EXPECTED as error:
            # The token's fleet was deleted or merged meanwhile: the second attempt says so.
            if sqlstate(error) != GONE:
                raise
        return await self._bind_and_store(upload, principal)

    async def _bind_and_store(self, upload: Upload, principal: TokenPrincipal) -> Stored:
        """Handle the rare cases: a machine's first run, a run that is stored already, a refusal."""
        run = upload.run
        async with self._engine.begin() as connection:
            try:
                bearer = await tokens.find_again(connection, principal, datetime.now(UTC))
            except Problem:
                self._tokens.forget(principal.token_id)
                raise
            await bind(connection, run.machine_id, bearer)
            if not await store(connection, [upload]):
                present = await digests(connection, [run.run_id])
                if present[run.run_id] != upload.document["sha256"]:
                    raise other_content()
                return Stored.IDENTICAL
            if (reason := _quarantine_reason(run, bearer)) is not None:
                await quarantine(connection, run, reason)
            return Stored.NEW

    async def close(self) -> None:
        await asyncio.gather(self._groups.close(), self._announcer.close(), self._reader.close())

    async def _read(self, content: bytes, run_id: str | None) -> ParsedUpload:
        document = (content, run_id, self._simulated)
        if len(content) <= _INLINE_BYTES:
            return await read_upload(*document)
        try:
            return await self._reader.run(read_upload, *document)
        except Problem as problem:
            if problem.code == "too_slow":
                # A document within the limits takes a second, so it is the machine that is busy.
                raise server_full("The server is too busy to read this document.") from None
            raise


def _quarantine_reason(run: DerivedRun, bearer: TokenPrincipal) -> str | None:
    """Return why a run is implausible, if so. A fleet's own runs aren't checked."""
    return implausible(run) if bearer.fleet_id is None else None


def fleets_only(pointer: str | None = None) -> Problem:
    """Refusal, as 403, of runs without a fleet if public uploads are off."""
    code = "public_uploads_off"
    detail = "This server only accepts runs of its fleets. Enrol this Mac with a fleet's secret."
    errors = [FieldError(pointer, code, detail)] if pointer is not None else []
    return Problem(403, code, "No public uploads", detail, errors)


async def read_upload(content: bytes, run_id: str | None, simulated: bool) -> ParsedUpload:
    """Return the run in a document, or raise a Problem. Worker processes run this, too."""
    with refused("reading", f"document {run_id or ''}".strip()):
        return _parse_and_derive(content, run_id, simulated)


def _parse_and_derive(content: bytes, run_id: str | None, simulated: bool) -> ParsedUpload:
    document, series = parse(content, now=datetime.now(UTC))
    if run_id is not None and document.id.lower() != run_id.lower():
        raise invalid("/id", f"id must be the one in the address, {run_id}.", "id_mismatch")
    if document.source == "published":
        detail = "source must be measured or imported. Published figures come with the server."
        raise invalid("/source", detail, "not_yours")
    if document.simulated and not simulated:
        detail = (
            "This server doesn't accept simulated runs. Its operator can set ACCEPT_SIMULATED=1."
        )
        raise invalid("/simulated", detail, "simulated")
    agent_version = document.agent.version if document.agent else None
    return ParsedUpload(derive(document, series), agent_version)
