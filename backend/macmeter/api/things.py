"""Chips, models and Macs: what they are, and their headline figures among others."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Path
from fastapi.responses import Response

from macmeter.answers.things import Kind
from macmeter.api.dependencies import Reader, ServerPart
from macmeter.api.routing import Router
from macmeter.figures.things import Things, ThingTold, told_thing, told_things
from macmeter.queries.things import list_things, one_thing

router = Router(prefix="/api/v1/things", tags=["machines"])

Slug = Annotated[str, Path(max_length=200, description="m4-pro, mac-mini-m4-pro, or a Mac's id")]


@router.get("/{kind}", response_model=Things)
async def get_things(
    kind: Literal["chips", "models"], part: ServerPart, reader: Reader
) -> Response:
    """The chips or models that somebody measured, with their addresses."""
    return await part.questions.send(list_things, kind, reader, tell=told_things)


@router.get("/{kind}/{slug}", response_model=ThingTold)
async def get_thing(kind: Kind, slug: Slug, part: ServerPart, reader: Reader) -> Response:
    """A chip, model or Mac: its figures, each on a strip of those of others.

    A model is also found by Apple's identifier: mac16-11.
    """
    return await part.questions.send(one_thing, kind, slug, reader, tell=told_thing)
