"""Rights to delete and withdraw runs, in one table that SECURITY.md prints: `RIGHTS`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, and_, exists, false, or_, true

from macmeter.accounts.people import Member
from macmeter.accounts.scope import Principal
from macmeter.accounts.tokens import DEVICE, FLEET, TokenPrincipal
from macmeter.models import Machine, Run

Condition = ColumnElement[bool]


@dataclass(frozen=True)
class Right:
    """A right and its reason.

    `runs` returns the condition on runs, or None for other principals.
    """

    who: str
    deletes: str
    why: str
    runs: Callable[[Principal], Condition | None] = lambda _: None


def _runs_of_own_mac(by: Principal) -> Condition | None:
    if not isinstance(by, TokenPrincipal) or by.scope != DEVICE or by.fleet_id is not None:
        return None
    return _runs_of_macs(Machine.bound_token_id == by.token_id)


def _runs_of_uploader(by: Principal) -> Condition | None:
    if not isinstance(by, TokenPrincipal) or by.scope != FLEET or by.fleet_id is None:
        return None
    return Run.fleet_id == by.fleet_id


def _runs_of_owner(by: Principal) -> Condition | None:
    return _runs_of_macs(claimed_by(by)) if isinstance(by, Member) else None


def _runs_of_admin(by: Principal) -> Condition | None:
    return Run.fleet_id.in_(by.administers) if isinstance(by, Member) else None


def _runs_of_server_admin(by: Principal) -> Condition | None:
    return true() if isinstance(by, Member) and by.server_admin else None


def _runs_of_macs(macs: Condition) -> Condition:
    """Condition on runs: outside any fleet, and of these machines."""
    return and_(Run.fleet_id.is_(None), exists().where(Machine.machine_id == Run.machine_id, macs))


def claimed_by(member: Member) -> Condition:
    """Condition on machines that the member has claimed."""
    return false() if member.in_one_fleet else Machine.claimed_by == member.person_id


RIGHTS = (
    Right(
        "A Mac outside any fleet, by its token",
        "its own public runs, and itself with all of them",
        "It measured them, and nobody else answers for them.",
        _runs_of_own_mac,
    ),
    Right(
        "A Mac of a fleet, by its token",
        "nothing: `macmeter forget` retires it",
        "Its runs are the fleet's, and one Mac must not erase what admins rely on.",
    ),
    Right(
        "An uploader's token",
        "runs and Macs of its fleet",
        "Admins make it for programs that import runs and correct what they imported.",
        _runs_of_uploader,
    ),
    Right("A viewer of a fleet, or a token that only reads", "nothing", "They read."),
    Right(
        "An admin of a fleet",
        "its runs, its Macs with their runs, and the fleet",
        "They answer for the fleet.",
        _runs_of_admin,
    ),
    Right(
        "Whoever has claimed a Mac",
        "its public runs, and the Mac with all of them",
        "It is theirs, as long as it is in no fleet.",
        _runs_of_owner,
    ),
    Right(
        "A token that manages one fleet",
        "what its owner may in that fleet",
        "It is good for nothing outside the fleet, the owner's claimed Macs included.",
    ),
    Right(
        "An admin of the server",
        "every run, Mac and fleet",
        "They answer for what the server shows.",
        _runs_of_server_admin,
    ),
    Right(
        "A fleet's retention",
        "runs older than its admins have set, a week after they were withdrawn",
        "Until then an admin can undo it.",
    ),
    Right(
        "Anybody else, whatever a document says", "nothing", "Ids of machines and runs are public."
    ),
)


def may_delete(by: Principal) -> Condition:
    """Condition on `runs` that `by` may delete or withdraw."""
    if isinstance(by, Member) and not by.may_change:
        return false()
    return or_(false(), *(runs for right in RIGHTS if (runs := right.runs(by)) is not None))


def owns_machine(machine: Any, by: Principal) -> bool:
    """Return whether `by` may change a machine, and delete or retire it."""
    if isinstance(by, Member):
        if machine.fleet_id is None:
            return by.server_admin or by.has_claimed(machine.claimed_by)
        return machine.fleet_id in by.administers
    if by.scope == DEVICE:
        return bool(machine.bound_token_id == by.token_id)
    return machine.fleet_id is not None and machine.fleet_id == by.fleet_id
