"""Mail every kind of alert of a fleet to its people, on the server in DATA_DIR.

Takes the server's address and the fleet's name. Prints the links in these mails, by what each is
about, and whom to sign in as, as JSON.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import uuid
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from macmeter.accounts import passwords
from macmeter.accounts.people import find_member
from macmeter.alerts.alert import News
from macmeter.alerts.deliveries import give, queue
from macmeter.alerts.groups import members_of
from macmeter.alerts.sending import Sender
from macmeter.embedded import find_running
from macmeter.models import (
    Alert,
    AlertAddress,
    AlertMail,
    Fleet,
    FleetMachine,
    Membership,
    Person,
    Run,
)
from macmeter.platform import database
from macmeter.platform.settings import Settings
from sqlalchemy import Connection, insert, select, update
from support.databases import transaction
from support.live_server import free_port

PASSWORD = "a password of a test"
KINDS: dict[str, dict[str, Any]] = {
    "silent": {},
    "recovered": {},
    "quota": {"name": "Office", "used": 9, "quota": 10},
    "doubts": {"doubts": 2},
}


class Inbox:
    """Takes all mails."""

    def __init__(self) -> None:
        self.texts: dict[str, list[str]] = {}

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        mail = message_from_bytes(envelope.content, policy=policy.default)
        self.texts.setdefault(envelope.rcpt_tos[0], []).append(mail.get_content())
        return "250 OK"


def make_alerts(connection: Connection, fleet_id: uuid.UUID) -> dict[str, uuid.UUID]:
    """One alert of each kind, of which one is over; a regression is the fleet's own."""
    now, unique = datetime.now(UTC), uuid.uuid4().hex[:6]
    racked = select(FleetMachine.machine_id).join(Run, Run.run_id == FleetMachine.run_id)
    racked = racked.where(FleetMachine.fleet_id == fleet_id, Run.labels["rack"].astext == "B")
    of_rack = connection.scalars(racked.order_by(FleetMachine.machine_id)).first()
    own = select(Alert.alert_id).where(Alert.fleet_id == fleet_id, Alert.kind == "regression")
    alerts = {"regression": connection.scalars(own).one()}
    for kind, detail in KINDS.items():
        alerts[kind] = uuid.uuid4()
        known = kind if kind in ("silent", "quota", "doubts") else "silent"
        values = {"alert_id": alerts[kind], "fleet_id": fleet_id, "kind": known}
        values |= {"cause": f"{kind} {unique}", "opened_at": now, "seen_at": now}
        values["closed_at"] = now if kind == "recovered" else None
        macs = {"machine_ids": [str(of_rack)], "machines": 1} if known == "silent" else {}
        connection.execute(insert(Alert).values(detail=detail | macs, **values))
    return alerts


def subscribe(
    connection: Connection, fleet_id: uuid.UUID, to: dict[str, str]
) -> dict[str, uuid.UUID]:
    """Give members an address, a password and alerts by mail. Return them by role."""
    people = {}
    for role in ("admin", "viewer"):
        own = select(Membership.person_id).where(
            Membership.fleet_id == fleet_id, Membership.role == role
        )
        people[role] = connection.scalars(own).one()
        known = {"email": to[role], "password_hash": passwords.hasher.hash(PASSWORD)}
        changed = update(Person).where(Person.person_id == people[role])
        connection.execute(changed.values(**known))
        mail = {"fleet_id": fleet_id, "person_id": people[role], "how": "at_once"}
        connection.execute(insert(AlertMail).values(**mail))
    team = {"address_id": uuid.uuid4(), "fleet_id": fleet_id, "email": to["team"]}
    team |= {"secret_sha256": uuid.uuid4().bytes, "group_where": "label:rack:B"}
    confirmed = {"confirmed_at": datetime.now(UTC)}
    connection.execute(insert(AlertAddress).values(**team, **confirmed))
    return people


async def main(address: str, name: str) -> None:
    running = find_running(Path(os.environ["DATA_DIR"]))
    assert running is not None, "no server runs there"
    url, unique = running.url(), uuid.uuid4().hex[:6]
    to = {role: f"{role}.{unique}@example.org" for role in ("admin", "viewer", "team")}
    with transaction(url) as connection:
        (fleet_id,) = connection.scalars(select(Fleet.fleet_id).where(Fleet.name == name))
        alerts = make_alerts(connection, fleet_id)
        people = subscribe(connection, fleet_id, to)
    engine, inbox, port = database.engine(url, pool_size=3), Inbox(), free_port()
    # The server sends no mail, and would give up what is due now.
    later = datetime.now(UTC) + timedelta(hours=1)
    macs = frozenset([str(uuid.uuid4())])
    async with engine.begin() as connection:
        of_rack = (await members_of(connection, fleet_id, ["label:rack:B"]))["label:rack:B"]
        news = [
            News(of, kind, kind == "recovered", macs=of_rack if kind == "silent" else macs)
            for kind, of in alerts.items()
        ]
        await queue(connection, fleet_id, news, later)
        by = await find_member(connection, people["admin"])
        assert by is not None
        await give(connection, alerts["silent"], people["viewer"], by, later)
    settings = Settings(
        database_url=url,
        public_url=address,
        smtp_host="127.0.0.1",
        smtp_port=port,
        smtp_security="none",
        smtp_from="macmeter@example.org",
    )
    controller = Controller(inbox, hostname="127.0.0.1", port=port)
    controller.start()
    sender = Sender(engine, settings)
    await sender.begin(later)
    await sender.end()
    controller.stop()
    await engine.dispose()
    links = {
        role: sorted(set(re.findall(r"https?://\S+", "\n".join(inbox.texts.get(mail, [])))))
        for role, mail in to.items()
    }
    print(json.dumps({"links": links, "to": to, "password": PASSWORD, "alerts": len(alerts)}))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
