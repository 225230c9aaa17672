"""Retention: a fleet's old runs are put aside at once, and deleted a week later; or only their
samples, if the policy keeps medians.

Runs that will be deleted are withdrawn until then, so nothing counts them; those whose samples will
be deleted count on. A run names the sweep that took it. Each step is one transaction.
"""

import asyncio
import uuid
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

import msgspec
from sqlalchemy import (
    ColumnElement,
    Select,
    and_,
    any_,
    case,
    delete,
    distinct,
    exists,
    func,
    insert,
    select,
    text,
    tuple_,
    update,
)
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from macmeter.accounts.audit import RunAct, change_runs, note
from macmeter.accounts.people import FleetAccess, Member
from macmeter.comparisons.deleting import delete_runs
from macmeter.comparisons.stored import REVOKED
from macmeter.fleets.schemas import Sweep as SweepTold
from macmeter.models import RETENTION, Comparison, Document, Fleet, Run, RunId, Sweep
from macmeter.platform import database, isolation
from macmeter.platform.database import as_json
from macmeter.platform.errors import ItemError, Problem, not_found
from macmeter.platform.schema import exact

Keep = Literal["nothing", "medians"]

UNDOABLE = timedelta(days=7)
_APART = timedelta(days=1)
_SHOWN = 20
_SETTING = "retention"


@exact
@dataclass(frozen=True)
class RetentionPolicy:
    """Retention policy: what to keep of runs that were measured more than `days` days ago."""

    days: int
    keep: Keep
    keep_linked: bool
    """Whether to keep runs that a link's figures use."""


@exact
@dataclass(frozen=True)
class RetentionEffect:
    """Present effect of a policy."""

    runs: int
    machines: int
    links_kept: int
    """Links whose figures use runs that old: these runs stay."""
    runs_kept: int
    """Runs that stay because of those links."""
    links_lost: int
    """Links whose figures are deleted with the runs."""


async def policy_of(connection: AsyncConnection, fleet_id: uuid.UUID) -> RetentionPolicy | None:
    """A fleet's policy. Raise a Problem if another version wrote one that this one can't read."""
    query = select(Fleet.settings[_SETTING]).where(Fleet.fleet_id == fleet_id)
    value = await connection.scalar(query)
    try:
        return msgspec.convert(value, RetentionPolicy | None)
    except msgspec.ValidationError as error:
        raise Problem(
            409,
            "unknown_policy",
            "Unknown policy",
            "Another version of this server set how long this fleet's runs are kept, and this "
            "one can't read it. Nothing is deleted. End that policy, then set it again.",
        ) from error


async def effect_of(
    connection: AsyncConnection, fleet_id: uuid.UUID, policy: RetentionPolicy, now: datetime
) -> RetentionEffect:
    old = _old(fleet_id, policy, now)
    query = select(func.count(), func.count(distinct(Run.machine_id)))
    runs, machines = (await connection.execute(query.where(old, _is_covered(policy)))).one()
    if policy.keep == "medians":
        return RetentionEffect(runs, machines, 0, 0, 0)
    linked = select(func.count()).select_from(Run).where(old, Run.run_id.in_(_linked()))
    links = select(func.count()).select_from(Comparison).where(_stands(), _tells_of(old))
    linked_runs = await connection.scalar(linked) or 0
    link_count = await connection.scalar(links) or 0
    if policy.keep_linked:
        return RetentionEffect(runs, machines, link_count, linked_runs, 0)
    return RetentionEffect(runs, machines, 0, 0, link_count)


async def set_policy(
    connection: AsyncConnection,
    access: FleetAccess,
    policy: RetentionPolicy | None,
    by: Member,
    now: datetime,
) -> int:
    """Set a policy, or None to end it, and apply it at once.

    Return how many runs were put aside.
    """
    await lock(connection, access.fleet_id)
    settings: Any = Fleet.settings.op("-")(_SETTING)
    if policy is not None:
        settings = Fleet.settings.op("||")(func.jsonb_build_object(_SETTING, _as_jsonb(policy)))
    statement = update(Fleet).where(Fleet.fleet_id == access.fleet_id)
    await connection.execute(statement.values(settings=settings))
    details = asdict(policy) if policy is not None else {}
    await note(connection, by, "retention.set", access.fleet_id, **details)
    return await sweep(connection, access.fleet_id, policy, by, now) if policy is not None else 0


def require_announced(runs: int, announced: int) -> None:
    """Raise 409 if it concerns a different number of runs than somebody has confirmed."""
    if runs != announced:
        detail = f"This would now delete {runs:,} runs. Check the new number and confirm it."
        raise Problem(409, "changed_meanwhile", "Changed meanwhile", detail, extra={"runs": runs})


def _as_jsonb(policy: RetentionPolicy) -> Any:
    pairs = [item for name, value in asdict(policy).items() for item in (name, value)]
    return func.jsonb_build_object(*pairs)


async def sweep(
    connection: AsyncConnection,
    fleet_id: uuid.UUID,
    policy: RetentionPolicy,
    by: Member | None,
    now: datetime,
) -> int:
    """Put runs that are too old aside, for the policy to delete later. Return how many."""
    sweep_id, ends_at = uuid.uuid4(), now + UNDOABLE
    row = {"sweep_id": sweep_id, "fleet_id": fleet_id, "runs": 0, "at": now, "ends_at": ends_at}
    rules = {"keep": policy.keep, "keep_linked": policy.keep_linked}
    await connection.execute(insert(Sweep).values(**row, **rules))
    values: dict[str, object] = {"sweep_id": sweep_id}
    if policy.keep == "nothing":
        values |= {
            "withdrawn_at": func.coalesce(Run.withdrawn_at, now),
            "withdrawn_by": func.coalesce(Run.withdrawn_by, RETENTION),
            "withdrawn_reason": func.coalesce(
                Run.withdrawn_reason, f"Older than {policy.days} days: its fleet keeps none so old."
            ),
        }
    condition = and_(_old(fleet_id, policy, now), _is_covered(policy))
    act = RunAct("retention.sweep", by, {"sweep": str(sweep_id)})
    runs = await change_runs(connection, condition, values, act)
    is_sweep = Sweep.sweep_id == sweep_id
    if not runs:
        await connection.execute(delete(Sweep).where(is_sweep))
        return 0
    await connection.execute(update(Sweep).where(is_sweep).values(runs=runs))
    return runs


async def sweeps_of(connection: AsyncConnection, fleet_id: uuid.UUID) -> list[SweepTold]:
    """The last sweeps of a fleet, newest first."""
    states = ((Sweep.undone_at.is_not(None), "undone"), (Sweep.done_at.is_not(None), "done"))
    query = select(
        *(Sweep.sweep_id.label("id"), Sweep.keep, Sweep.runs, Sweep.at, Sweep.ends_at),
        case(*states, else_="undoable").label("state"),
    )
    query = query.where(Sweep.fleet_id == fleet_id).order_by(Sweep.at.desc()).limit(_SHOWN)
    return [as_json(row) for row in await connection.execute(query)]


async def undo(
    connection: AsyncConnection, access: FleetAccess, sweep_id: uuid.UUID, by: Member, now: datetime
) -> None:
    """Bring the runs of a sweep back, and end the policy, which would put them aside again.

    Raise 409 once they are deleted.
    """
    await lock(connection, access.fleet_id)
    query = select(Sweep).where(Sweep.sweep_id == sweep_id, Sweep.fleet_id == access.fleet_id)
    row = (await connection.execute(query.with_for_update())).one_or_none()
    if row is None:
        raise not_found("deletion of this fleet's runs")
    if row.done_at or row.ends_at <= now:
        detail = "These runs were deleted and can't be restored."
        raise Problem(409, "too_late", "Too late", detail)
    if row.undone_at:
        return
    act = RunAct("retention.undo", by, {"sweep": str(sweep_id)})
    await spare(connection, Run.sweep_id == sweep_id, act)
    statement = update(Sweep).where(Sweep.sweep_id == sweep_id)
    await connection.execute(statement.values(undone_at=now))
    fleet = update(Fleet).where(Fleet.fleet_id == access.fleet_id)
    await connection.execute(fleet.values(settings=Fleet.settings.op("-")(_SETTING)))


async def spare(connection: AsyncConnection, condition: ColumnElement[bool], act: RunAct) -> None:
    """Bring back runs of this condition that were put aside. Others stay withdrawn."""
    is_aside = Run.withdrawn_by == RETENTION
    names = ("withdrawn_at", "withdrawn_reason", "withdrawn_by")
    values = {name: case((is_aside, None), else_=getattr(Run, name)) for name in names}
    in_a_sweep = and_(condition, Run.sweep_id.is_not(None))
    await change_runs(connection, in_a_sweep, {"sweep_id": None, **values}, act)


async def due(connection: AsyncConnection, now: datetime) -> list[uuid.UUID]:
    """Fleets with something to put aside, at most once a day, or to delete."""
    ending = exists().where(Sweep.fleet_id == Fleet.fleet_id, _is_due(now))
    lately = exists().where(Sweep.fleet_id == Fleet.fleet_id, Sweep.at > now - _APART)
    query = select(Fleet.fleet_id).where(ending | (Fleet.settings.has_key(_SETTING) & ~lately))
    return list(await connection.scalars(query.order_by(Fleet.fleet_id)))


async def act(connection: AsyncConnection, fleet_id: uuid.UUID, now: datetime) -> None:
    """Put aside runs by a fleet's policy, and delete what was put aside a week ago."""
    await lock(connection, fleet_id)
    query = select(Sweep).where(Sweep.fleet_id == fleet_id, _is_due(now)).with_for_update()
    for row in (await connection.execute(query)).all():
        await _finish(connection, row, now)
    policy = await policy_of(connection, fleet_id)
    if policy is not None:
        await sweep(connection, fleet_id, policy, None, now)


async def _finish(connection: AsyncConnection, row: Any, now: datetime) -> None:
    in_sweep = Run.sweep_id == row.sweep_id
    details = {"sweep": str(row.sweep_id), "keep": row.keep}
    act = RunAct("retention.delete", None, details)
    if row.keep == "medians":
        keys = select(Run.machine_id, Run.run_id).where(in_sweep)
        documents = update(Document).where(tuple_(Document.machine_id, Document.run_id).in_(keys))
        await connection.execute(documents.values(compressed=None))
        await change_runs(connection, in_sweep, {"sweep_id": None}, act)
    else:
        if row.keep_linked:
            # Links that were saved just before the runs were put aside.
            linked = and_(in_sweep, Run.run_id.in_(_linked()))
            await spare(connection, linked, RunAct("retention.keep", None, details))
        # A run that somebody has reinstated stays, also from now on, because it keeps its sweep.
        await delete_runs(connection, and_(in_sweep, Run.withdrawn_at.is_not(None)), act)
    statement = update(Sweep).where(Sweep.sweep_id == row.sweep_id)
    await connection.execute(statement.values(done_at=now))


def _is_due(now: datetime) -> ColumnElement[bool]:
    return and_(Sweep.done_at.is_(None), Sweep.undone_at.is_(None), Sweep.ends_at <= now)


async def lock(connection: AsyncConnection, fleet_id: uuid.UUID, *, alone: bool = False) -> None:
    """Lock a fleet until the transaction ends, against changes, or `alone` against uploads as well.

    Raise 404 if it was deleted meanwhile.
    """
    query = select(Fleet.fleet_id).where(Fleet.fleet_id == fleet_id)
    if await connection.scalar(query.with_for_update(key_share=not alone)) is None:
        raise Problem(404, "not_found", "Not found", "This fleet was just deleted.")


def _old(fleet_id: uuid.UUID, policy: RetentionPolicy, now: datetime) -> ColumnElement[bool]:
    """Condition on runs that are older and in no sweep yet; for medians, those with samples."""
    measured = func.coalesce(Run.started_at, Run.received_at)
    conditions = [
        Run.fleet_id == fleet_id,
        measured < now - timedelta(days=policy.days),
        Run.sweep_id.is_(None),
    ]
    if policy.keep == "medians":
        with_samples = exists().where(
            Document.machine_id == Run.machine_id,
            Document.run_id == Run.run_id,
            Document.compressed.is_not(None),
        )
        conditions.append(with_samples)
    return and_(*conditions)


def _is_covered(policy: RetentionPolicy) -> ColumnElement[bool]:
    """Condition on old runs that the policy covers: not those that a saved link uses, if it keeps
    them.

    Keeping medians doesn't affect links, which show nothing else.
    """
    if policy.keep == "nothing" and policy.keep_linked:
        return Run.run_id.not_in(_linked())
    return and_(True)


def _stands() -> ColumnElement[bool]:
    """Condition on links that show figures, or may do so again."""
    return and_(Comparison.answer.is_not(None), Comparison.state != REVOKED)


def _linked() -> Select[Any]:
    """Ids of the runs that links show."""
    return select(func.unnest(Comparison.told_of)).where(_stands())


def _tells_of(old: ColumnElement[bool]) -> ColumnElement[bool]:
    same_run = (RunId.machine_id == Run.machine_id) & (RunId.run_id == Run.run_id)
    query = select(Run.run_id).join(RunId, same_run)
    return query.where(RunId.run_id == any_(Comparison.told_of), old).correlate(Comparison).exists()


POLL_SECONDS = 300.0
RETRY_SECONDS = 30.0
# A fleet that takes longer is tried again beside the others, without a time limit.
FIRST_SECONDS = 20.0
# One process at a time per database, across all servers: one for first attempts, one for retries.
_TRY_LOCK = text("SELECT pg_try_advisory_xact_lock(:key)")
_KEYS = {False: 7306163, True: 7306165}


async def follow(url: str) -> None:
    """Run forever, also while PostgreSQL comes and goes."""
    writing = database.engine(url, pool_size=2, options="-c statement_timeout=600s")

    async def first() -> None:
        await once(writing, datetime.now(UTC))

    async def again() -> None:
        await once(writing, datetime.now(UTC), again=True)

    await asyncio.gather(
        isolation.forever("retention goes on", first, POLL_SECONDS, RETRY_SECONDS),
        isolation.forever("retention that failed goes on", again, RETRY_SECONDS, RETRY_SECONDS),
    )


async def once(writing: AsyncEngine, now: datetime, *, again: bool = False) -> None:
    """Handle each fleet in a transaction of its own, so that nothing is left half done.

    With `again`, handle those that failed, as soon as a retry is due.
    """
    async with writing.begin() as connection:
        later = await isolation.held_back(connection, isolation.RETENTION, now)
        failed = {*await isolation.due_again(connection, isolation.RETENTION, now)}
        waiting = await due(connection, now) if failed or not again else []
        fleets = [key for key in waiting if str(key) not in later and (str(key) in failed) == again]
    isolated = isolation.Isolated(isolation.RETENTION)
    for fleet_id in fleets:
        with isolated.item(fleet_id):
            await _act(writing, fleet_id, now, again=again)
    async with writing.begin() as connection:
        went_well = [fleet_id for fleet_id in fleets if str(fleet_id) not in isolated.failed]
        await isolation.settle(connection, isolation.RETENTION, went_well)
        await isolation.record(connection, isolation.RETENTION, isolated.failed, now)


async def _act(writing: AsyncEngine, fleet_id: uuid.UUID, now: datetime, *, again: bool) -> None:
    try:
        async with (
            asyncio.timeout(None if again else FIRST_SECONDS),
            writing.begin() as connection,
        ):
            if await connection.scalar(_TRY_LOCK, {"key": _KEYS[again]}):
                await act(connection, fleet_id, now)
    except TimeoutError:
        raise ItemError("It takes long, and is done beside the other fleets") from None
    except Problem as problem:
        if problem.status != 404:  # a fleet that was deleted meanwhile has no runs
            raise
