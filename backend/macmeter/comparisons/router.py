"""Comparisons: save and open them, and let their owners change them."""

import asyncio
import contextlib
from datetime import UTC, datetime, timedelta
from typing import Annotated, Literal, NotRequired, cast

from fastapi import Depends, Request
from fastapi.responses import Response
from pydantic import AwareDatetime, Field, StringConstraints

from macmeter.accounts.people import Member
from macmeter.accounts.tokens import unauthorised
from macmeter.charts.build import figure_of
from macmeter.charts.changes import ChangeResponse, Changes, changed_since, changes_of
from macmeter.charts.figure import Figure, to_json
from macmeter.comparisons.service import (
    ComparisonDetails,
    canonical,
    discard,
    freeze,
    frozen_comparison,
    frozen_statement,
    is_lost,
    open_comparison,
    questions,
    save_frozen,
    then_and_now,
)
from macmeter.comparisons.stored import (
    FEWEST_MACHINES,
    Owner,
    Shared,
    adopt,
    change_comparison,
    comparisons_of,
    named_by,
    require_aggregates,
    shared,
)
from macmeter.platform.database import Databases
from macmeter.platform.errors import Problem, invalid, server_full
from macmeter.platform.plain_text import VISIBLE
from macmeter.platform.schema import Exact, Input, several_lines
from macmeter.questions.statement import VersionFiles
from macmeter.schemas.answer import Answer, QuestionResponse
from macmeter.schemas.comparisons import ComputedDifferently, Link, OpenedComparison, OwnComparison
from macmeter.schemas.sides import Compared, SidesQuestionResponse
from macmeter.server.dependencies import (
    CurrentServer,
    Here,
    LimitedAddress,
    Server,
    actor,
    bearer_secret,
    credential_of,
    files_of,
    here,
    public_address,
    reader,
    signed_in,
    spend_quota,
)
from macmeter.server.http.responses import SQL, json_response, sql_response
from macmeter.server.http.routing import Router, refusals, sends
from macmeter.server.jobs import AsCsv


class _ComparisonBase(Link):
    """A saved comparison. `figure` describes `answer` in today's words; the hash is of the answer
    alone.

    `computed_differently` is what was redefined after the answer's `derivation_version`.
    """

    url: str
    live_hash: str
    changed: bool
    change: NotRequired[ChangeResponse]
    computed_differently: list[ComputedDifferently]
    figure: Figure


class SavedAnswer(Exact, _ComparisonBase):
    kind: Literal["question"]
    question: QuestionResponse
    answer: Answer


class SavedSides(Exact, _ComparisonBase):
    kind: Literal["sides"]
    question: SidesQuestionResponse
    answer: Compared


class NewAnswer(SavedAnswer):
    """A new comparison. `owner_secret` is shown only once."""

    owner_secret: str


class NewSides(SavedSides):
    """A new comparison. `owner_secret` is shown only once."""

    owner_secret: str


Comparison = Annotated[SavedAnswer | SavedSides, Field(discriminator="kind")]
CreatedComparison = Annotated[NewAnswer | NewSides, Field(discriminator="kind")]


class OwnComparisons(Exact):
    items: list[OwnComparison]


router = Router(prefix="/api/v1/comparisons", tags=["comparisons"])

# Attempts to save an answer whose runs are being deleted meanwhile.
_TRIES = 3
_PAUSE_SECONDS = 0.5

Title = Annotated[
    str,
    StringConstraints(
        strip_whitespace=True, min_length=1, max_length=200, pattern=r"^[^\x00-\x1f]*$"
    ),
    VISIBLE,
]
Note = Annotated[str, several_lines(4000), VISIBLE]
_CLOSED = refusals(410)


async def shown_owner(request: Request, server: CurrentServer) -> Owner | None:
    """Return the owner by secret or session, who sees the comparison while it is closed."""
    secret = bearer_secret(request)
    if secret is None:
        session = await signed_in(request, server)
        return Owner(person_id=session.member.person_id) if session else None
    return Owner(secret)


async def owner(request: Request, server: CurrentServer) -> Owner:
    secret = bearer_secret(request)
    if secret is not None:
        return Owner(secret)
    if credential_of(request).session is None:
        raise unauthorised("Send the owner secret: Authorization: Bearer SECRET.")
    return Owner(person_id=(await here(request, server)).member.person_id)


ShownOwner = Annotated[Owner | None, Depends(shown_owner)]
ComparisonOwner = Annotated[Owner, Depends(owner)]


class NewComparison(Input):
    """A new comparison. `question` is a query string, as in the address of a view or of Compare.

    A `private` link is too long to be guessed, and search engines are asked not to list it.
    """

    question: Annotated[str, StringConstraints(max_length=8000)]
    title: Title | None = None
    note: Note | None = None
    private: bool = False
    shares_fleet: bool = False
    """Whether figures of the private fleet that the question names may be shown to all with the
    link.
    """
    fewest_machines: Annotated[int, Field(ge=1, le=1000)] = FEWEST_MACHINES
    """Minimum number of machines behind each figure of a private fleet. Others are left out."""


class Adoption(Input):
    owner_secret: Annotated[str, StringConstraints(max_length=200)]


class ComparisonChange(Input):
    """Changes to a comparison. What is left out stays as it is; null removes it."""

    title: Title | None = None
    note: Note | None = None
    state: Literal["active", "paused", "revoked"] | None = None
    expires_at: AwareDatetime | None = None


@router.post("", status_code=201, response_model=CreatedComparison, responses=refusals(429))
async def post_comparison(
    body: NewComparison, request: Request, server: CurrentServer, address: LimitedAddress
) -> Response:
    """Freeze a question, or sides, with the public answer under a short link.

    The owner secret in the response is shown only once. Figures of a private fleet are saved if its
    admin agrees by `shares_fleet`, and last as long as the fleet and its admin.
    """
    question = canonical(body.question.removeprefix("?"))
    by = await _maker(request, server)
    sharing = await _shared(body, question, by, request, server)
    await spend_quota(request, server, address, "comparisons", server.settings.quota_comparisons)
    details = ComparisonDetails(body.title, body.note, body.private, by.person_id if by else None)
    links = public_address(request, server)
    now = datetime.now(UTC)
    return await server.questions.ask(_saved, (question, sharing), details, now, links)


async def _maker(request: Request, server: Server) -> Member | None:
    """Person who saves the comparison, or None: anybody else reads as the public."""
    with contextlib.suppress(Problem):
        principal = await reader(request, server)
        return principal if isinstance(principal, Member) else None
    return None


async def _shared(
    body: NewComparison, question: str, by: Member | None, request: Request, server: Server
) -> Shared | None:
    """Private fleets that the question names. Raise 422 unless their admin agrees."""
    parsed = questions(question)
    accesses = named_by(parsed, by) if by else frozenset()
    if by is None or not accesses:
        return None
    if not body.shares_fleet:
        fleets = ", ".join(sorted(access.fleet_name for access in accesses))
        detail = (
            f"Anyone with the link will see figures of {fleets}. Send shares_fleet: true to agree."
        )
        raise invalid("/shares_fleet", detail, "needs_consent")
    await actor(request, server)  # needs an own page, and more than a token that only reads
    require_aggregates(parsed)
    return shared(by, accesses, body.fewest_machines)


async def _saved(
    databases: Databases,
    subject: tuple[str, Shared | None],
    details: ComparisonDetails,
    now: datetime,
    address: str,
) -> Response:
    question, sharing = subject
    for _ in range(_TRIES):
        async with databases.snapshot() as connection:
            frozen = await freeze(connection, question, sharing, now)
        async with databases.begin() as connection:
            result = await save_frozen(connection, frozen, details, now)
        if result is not None and not await _lost_meanwhile(databases, result[0]["slug"]):
            saved, secret = result
            return json_response({**_render(saved, address), "owner_secret": secret}, 201)
        # A replica may be a moment behind.
        await asyncio.sleep(_PAUSE_SECONDS)
    raise server_full("Runs behind this answer are being deleted.")


async def _lost_meanwhile(databases: Databases, slug: str) -> bool:
    """Return whether a run was deleted while the comparison was saved, which is then discarded."""
    async with databases.begin() as connection:
        lost = await is_lost(connection, slug)
        if lost:
            await discard(connection, slug)
    return lost


@router.get("")
async def get_comparisons(server: CurrentServer, signed: Here) -> OwnComparisons:
    """List the comparisons that you made or adopted, newest first."""
    async with server.writing.connect() as connection:
        items = await comparisons_of(connection, signed.member.person_id, datetime.now(UTC))
    return {"items": items}


@router.put("/{slug}/owner", status_code=204, responses=refusals(409))
async def put_comparison_owner(
    slug: str, body: Adoption, server: CurrentServer, signed: Here
) -> None:
    """Make a comparison yours, by its owner secret: your account can do what the secret can."""
    async with server.writing.begin() as connection:
        await adopt(connection, slug, body.owner_secret, signed.member.person_id)


@router.get("/{slug}", response_model=Comparison, responses=_CLOSED)
async def get_comparison(
    slug: str, request: Request, server: CurrentServer, owner: ShownOwner
) -> Response:
    """Return the frozen answer, its content hash, and whether live data has changed since."""
    return await _opened(request, server, slug, owner)


@router.get("/{slug}/answer.csv", response_class=Response, responses=sends("text/csv") | _CLOSED)
async def get_comparison_csv(
    slug: str, request: Request, server: CurrentServer, owner: ShownOwner
) -> Response:
    """Return the frozen answer as CSV."""
    return await server.questions.ask(_frozen_csv, slug, datetime.now(UTC), owner)


@router.get(
    "/{slug}/answer.sql", response_class=Response, responses=sends(SQL) | _CLOSED | refusals(404)
)
async def get_comparison_sql(
    slug: str, request: Request, server: CurrentServer, owner: ShownOwner
) -> Response:
    """Return the statement that makes the frozen figures of the public files of their time.

    404 if no version of the data set was named when it was saved.
    """
    files = files_of(request, server)
    return sql_response(
        await server.questions.ask(_frozen_sql, slug, datetime.now(UTC), owner, files)
    )


async def _frozen_sql(
    databases: Databases, slug: str, now: datetime, owner: Owner | None, files: VersionFiles
) -> str:
    async with databases.latest() as connection:
        return await frozen_statement(connection, slug, now, owner, files)


async def _frozen_csv(
    databases: Databases, slug: str, now: datetime, owner: Owner | None
) -> Response:
    async with databases.latest() as connection:
        comparison = await frozen_comparison(connection, slug, now, owner)
    return AsCsv(f"macmeter-{slug}", comparison["mark"])(comparison["answer"])


@router.get("/{slug}/changes", response_model=Changes, responses=_CLOSED)
async def get_changes(slug: str, server: CurrentServer, owner: ShownOwner) -> Response:
    """Return each frozen figure beside today's, and how it has changed."""
    return await server.questions.ask(_changes_now, slug, datetime.now(UTC), owner)


async def _changes_now(
    databases: Databases, slug: str, now: datetime, owner: Owner | None
) -> Response:
    async with databases.latest() as connection, databases.snapshot() as live_connection:
        frozen, live = await then_and_now(connection, live_connection, slug, now, owner)
    return json_response(changes_of(frozen, live))


@router.patch("/{slug}", response_model=Comparison, responses=_CLOSED)
async def patch_comparison(
    slug: str,
    body: ComparisonChange,
    request: Request,
    server: CurrentServer,
    owner: ComparisonOwner,
) -> Response:
    """Pause, resume or revoke a comparison, set its expiry, or change its title or note.

    Needs the owner secret, or the account that made or adopted it. Revoking is for good.
    """
    now = datetime.now(UTC)
    values = {name: getattr(body, name) for name in body.model_fields_set}
    if "state" in values and values["state"] is None:
        raise invalid("/state", "state must be active, paused or revoked.", "bad_value")
    end = values.get("expires_at")
    if end is not None and not now < end < now + timedelta(days=36_525):
        raise invalid(
            "/expires_at", "expires_at must be in the future, at most a century away.", "bad_value"
        )
    async with server.writing.begin() as connection:
        await change_comparison(connection, slug, owner, values)
    return await _opened(request, server, slug, owner)


@router.delete("/{slug}", status_code=204, responses=_CLOSED)
async def delete_comparison(slug: str, server: CurrentServer, owner: ComparisonOwner) -> None:
    """Revoke a comparison for good."""
    async with server.writing.begin() as connection:
        await change_comparison(connection, slug, owner, {"state": "revoked"})


async def _opened(request: Request, server: Server, slug: str, owner: Owner | None) -> Response:
    address = public_address(request, server)
    return await server.questions.ask(_opened_now, slug, datetime.now(UTC), owner, address)


async def _opened_now(
    databases: Databases, slug: str, now: datetime, owner: Owner | None, address: str
) -> Response:
    # Reads the writing database: a comparison must be there right after it was saved.
    async with databases.latest() as connection, databases.snapshot() as live_connection:
        opened = await open_comparison(connection, live_connection, slug, now, owner)
    return json_response(_render(opened, address))


def _render(opened: OpenedComparison, address: str) -> SavedAnswer | SavedSides:
    """Add the address, and the figure that describes the answer."""
    rendered = {
        **opened,
        "url": f"{address}/c/{opened['slug']}",
        "figure": to_json(figure_of(opened["answer"], opened["runs"])),
    }
    change = opened["change"]
    if change is None:
        del rendered["change"]
    else:
        redefined = bool(opened["computed_differently"])
        rendered["change"] = {**change, "text": changed_since(change, redefined=redefined)}
    return cast(SavedAnswer | SavedSides, rendered)
