"""Ownership of imported runs, from the command line or their lines, protecting other fleets."""

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, Row, func, select, update
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from macmeter import models
from macmeter.accounts import tokens
from macmeter.accounts.visibility import PRIVATE, PUBLIC
from macmeter.models import Machine, Token
from macmeter.platform import database
from macmeter.platform.demo import is_demo
from macmeter.platform.errors import Problem, invalid
from macmeter.platform.settings import Settings
from macmeter.runs.transfer.files import InputError
from macmeter.runs.transfer.record import Fleet


@dataclass(frozen=True)
class Destination:
    """Owner of the imported runs. Without a visibility each line must state it, as exports do."""

    visibility: str | None = None
    fleet_id: uuid.UUID | None = None
    simulated: bool = False
    demo: bool = False


def resolve(url: str, settings: Settings, *, fleet: str | None, public: bool) -> Destination:
    """Resolve the options; InputError if there is no such fleet."""
    simulated, demo = settings.accept_simulated, is_demo(url)
    if fleet is None:
        return Destination(PUBLIC if public else None, None, simulated, demo)
    with database.begun(url) as connection:
        if fleet == tokens.LOCAL_FLEET:
            tokens.local_fleet(connection)
        row = fleet_named(connection, fleet)
    return Destination(PUBLIC if public else PRIVATE, row.fleet_id, simulated, demo)


def fleet_named(connection: Connection, name: str) -> Row[uuid.UUID, str, str]:
    """Return the fleet; InputError lists the existing ones."""
    rows = connection.execute(
        select(models.Fleet.fleet_id, models.Fleet.name, models.Fleet.visibility)
    )
    fleets = {row.name: row for row in rows}
    if name not in fleets:
        names = ", ".join(sorted(fleets)) or "none yet"
        raise InputError(f"--fleet {name}: there is no such fleet. Fleets here: {names}.")
    return fleets[name]


async def fleet_ids(engine: AsyncEngine, fleets: Iterable[Fleet]) -> dict[str, uuid.UUID]:
    """Return the fleets' ids by name; create missing ones with their original visibility."""
    by_name = {fleet.name: fleet for fleet in fleets}
    if not by_name:
        return {}
    async with engine.begin() as connection:
        ids = await _known_fleets(connection, by_name)
        missing = [fleet for name, fleet in sorted(by_name.items()) if name not in ids]
        if missing:
            rows = [
                {"fleet_id": uuid.uuid4(), "name": fleet.name, "visibility": fleet.visibility}
                for fleet in missing
            ]
            statement = postgresql.insert(models.Fleet).values(rows).on_conflict_do_nothing()
            await connection.execute(statement)
            ids = await _known_fleets(connection, by_name)
    return ids


async def _known_fleets(connection: AsyncConnection, names: Iterable[str]) -> dict[str, uuid.UUID]:
    query = select(models.Fleet.name, models.Fleet.fleet_id)
    rows = await connection.execute(query.where(models.Fleet.name.in_(list(names))))
    return {row.name: row.fleet_id for row in rows}


async def claim(
    engine: AsyncEngine,
    fleets: dict[uuid.UUID, uuid.UUID | None],
    proofs: Mapping[uuid.UUID, bytes],
) -> dict[uuid.UUID, Problem]:
    """Assign these machines to their fleets; return the problems by machine.

    As with uploads, a machine of one fleet accepts no runs of another, and one that enrolled by
    itself remains its owner's, which here means runs outside fleets only. `proofs` are hashes of
    tokens that machines had elsewhere.
    """
    async with engine.begin() as connection:
        machines = await _machines(connection, fleets)
        missing = sorted(machine for machine in fleets if machine not in machines)
        if missing:
            rows = [{"machine_id": machine, "fleet_id": fleets[machine]} for machine in missing]
            await connection.execute(
                postgresql.insert(Machine).values(rows).on_conflict_do_nothing()
            )
            machines = await _machines(connection, fleets)
        free = [m for m, fleet in sorted(fleets.items()) if fleet and machines[m].free]
        for machine in free:
            is_unassigned = (Machine.machine_id == machine) & Machine.fleet_id.is_(None)
            await connection.execute(
                update(Machine).where(is_unassigned).values(fleet_id=fleets[machine])
            )
        for machine in sorted(proofs.keys() & fleets.keys()):
            if not (machines[machine].enrolled or machines[machine].reserved):
                await _bind_revoked_token(connection, machine, proofs[machine])
    return {
        machine: problem
        for machine, fleet in fleets.items()
        if machine not in free and (problem := machines[machine].conflict(fleet))
    }


async def _bind_revoked_token(
    connection: AsyncConnection, machine_id: uuid.UUID, token_sha256: bytes
) -> None:
    """Bind a machine to a revoked token: the Mac that has it may enrol as this machine again."""
    token = {"token_id": uuid.uuid4(), "secret_sha256": token_sha256, "machine_id": machine_id}
    statement = postgresql.insert(Token).values(scope=tokens.DEVICE, revoked_at=func.now(), **token)
    insert_new = statement.on_conflict_do_nothing().returning(Token.token_id)
    if (token_id := await connection.scalar(insert_new)) is not None:
        is_free = (Machine.machine_id == machine_id) & Machine.bound_token_id.is_(None)
        await connection.execute(update(Machine).where(is_free).values(bound_token_id=token_id))


@dataclass(frozen=True)
class _Machine:
    """A machine with its fleet's id and name."""

    fleet_id: uuid.UUID | None
    fleet_name: str | None
    enrolled: bool
    reserved: bool

    @property
    def free(self) -> bool:
        return self.fleet_id is None and not self.enrolled and not self.reserved

    def conflict(self, fleet_id: uuid.UUID | None) -> Problem | None:
        """Return why it accepts no runs of that fleet; None if it does."""
        if self.reserved:
            return _refused("It belongs to a machine of published figures.")
        if self.fleet_id == fleet_id:
            return None
        if self.fleet_id is None:
            return _refused("It enrolled by itself and belongs to no fleet: import with --public.")
        return _refused(f"It belongs to the fleet {self.fleet_name}: import with that --fleet.")


async def _machines(
    connection: AsyncConnection, machine_ids: Iterable[uuid.UUID]
) -> dict[uuid.UUID, _Machine]:
    query = (
        select(Machine.machine_id, Machine.fleet_id, models.Fleet.name)
        .add_columns(Machine.bound_token_id.is_not(None).label("enrolled"), Machine.reserved)
        .outerjoin(models.Fleet, models.Fleet.fleet_id == Machine.fleet_id)
        .where(Machine.machine_id.in_(list(machine_ids)))
    )
    return {
        row.machine_id: _Machine(row.fleet_id, row.name, row.enrolled, row.reserved)
        for row in await connection.execute(query)
    }


def machine_of_two_fleets() -> Problem:
    return _refused("Other lines have runs of this machine for another fleet.")


def _refused(detail: str) -> Problem:
    return invalid("/machine/id", detail, "machine_bound")
