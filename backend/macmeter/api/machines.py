"""Machines, a machine's history, its percentile among similar ones; and chips and models."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from typing import Annotated, Literal
from urllib.parse import parse_qsl, urlencode

from fastapi import Path, Query, Request
from fastapi.responses import Response
from pydantic import Field

from macmeter.answers.things import Kind
from macmeter.api import schemas
from macmeter.api.asked import AskedFilters, FilterParameters, PageParameters
from macmeter.api.dependencies import Reader, ServerPart
from macmeter.api.routing import Router
from macmeter.errors import invalid
from macmeter.figures.machines import MachineDetail, Machines, told_machine, told_machines
from macmeter.figures.places import Percentile, told_place
from macmeter.figures.things import Things, ThingTold, told_thing, told_things
from macmeter.figures.timelines import TimelineTold, told_timeline
from macmeter.queries.machines import list_machines, one_machine, place_of_machine, place_of_run
from macmeter.queries.question import parse_query, refuse_unknown, terms_of_runs
from macmeter.queries.things import list_things, one_thing
from macmeter.queries.timeline import timeline

router = Router(prefix="/api/v1", tags=["machines"])

Slug = Annotated[str, Path(max_length=200, description="m4-pro, mac-mini-m4-pro, or a Mac's id")]


class MachinesParameters(PageParameters):
    q: str = Field("", max_length=200, description="words in chip, model or macOS version")


class PercentileParameters(FilterParameters):
    run: uuid.UUID | None = Field(None, description="the run to place")
    machine: uuid.UUID | None = Field(None, description="or the machine")


@router.get("/machines", response_model=Machines)
async def get_machines(
    request: Request,
    part: ServerPart,
    reader: Reader,
    asked: Annotated[MachinesParameters, Query()],
) -> Response:
    """Machines, those that measured last first, with their runs under the filters counted."""
    refuse_unknown(request.query_params, ("cursor", "limit", "q", "where"))
    if any(ord(character) < 32 for character in asked.q):
        raise invalid("?q", "q can't contain control characters.", "bad_value")
    terms = terms_of_runs(asked.where)
    return await part.questions.send(
        list_machines, terms, asked.q, reader, asked.page, tell=told_machines
    )


@router.get("/machines/{machine_id}", response_model=MachineDetail)
async def get_machine(machine_id: uuid.UUID, part: ServerPart, reader: Reader) -> Response:
    """What a machine is, its macOS versions, and what it has measured."""
    now = datetime.now(UTC)
    return await part.questions.send(one_machine, machine_id, reader, tell=told_machine, now=now)


@router.get("/machines/{machine_id}/timeline", response_model=TimelineTold)
async def get_timeline(
    machine_id: uuid.UUID, part: ServerPart, reader: Reader, asked: AskedFilters
) -> Response:
    """Its results of 1 to 4 metrics over time, with macOS updates and changes of level.

    A line joins what was measured in the same way on the same thing and nothing else.
    """
    if not asked.metrics:
        raise invalid("?metric", "Name 1 to 4 metrics.", "metric_count")
    return await part.questions.send(timeline, machine_id, asked, reader, tell=told_timeline)


@router.get("/percentile", response_model=Percentile, responses=schemas.refusals(404))
async def get_percentile(
    request: Request,
    part: ServerPart,
    reader: Reader,
    placed: Annotated[PercentileParameters, Query()],
) -> Response:
    """A run's or a machine's place among the machines that the filters describe.

    `place` is null where there are fewer than `minimum` of them besides it.
    """
    others = parse_qsl(request.url.query, keep_blank_values=True)
    asked = [(name, value) for name, value in others if name not in ("machine", "run")]
    refuse_unknown([name for name, _ in asked], ("flagged", "machine", "metric", "run", "where"))
    question = parse_query(urlencode(asked))
    if len(question.metrics) > 1:
        raise invalid("?metric", "Name one metric.", "metric_count")
    if (placed.run is None) == (placed.machine is None):
        raise invalid(
            "?run", "Name either a run or a machine: run=ID or machine=ID.", "run_or_machine"
        )
    find, of = (place_of_run, placed.run) if placed.run else (place_of_machine, placed.machine)
    return await part.questions.send(find, question, of, reader, tell=told_place)


@router.get("/things/{kind}", response_model=Things)
async def get_things(
    kind: Literal["chips", "models"], part: ServerPart, reader: Reader
) -> Response:
    """The chips or models that somebody measured, with their addresses."""
    return await part.questions.send(list_things, kind, reader, tell=told_things)


@router.get("/things/{kind}/{slug}", response_model=ThingTold)
async def get_thing(kind: Kind, slug: Slug, part: ServerPart, reader: Reader) -> Response:
    """A chip, model or Mac: its figures, each on a strip of those of others.

    A model is also found by Apple's identifier: mac16-11.
    """
    return await part.questions.send(one_thing, kind, slug, reader, tell=told_thing)
