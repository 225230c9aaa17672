"""Enrolment: a machine exchanges its fleet's secret for a token of its own. Without a secret it
gets a token too, but belongs to nobody and its runs are public.

Every Mac of a fleet knows the secret and every reader of its runs knows a machine's id, so the two
don't prove which Mac is asking. The machine's current token does. A machine without it has lost it,
or is a copy: a few times an hour it gets a fresh token, which ends the former one. After that it is
held until an admin decides which it is.
"""

import hmac
import secrets
import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, case, exists, insert, literal, or_, select, update
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.audit import note
from macmeter.accounts.binding import MERGED, TAKEN, first_named_by, has_runs
from macmeter.accounts.one_time_links import end_claim_links, is_for_one_mac, use_enrolment_secret
from macmeter.accounts.rotation import with_its_next
from macmeter.accounts.tokens import DEVICE, PREFIX, Visibility, secret_hash, why_kept_out
from macmeter.accounts.visibility import PUBLIC
from macmeter.fleets.refused_enrolments import forget_refused
from macmeter.models import Clone, EnrolmentSecret, Fleet, Machine, Token
from macmeter.platform.errors import FieldError, Problem

SECRET_PREFIX = "mms_"  # noqa: S105 - how secrets begin, so that people and scanners know them
# Lost tokens that a machine may have per window.
MOST_LOST = 3
WINDOW = timedelta(hours=1)
HELD_SECONDS = 600
_ANOTHER = "Ask the fleet's admin for another."


@dataclass(frozen=True)
class Enrolled:
    """A fresh token, shown only once, and the fleet that its runs belong to, if any."""

    token: str
    fleet_name: str | None
    visibility: Visibility


@dataclass(frozen=True)
class Applicant:
    """A machine that wants to enrol."""

    secret: str | None
    """None to enrol outside any fleet."""
    machine_id: uuid.UUID
    current_token: str | None = None
    """The token that it has, which proves that it is this machine."""
    proof: str | None = None
    """Value that only its agent's key produces for this server: proof if the token is lost."""
    name: str | None = None
    """What its fleet calls it. One that an admin gave stays."""


async def enrol(
    connection: AsyncConnection, applicant: Applicant, now: datetime
) -> Enrolled | Problem:
    """Enrol in the caller's transaction. A problem is returned, not raised, to keep its count."""
    if applicant.secret is None or is_for_one_mac(applicant.secret):
        return await _enrol_alone(connection, applicant, now)
    secret = await _good_secret(connection, applicant.secret, now)
    machine = await _locked_machine(connection, applicant.machine_id, secret.fleet_id)
    proven = await _is_proven(connection, applicant.current_token, machine)
    _require_free(machine, secret.fleet_id, proven=proven)
    if machine.token_id is not None and not proven and _is_good(machine, now):
        held = await _count_lost(connection, applicant.machine_id, secret.fleet_id, now)
        if held is not None:
            return held
    await _use_quota(connection, secret, applicant.machine_id)
    token = await _fresh_token(connection, machine, now, secret.fleet_id, secret.secret_id)
    await _keep_proof(connection, applicant)
    if applicant.name and (machine.name is None or machine.fleet_id != secret.fleet_id):
        statement = update(Machine).where(Machine.machine_id == applicant.machine_id)
        await connection.execute(statement.values(name=applicant.name))
    await forget_refused(connection, secret.fleet_id, applicant.machine_id)
    by, again = f"secret {secret.name}", machine.token_id is not None
    details = {"machine_id": str(applicant.machine_id), "again": again}
    await note(connection, by, "machine.enrol", secret.fleet_id, **details)
    return Enrolled(token, secret.fleet_name, secret.visibility)


async def _enrol_alone(
    connection: AsyncConnection, applicant: Applicant, now: datetime
) -> Enrolled:
    """Enrol outside any fleet.

    A known machine is proven by its token, by its agent's key, or by a secret from its owner.
    """
    machine = await _locked_machine(connection, applicant.machine_id)
    proven = await _is_proven(connection, applicant.current_token, machine)
    # Not accepted in a fleet: copies of a Mac have the same key.
    proven = proven or _has_key(applicant.proof, machine)
    if applicant.secret is not None:
        if not await use_enrolment_secret(connection, applicant.secret, machine, now):
            expired = "This secret is not for this Mac, or was used, or has expired."
            raise _refused("secret_unknown", f"{expired} Make another one.")
        proven = True
    _require_free(machine, None, proven=proven)
    token = await _fresh_token(connection, machine, now)
    await _keep_proof(connection, applicant)
    again = machine.token_id is not None
    mac_id = str(applicant.machine_id)
    await note(connection, "a Mac without a fleet", "machine.enrol", machine_id=mac_id, again=again)
    return Enrolled(token, None, PUBLIC)


async def _good_secret(connection: AsyncConnection, secret: str, now: datetime) -> Any:
    """Row of a secret and its fleet. Raise 403 if the secret is unknown, revoked or expired."""
    hashed = secret_hash(secret)
    query = (
        select(EnrolmentSecret, Fleet.name.label("fleet_name"), Fleet.visibility)
        .join(Fleet, Fleet.fleet_id == EnrolmentSecret.fleet_id)
        .where(EnrolmentSecret.secret_sha256 == hashed)
        # Keeps the fleet until the transaction ends.
        .with_for_update(read=True, key_share=True, of=Fleet)
    )
    row = (await connection.execute(query)).one_or_none()
    if row is None or not hmac.compare_digest(row.secret_sha256, hashed):
        unknown = "No fleet has this enrolment secret. Check that you copied all of it."
        raise _refused("secret_unknown", unknown)
    if row.revoked_at is not None:
        raise _refused("secret_revoked", f"This enrolment secret was revoked. {_ANOTHER}")
    if row.expires_at is not None and row.expires_at <= now:
        raise _refused("secret_expired", f"This enrolment secret has expired. {_ANOTHER}")
    return row


async def _locked_machine(
    connection: AsyncConnection, machine_id: uuid.UUID, fleet_id: uuid.UUID | None = None
) -> Any:
    """Row of a machine and its token, if any. Both are locked until the transaction ends.

    `fleet_id` is the fleet it wants to join.
    """
    await connection.execute(
        postgresql.insert(Machine).values(machine_id=machine_id).on_conflict_do_nothing()
    )
    query = (
        select(
            *(Machine.machine_id, Machine.fleet_id, Machine.reserved, Machine.barred_at),
            *(Machine.merged_into, Machine.claimed_by, Machine.proof_sha256),
            *(Machine.retired_at, Machine.retired_by, Machine.name),
            has_runs().label("has_runs"),
            # Whether a run of this fleet was the first to name it as a host; null if none does.
            first_named_by(literal(fleet_id, Machine.fleet_id.type)).label("first_named_by_fleet"),
            *(Token.token_id, Token.secret_sha256.label("token_sha256")),
            *(Token.expires_at, Token.revoked_at),
        )
        .outerjoin(Token, Token.token_id == Machine.bound_token_id)
        .where(Machine.machine_id == machine_id)
        .with_for_update(of=Machine)
    )
    return (await connection.execute(query)).one()


async def _is_proven(
    connection: AsyncConnection, current_token: str | None, machine: Row[Any]
) -> bool:
    """Return whether `current_token` is the machine's token, or the one that is to replace it."""
    if current_token is None or machine.token_id is None:
        return False
    hashed = secret_hash(current_token)
    if hmac.compare_digest(hashed, machine.token_sha256):
        return True
    is_successor = (Token.secret_sha256 == hashed) & (Token.replaces == machine.token_id)
    return bool(await connection.scalar(select(exists().where(is_successor))))


def _has_key(proof: str | None, machine: Row[Any]) -> bool:
    if proof is None or machine.proof_sha256 is None:
        return False
    return hmac.compare_digest(secret_hash(proof), machine.proof_sha256)


async def _keep_proof(connection: AsyncConnection, applicant: Applicant) -> None:
    if applicant.proof is not None:
        statement = update(Machine).where(Machine.machine_id == applicant.machine_id)
        await connection.execute(statement.values(proof_sha256=secret_hash(applicant.proof)))


def _is_good(machine: Row[Any], now: datetime) -> bool:
    """Return whether the machine's token is valid."""
    expired = machine.expires_at is not None and machine.expires_at <= now
    return machine.revoked_at is None and not expired


def _require_free(machine: Row[Any], fleet_id: uuid.UUID | None, *, proven: bool) -> None:
    """Raise 403 if the machine is somebody else's, was merged, or an admin barred or retired it."""
    if machine.fleet_id is None:
        # The owner has to prove that it is theirs. Only a new id is free.
        is_known = machine.token_id is not None or machine.has_runs
        elsewhere = (is_known or machine.first_named_by_fleet is False) and not proven
    else:
        elsewhere = machine.fleet_id != fleet_id
    if machine.reserved or elsewhere:
        raise _refused("machine_bound", TAKEN, "/machine_id")
    if machine.merged_into is not None:
        raise _refused("machine_merged", MERGED, "/machine_id")
    if kept_out := why_kept_out(machine.barred_at, machine.retired_at, machine.retired_by):
        raise _refused(*kept_out, "/machine_id")


async def _count_lost(
    connection: AsyncConnection, machine_id: uuid.UUID, fleet_id: uuid.UUID, now: datetime
) -> Problem | None:
    """Count a lost token. Return 409 after too many, or if each copy is to get an id of its own."""
    fresh = {"recent": 1, "recent_since": now}
    first = {"enrolments": 1, "first_at": now, "last_at": now, **fresh}
    row = postgresql.insert(Clone).values(machine_id=machine_id, fleet_id=fleet_id, **first)
    over = Clone.recent_since < now - WINDOW
    upsert = row.on_conflict_do_update(
        index_elements=["machine_id"],
        set_={
            "enrolments": Clone.enrolments + 1,
            "last_at": now,
            "recent": case((over, 1), else_=Clone.recent + 1),
            "recent_since": case((over, now), else_=Clone.recent_since),
        },
    ).returning(Clone.recent, Clone.new_ids)
    clone = (await connection.execute(upsert)).one()
    if clone.new_ids:
        several = "Several Macs have this id. Run `macmeter forget` here to get an id of its own"
        return _held("new_id_needed", f"{several}, and enrol again.")
    if clone.recent > MOST_LOST:
        cloned = "This id has enrolled too often without its token: several Macs seem to share it."
        settled = "An admin can settle that on the fleet's page Duplicate Macs."
        return _held("machine_cloned", f"{cloned} {settled}")
    return None


async def count_throttled(connection: AsyncConnection, machine_id: uuid.UUID, times: int) -> None:
    """Count enrolments that the throttle refused from memory."""
    counts = {"enrolments": Clone.enrolments + times, "recent": Clone.recent + times}
    await connection.execute(update(Clone).where(Clone.machine_id == machine_id).values(**counts))


async def _use_quota(connection: AsyncConnection, secret: Row[Any], machine_id: uuid.UUID) -> None:
    """Count a machine once per secret, however often it enrols. Raise 403 beyond the quota."""
    was_counted = await connection.scalar(
        select(exists().where(Token.secret_id == secret.secret_id, Token.machine_id == machine_id))
    )
    if was_counted:
        return
    statement = update(EnrolmentSecret).where(
        EnrolmentSecret.secret_id == secret.secret_id,
        EnrolmentSecret.revoked_at.is_(None),
        or_(EnrolmentSecret.quota.is_(None), EnrolmentSecret.used < EnrolmentSecret.quota),
    )
    used = await connection.execute(statement.values(used=EnrolmentSecret.used + 1))
    if not used.rowcount:
        raise _refused("secret_used_up", f"This secret has reached its limit of Macs. {_ANOTHER}")


async def _fresh_token(
    connection: AsyncConnection,
    machine: Row[Any],
    now: datetime,
    fleet_id: uuid.UUID | None = None,
    secret_id: uuid.UUID | None = None,
) -> str:
    """Issue a token bound to the machine and revoke its earlier ones."""
    token, token_id = PREFIX[DEVICE] + secrets.token_urlsafe(32), uuid.uuid4()
    values = {"token_id": token_id, "secret_sha256": secret_hash(token), "scope": DEVICE}
    values |= {"fleet_id": fleet_id, "secret_id": secret_id, "machine_id": machine.machine_id}
    await connection.execute(insert(Token).values({**values, "last_used_at": now}))
    changes = {"bound_token_id": token_id, "fleet_id": fleet_id, "retired_at": None}
    if fleet_id != machine.fleet_id:
        # A machine has one owner, and its name and labels are only theirs to know.
        changes |= {"claimed_by": None, "name": None, "labels": None}
        await end_claim_links(connection, machine.machine_id)
    is_machine = Machine.machine_id == machine.machine_id
    await connection.execute(update(Machine).where(is_machine).values(changes))
    if machine.token_id is not None:
        is_former = with_its_next(machine.token_id) & Token.revoked_at.is_(None)
        await connection.execute(update(Token).where(is_former).values(revoked_at=now))
    return token


def _refused(code: str, detail: str, pointer: str = "/secret") -> Problem:
    return Problem(403, code, "Not enrolled", detail, [FieldError(pointer, code, detail)])


def _held(code: str, detail: str) -> Problem:
    field, headers = FieldError("/machine_id", code, detail), {"Retry-After": str(HELD_SECONDS)}
    return Problem(409, code, "Not enrolled", detail, [field], headers)
