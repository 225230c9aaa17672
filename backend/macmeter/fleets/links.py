"""Links that hold a fleet's runs. Its admins can remove the ids of those runs from them."""

import hashlib
import uuid
from typing import Any

from sqlalchemy import ColumnElement, Select, func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.audit import note
from macmeter.accounts.people import FleetAccess, Member
from macmeter.comparisons.narrowed import named_in
from macmeter.comparisons.service import shown_now
from macmeter.comparisons.stored import REVOKED, is_private
from macmeter.fleets.schemas import FleetLink
from macmeter.models import Comparison, ComparisonMachines
from macmeter.platform.errors import not_found
from macmeter.results.runs import named_runs

_MOST = 200


async def links_of(
    connection: AsyncConnection, access: FleetAccess, address: str
) -> list[FleetLink]:
    """Links with a fleet's runs, newest first. A private link hides its address and its title."""
    rows = (await connection.execute(_holding(access.fleet_id).limit(_MOST))).all()
    figures = await _figures(connection, access.fleet_id)
    links: list[FleetLink] = []
    for row in rows:
        runs = await _count_named_runs(connection, row, access.fleet_id)
        # The runs behind an older link are known only by the ids that it names.
        if row.slug not in figures and not runs and access.fleet_id not in row.fleet_ids:
            continue
        view = await shown_now(connection, row)
        secret = is_private(row.slug)
        links.append(
            {
                "id": _id_of(row.slug),
                "title": None if secret else row.title,
                "url": None if secret else f"{address}/c/{row.slug}",
                "on_purpose": access.fleet_id in row.fleet_ids,
                "created_at": row.created_at.isoformat(),
                "figures": figures.get(row.slug, 0),
                "run_ids": 0 if access.fleet_id in row.without_ids_of else runs,
                "shows": "nothing" if view is None else "some" if view.withheld else "everything",
            }
        )
    return links


async def take_ids_out(
    connection: AsyncConnection, access: FleetAccess, link_id: str, by: Member
) -> None:
    """Remove the ids of the fleet's runs and single Macs from a link. Its figures stay."""
    hashed = func.encode(func.sha256(func.convert_to(Comparison.slug, "UTF8")), "hex")
    query = _holding(access.fleet_id).where(hashed == link_id).with_for_update(of=Comparison)
    row = (await connection.execute(query)).one_or_none()
    if row is None:
        raise not_found("link with runs of this fleet")
    if access.fleet_id in row.without_ids_of:
        return
    without_ids = func.array_append(Comparison.without_ids_of, access.fleet_id)
    statement = update(Comparison).where(Comparison.slug == row.slug)
    await connection.execute(statement.values(without_ids_of=without_ids))
    await note(connection, by, "link.take_ids_out", access.fleet_id, link=link_id)


def _holding(fleet_id: uuid.UUID) -> Select[Any]:
    slugs = select(ComparisonMachines.slug).where(ComparisonMachines.fleet_id == fleet_id)
    conditions: list[ColumnElement[bool]] = [
        Comparison.slug.in_(slugs),
        Comparison.fleet_ids.contains([fleet_id]),
        Comparison.knows_fleets.is_(False),
    ]
    is_live = (Comparison.answer.is_not(None), Comparison.state != REVOKED)
    query = select(Comparison).where(or_(*conditions), *is_live)
    return query.order_by(Comparison.created_at.desc(), Comparison.slug)


async def _figures(connection: AsyncConnection, fleet_id: uuid.UUID) -> dict[str, int]:
    """Number of figures in each link that the fleet's machines are behind."""
    figures = func.count(ComparisonMachines.figure.distinct())
    query = select(ComparisonMachines.slug, figures.label("figures"))
    query = query.where(ComparisonMachines.fleet_id == fleet_id, ComparisonMachines.figure >= 0)
    rows = await connection.execute(query.group_by(ComparisonMachines.slug))
    return {row.slug: row.figures for row in rows}


async def _count_named_runs(connection: AsyncConnection, row: Any, fleet_id: uuid.UUID) -> int:
    """Number of the fleet's runs that a link names."""
    run_ids = named_in(row.answer)
    runs = await named_runs(connection, run_ids) if run_ids else []
    return sum(run.fleet_id == fleet_id for run in runs)


def _id_of(slug: str) -> str:
    """Hash of a slug, by which a private link can't be guessed."""
    return hashlib.sha256(slug.encode()).hexdigest()
