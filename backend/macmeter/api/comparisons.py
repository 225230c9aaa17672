"""Saving comparisons, opening them, and what their owner may do with them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request
from fastapi.responses import Response
from pydantic import AwareDatetime, BaseModel, ConfigDict, StringConstraints

from macmeter.access.tokens import unauthorised
from macmeter.api import comparison_schemas as shapes
from macmeter.api import schemas
from macmeter.api.dependencies import Server, ServerPart, bearer_secret, public_address, spend_quota
from macmeter.api.responses import csv_response, json_response, lines_response
from macmeter.errors import invalid
from macmeter.plain_text import SEEN
from macmeter.queries.comparisons import canonical, change_comparison, open_comparison, save
from macmeter.queries.export import comparison_to_csv

router = APIRouter(prefix="/api/v1/comparisons", tags=["comparisons"])

# Line breaks are welcome in a note; other control characters and lone surrogates are not text.
Title = Annotated[
    str,
    StringConstraints(
        strip_whitespace=True, min_length=1, max_length=200, pattern=r"^[^\x00-\x1f]*$"
    ),
    SEEN,
]
Note = Annotated[
    str,
    StringConstraints(
        strip_whitespace=True,
        min_length=1,
        max_length=4000,
        pattern=r"^[^\x00-\x08\x0b-\x1f]*$",
    ),
    SEEN,
]
_CLOSED = schemas.refusals(401, 404, 410, 422)
_REFUSALS = schemas.refusals(400, 401, 403, 404, 410, 422)


class NewComparison(BaseModel):
    """`question` is a query string, as in the address of a view or, with sides, of Compare."""

    model_config = ConfigDict(extra="forbid")

    question: Annotated[str, StringConstraints(max_length=8000)]
    title: Title | None = None
    note: Note | None = None


class ComparisonChange(BaseModel):
    """What is left out stays as it is; null takes it away."""

    model_config = ConfigDict(extra="forbid")

    title: Title | None = None
    note: Note | None = None
    state: Literal["active", "paused", "revoked"] | None = None
    expires_at: AwareDatetime | None = None


@router.post(
    "",
    status_code=201,
    response_model=shapes.SavedComparison,
    responses=schemas.refusals(400, 422, 429),
)
async def post_comparison(body: NewComparison, request: Request, part: ServerPart) -> Response:
    """Freeze a question, or sides beside one another, with the public answer under a short link.

    The owner secret in the response is shown this once.
    """
    question = canonical(body.question.removeprefix("?"))
    await spend_quota(request, part, "comparisons", part.quotas.comparisons)
    now = datetime.now(UTC)
    async with part.writing.begin() as connection:
        saved, secret = await save(connection, question, body.title, body.note, now)
    return json_response({**_with_url(request, part, saved), "owner_secret": secret}, 201)


@router.get("/{slug}", response_model=shapes.Comparison, responses=_CLOSED)
async def get_comparison(slug: str, request: Request, part: ServerPart) -> Response:
    """The frozen answer, its content hash, and whether live data has changed since."""
    return json_response(await _opened(request, part, slug, bearer_secret(request)))


@router.get(
    "/{slug}/answer.csv",
    response_class=Response,
    responses={
        **_CLOSED,
        200: {"content": {"text/csv": {"schema": {"type": "string"}}}},
    },
)
async def get_comparison_csv(slug: str, request: Request, part: ServerPart) -> Response:
    """The frozen answer as CSV."""
    opened = await _opened(request, part, slug, bearer_secret(request))
    name = f"macmeter-{slug}"
    if opened["kind"] == "sides":
        return lines_response(comparison_to_csv(opened["answer"]), name)
    return csv_response(opened["answer"], name)


@router.patch("/{slug}", response_model=shapes.Comparison, responses=_REFUSALS)
async def patch_comparison(
    slug: str, body: ComparisonChange, request: Request, part: ServerPart
) -> Response:
    """Pause, resume, revoke for good, set an end, change title or note: with the owner secret."""
    secret = _owner_secret(request)
    now = datetime.now(UTC)
    values = {name: getattr(body, name) for name in body.model_fields_set}
    if "state" in values and values["state"] is None:
        raise invalid("/state", "state is active, paused or revoked.", "bad_value")
    end = values.get("expires_at")
    if end is not None and not now < end < now + timedelta(days=36_525):
        raise invalid("/expires_at", "An end lies in the future, within a century.", "bad_value")
    async with part.writing.begin() as connection:
        await change_comparison(connection, slug, secret, values, now)
    return json_response(await _opened(request, part, slug, secret))


@router.delete("/{slug}", status_code=204, responses=schemas.refusals(401, 403, 404, 410, 422))
async def delete_comparison(slug: str, request: Request, part: ServerPart) -> Response:
    """Revoke for good."""
    async with part.writing.begin() as connection:
        await change_comparison(
            connection,
            slug,
            _owner_secret(request),
            {"state": "revoked"},
            datetime.now(UTC),
        )
    return Response(status_code=204)


def _owner_secret(request: Request) -> str:
    secret = bearer_secret(request)
    if secret is None:
        raise unauthorised("Send the owner secret: Authorization: Bearer SECRET.")
    return secret


async def _opened(
    request: Request, part: ServerPart, slug: str, secret: str | None
) -> dict[str, Any]:
    # From the writing side: a comparison must be there the moment after it was saved.
    async with part.writing.connect() as connection:
        opened = await open_comparison(connection, slug, datetime.now(UTC), secret)
    return _with_url(request, part, opened)


def _with_url(request: Request, part: Server, opened: dict[str, Any]) -> dict[str, Any]:
    return {"url": f"{public_address(request, part)}/c/{opened['slug']}", **opened}
