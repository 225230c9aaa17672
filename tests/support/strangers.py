"""Requesters without rights to a fleet, and a digest to show that they changed nothing."""

from __future__ import annotations

import uuid
from decimal import Decimal

from macmeter.models import Person
from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
    Text,
    cast,
    column,
    func,
    literal,
    literal_column,
    select,
    table,
    union_all,
    update,
)

from support import people
from support.server import Server

# Tables of everything that has an owner.
OWNED = (
    *("runs", "documents", "machines", "clones", "sweeps", "comparisons", "comparison_machines"),
    *("fleets", "memberships", "enrolment_secrets", "tokens", "one_time_links", "people"),
    *(
        "passkeys",
        "alerts",
        "alert_comments",
        "alert_webhooks",
        "alert_addresses",
        "alert_mails",
        "acts",
    ),
)


def _digest(name: str) -> Select[str, int, Decimal]:
    # Writing a row changes its version; tokens are written on use, so their content is compared.
    version: ColumnElement[str] = literal_column("concat(ctid, xmin)", Text)
    if name in ("tokens", "passkeys"):
        version = cast(func.to_jsonb(column(name)) - "last_used_at", Text)
    # A sum does not depend on order.
    hashes = func.sum(func.hashtextextended(version, 0))
    return select(literal(name), func.count(), hashes).select_from(table(name))


_STATE = union_all(*map(_digest, OWNED))


def state(url: str) -> list[Row[str, int, Decimal]]:
    """Count and digest of every table, ignoring when tokens were used.

    Fetching the rows themselves would cost more than all requests in between.
    """
    with people.writing(url) as connection:
        return [*connection.execute(_STATE)]


async def strangers(
    server: Server, local: uuid.UUID, elsewhere: uuid.UUID
) -> dict[str, dict[str, str]]:
    """Headers of more kinds of requesters without rights to the fleet `local`, by description."""
    url = server.database_url
    other_admin = people.make_person(url, "Other", roles={elsewhere: "admin"})
    root = people.make_person(url, "Root of one", server_admin=True)
    admin_of_both = people.make_person(url, "Both", roles={local: "admin", elsewhere: "admin"})
    uninvited, former_member = (people.make_person(url, name) for name in ("Uninvited", "Left"))
    with people.writing(url) as connection:
        is_uninvited = Person.person_id == uninvited
        connection.execute(update(Person).where(is_uninvited).values(uninvited=True))
    enrolled = await server.client.post(
        "/api/v1/enroll",
        json={"machine_id": str(uuid.uuid4()), "secret": people.make_secret(url, elsewhere)},
    )
    expired = people.token_of(url, admin_of_both, "manage", elsewhere)
    return {
        "other fleet's admin": await people.sign_in(url, other_admin),
        "other fleet's admin by token": people.token_of(url, other_admin, "manage"),
        "other fleet's admin, reading": people.token_of(url, other_admin, "read"),
        "token of an admin of both, for the other": expired,
        "token of the server's admin, for the other": people.token_of(
            url, root, "manage", elsewhere
        ),
        "uninvited": await people.sign_in(url, uninvited),
        "uninvited by token": people.token_of(url, uninvited, "manage"),
        "somebody in no fleet": await people.sign_in(url, former_member),
        "other fleet's Mac": bearer(enrolled.json()["token"]),
        "a fresh device": bearer(server.token()),
    }


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}
