"""What a fleet keeps and for how long: shown before it acts, and undone within a week."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime
from typing import Annotated, Literal

from fastapi import Query
from pydantic import Field

from macmeter.answers.exact import Exact
from macmeter.api import schemas
from macmeter.api.dependencies import Person, ServerPart
from macmeter.api.routing import Router
from macmeter.fleets import retention, shapes

router = Router(prefix="/api/v1/fleets/{fleet}/retention", tags=["fleets"])


class AskedPolicy(schemas.Input):
    """What stays of runs that were measured longer ago."""

    days: int = Field(365, ge=1, le=36_500, description="how old a run may get")
    keep: Literal["nothing", "medians"] = Field(
        "nothing", description="medians: answers stay as they are, samples and traces go"
    )
    keep_linked: bool = Field(True, description="keep runs that a link's figures use")

    def policy(self) -> retention.RetentionPolicy:
        return retention.RetentionPolicy(self.days, self.keep, self.keep_linked)


class ConfirmedPolicy(AskedPolicy):
    days: int = Field(ge=1, le=36_500, description="how old a run may get")
    runs: int = Field(ge=0, description="how many go at once, as the preview said")


class Retention(Exact):
    policy: retention.RetentionPolicy | None
    sweeps: list[shapes.Sweep]


@router.get("")
async def get_retention(fleet: str, part: ServerPart, person: Person) -> Retention:
    """A fleet's policy, if it has one, and what was put aside by it lately."""
    place = person.administered(fleet)
    async with part.writing.connect() as connection:
        policy = await retention.policy_of(connection, place.fleet_id)
        sweeps = await retention.sweeps_of(connection, place.fleet_id)
    return {"policy": policy, "sweeps": sweeps}


@router.get("/preview")
async def get_retention_preview(
    fleet: str, asked: Annotated[AskedPolicy, Query()], part: ServerPart, person: Person
) -> retention.RetentionEffect:
    """What a policy would do now. Nothing is changed."""
    place = person.administered(fleet)
    async with part.writing.connect() as connection:
        return await retention.effect_of(
            connection, place.fleet_id, asked.policy(), datetime.now(UTC)
        )


@router.put("", status_code=204, responses=schemas.refusals(409))
async def put_retention(
    fleet: str, body: ConfirmedPolicy, part: ServerPart, person: Person
) -> None:
    """Set a policy and act on it, now and then once a day.

    No answer counts the runs from now on; they are deleted after 7 days. `runs` confirms what the
    preview said: 409 where it is another number by now.
    """
    place = person.changed(fleet)
    async with part.writing.begin() as connection:
        taken = await retention.set_policy(
            connection, place, body.policy(), person, datetime.now(UTC)
        )
        retention.require_as_told(taken, body.runs)


@router.delete("", status_code=204)
async def delete_retention(fleet: str, part: ServerPart, person: Person) -> None:
    """Keep all runs from now on. What was put aside is still deleted, unless that is undone."""
    place = person.changed(fleet)
    async with part.writing.begin() as connection:
        await retention.set_policy(connection, place, None, person, datetime.now(UTC))


@router.delete("/sweeps/{sweep_id}", status_code=204, responses=schemas.refusals(409))
async def delete_sweep(fleet: str, sweep_id: uuid.UUID, part: ServerPart, person: Person) -> None:
    """Undo: runs that were put aside count again, and the policy ends."""
    place = person.changed(fleet)
    async with part.writing.begin() as connection:
        await retention.undo(connection, place, sweep_id, person, datetime.now(UTC))
