"""Bad input from people, agents and other servers, in one table: each gets a clear answer that says
what to do, and nothing is half done.

Bad documents have their own table (test_bad_input.py). Longer than our other files: it is one
table.
"""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from aiosmtpd.controller import Controller
from macmeter.alerts import webhooks
from macmeter.embedded import EmbeddedPostgres
from macmeter.models import Base, Fleet, Machine, Membership, OneTimeLink, Person, Run, Token
from sqlalchemy import select, text, update
from support import people
from support.contract import of_api
from support.databases import fresh_database
from support.documents import disk_run
from support.listener import Listener, listening
from support.live_server import free_port
from support.server import Server, serving

FLEETS, INVITATIONS = "/api/v1/fleets", "/api/v1/invitations"
PASSWORD = "correct horse battery"
# Failures are counted whatever else is refused; challenges are created.
COUNTED = {"quota_uses", "quota_keys", "refusals", "refused_enrolments", "challenges"}
LONG = 60.0

Json = dict[str, Any]


class Mailbox:
    """SMTP server that refuses everybody."""

    async def handle_RCPT(self, *_: Any) -> str:  # noqa: N802 - its own name
        return "550 No such user here"


@dataclass
class Servers:
    """Two servers on one database: the mail server of `plain` is down, that of `other` refuses
    everybody, and webhooks of `other` may point to this machine.
    """

    plain: Server
    other: Server
    hook: Listener


@dataclass
class Stage:
    """A separate fleet with its people, for one row of the table."""

    servers: Servers
    name: str = field(default_factory=lambda: f"fleet {uuid.uuid4().hex[:8]}")
    ids: dict[str, uuid.UUID] = field(default_factory=dict)
    who: dict[str, dict[str, str]] = field(default_factory=dict)
    fleet_id: uuid.UUID = field(default_factory=uuid.uuid4)
    kept: Any = None
    """Value that an act keeps for the check afterwards."""

    @property
    def server(self) -> Server:
        return self.servers.plain

    @property
    def url(self) -> str:
        return self.server.database_url

    async def set(self) -> None:
        self.fleet_id = people.make_fleet(self.url, self.name)
        elsewhere = people.make_fleet(self.url, f"not {self.name}")
        roles = {
            "ada": {self.fleet_id: "admin"},
            "bob": {self.fleet_id: "admin"},
            "vera": {self.fleet_id: "viewer"},
            "sam": {elsewhere: "admin"},
        }
        for name, fleet_roles in roles.items():
            self.ids[name] = people.make_person(self.url, name.title(), roles=fleet_roles)
            self.who[name] = await people.sign_in(self.url, self.ids[name])

    async def ask(
        self, method: str, path: str, who: str = "ada", server: Server | None = None, **more: Any
    ) -> httpx.Response:
        headers = self.who.get(who, people.OWN_PAGE) | more.pop("headers", {})
        client = (server or self.server).client
        response = await client.request(method, path, headers=headers, **more)
        client.cookies.clear()
        return response

    async def fleet(
        self, method: str, path: str = "", who: str = "ada", **more: Any
    ) -> httpx.Response:
        return await self.ask(method, f"{FLEETS}/{self.name}{path}", who, **more)

    async def role(self, name: str, role: str | None, by: str) -> httpx.Response:
        """Change a member's role; None removes the member."""
        path = f"/members/{self.ids[name]}"
        if role is None:
            return await self.fleet("DELETE", path, by)
        return await self.fleet("PUT", path, by, json={"role": role})

    async def invited(self, by: str = "ada", **values: Any) -> str:
        """Secret of an invitation; `values` are columns of its link."""
        answer = await self.ask("POST", INVITATIONS, by, json={"fleet": self.name, "role": "admin"})
        assert answer.status_code == 201, answer.text
        link, secret = answer.json()["link"].split("#")
        assert link == "http://test/invitations"
        if values:
            self.write(
                update(OneTimeLink).where(OneTimeLink.link_id == uuid.UUID(answer.json()["id"])),
                values,
            )
        return str(secret)

    async def claim_link(self, **values: Any) -> tuple[str, str, str]:
        """Secret of a link to claim a Mac, the Mac's id and its token."""
        machine, token = str(uuid.uuid4()), self.server.token()
        assert (await self.server.put(disk_run(machine=machine), token)).status_code == 201
        path, bearer = f"/api/v1/machines/{machine}/claim", {"Authorization": f"Bearer {token}"}
        response = await self.server.client.post(path, headers=bearer)
        if values:
            is_machine = OneTimeLink.machine_id == uuid.UUID(machine)
            self.write(update(OneTimeLink).where(is_machine), values)
        return response.json()["link"].split("#")[1], machine, token

    async def accept(self, secret: str, who: str = "", account: Json | None = None) -> Any:
        body = {"secret": secret, "account": account}
        return await self.ask("POST", f"{INVITATIONS}/accept", who, json=body)

    def account(self) -> Json:
        return {"name": "Eve", "email": f"{uuid.uuid4().hex}@example.org", "password": PASSWORD}

    async def enrol(self, secret: str, machine: str | None = None) -> httpx.Response:
        body = {"secret": secret, "machine_id": machine or str(uuid.uuid4())}
        return await self.server.client.post("/api/v1/enroll", json=body)

    def secret(self, **limits: Any) -> str:
        return people.make_secret(self.url, self.fleet_id, **limits)

    async def hook(self, url: str, server: Server) -> str:
        """Create a webhook and return the address that tests it."""
        path = f"{FLEETS}/{self.name}/webhooks"
        response = await self.ask("POST", path, server=server, json={"url": url})
        assert response.status_code == 201, response.text
        return f"{path}/{response.json()['id']}/test"

    def write(self, statement: Any, values: Json) -> None:
        with people.writing(self.url) as connection:
            connection.execute(statement.values(values))

    def rows(self, *columns: Any, **where: Any) -> list[Any]:
        with people.writing(self.url) as connection:
            return list(connection.execute(select(*columns).filter_by(**where)))

    def roles(self) -> Counter[str]:
        rows = self.rows(Membership.role, fleet_id=self.fleet_id)
        return Counter(role for (role,) in rows)


Steps = AsyncGenerator[Sequence[httpx.Response] | None]
Act = Callable[[Stage], Steps]
"""Set the scene, yield None, act, and yield the responses."""


@dataclass(frozen=True)
class Row:
    """An act, the number of each response to it, and what the refusal says to do."""

    name: str
    act: Act
    answers: dict[str, int]
    says: str
    left: Callable[[Stage], bool] | None = None
    """Condition afterwards; None: nothing has changed at all."""


# Links.


def accepting(**values: Any) -> Act:
    async def act(stage: Stage) -> Steps:
        secret = await stage.invited(**values)
        yield None
        yield [await stage.accept(secret, account=stage.account())]

    return act


def accepting_after(change: Callable[[Stage], Any]) -> Act:
    """Bob invites, loses his role, and opens his own link."""

    async def act(stage: Stage) -> Steps:
        secret = await stage.invited("bob")
        assert (await change(stage)).status_code == 204
        yield None
        opened = await stage.ask("POST", f"{INVITATIONS}/open", json={"secret": secret})
        yield [opened, await stage.accept(secret, "bob")]

    return act


async def revoked_invitation(stage: Stage) -> Steps:
    secret = await stage.invited()
    (link,) = (await stage.ask("GET", INVITATIONS)).json()["items"]
    assert (await stage.ask("DELETE", f"{INVITATIONS}/{link['id']}")).status_code == 204
    yield None
    yield [await stage.accept(secret, account=stage.account())]


async def invitation_of_another_fleet(stage: Stage) -> Steps:
    await stage.invited()
    (link,) = (await stage.ask("GET", INVITATIONS)).json()["items"]
    yield None
    yield [await stage.ask("DELETE", f"{INVITATIONS}/{link['id']}", "sam")]


def opening(secret: str | None) -> Act:
    async def act(stage: Stage) -> Steps:
        complete = await stage.invited()
        yield None
        body = {"secret": complete[:-4] if secret is None else secret}
        yield [await stage.ask("POST", f"{INVITATIONS}/open", json=body)]

    return act


def claiming(**values: Any) -> Act:
    async def act(stage: Stage) -> Steps:
        secret, _, _ = await stage.claim_link(**values)
        yield None
        yield [await stage.accept(secret, "sam")]

    return act


async def claim_of_somebody_elses_mac(stage: Stage) -> Steps:
    secret, machine, _ = await stage.claim_link()
    is_machine = Machine.machine_id == uuid.UUID(machine)
    stage.write(update(Machine).where(is_machine), {"claimed_by": stage.ids["ada"]})
    yield None
    yield [await stage.accept(secret, "sam")]


async def claim_of_a_fleets_mac(stage: Stage) -> Steps:
    secret, machine, token = await stage.claim_link()
    joined = await stage.server.client.post(
        "/api/v1/enroll",
        json={"secret": stage.secret(), "machine_id": machine},
        headers={"Authorization": f"Bearer {token}"},
    )
    assert joined.status_code == 201, joined.text
    yield None
    yield [await stage.accept(secret, "sam")]


async def one_address_for_two_accounts(stage: Stage) -> Steps:
    secrets = [await stage.invited() for _ in range(2)]
    account = stage.account()
    yield None
    yield await asyncio.gather(*(stage.accept(secret, account=account) for secret in secrets))
    stage.kept = account["email"]


async def one_link_for_three_accounts(stage: Stage) -> Steps:
    secret = await stage.invited()
    yield None
    accounts = [stage.account() for _ in range(3)]
    yield await asyncio.gather(*(stage.accept(secret, account=account) for account in accounts))


def one_more_admin(stage: Stage) -> bool:
    return stage.roles() == {"admin": 3, "viewer": 1}


# Enrolment secrets.


def enrolling(**limits: Any) -> Act:
    async def act(stage: Stage) -> Steps:
        secret = stage.secret(**limits)
        yield None
        yield [await stage.enrol(secret)]

    return act


def enrolling_with(secret: str) -> Act:
    async def act(stage: Stage) -> Steps:
        yield None
        yield [await stage.enrol(secret)]

    return act


async def ten_macs_with_a_secret_for_three(stage: Stage) -> Steps:
    secret = stage.secret(quota=3)
    yield None
    yield await asyncio.gather(*(stage.enrol(secret) for _ in range(10)))


def three_enrolled(stage: Stage) -> bool:
    return (
        len(stage.rows(Machine.machine_id, fleet_id=stage.fleet_id)) == 3
        and len(stage.rows(Token.token_id, fleet_id=stage.fleet_id)) == 3
    )


async def mac_of_another_fleet(stage: Stage) -> Steps:
    machine = str(uuid.uuid4())
    assert (await stage.enrol(stage.secret(), machine)).status_code == 201
    other = people.make_secret(stage.url, people.make_fleet(stage.url, f"third {stage.name}"))
    yield None
    yield [await stage.enrol(other, machine)]


# People.


async def admins_who_demote_each_other(stage: Stage) -> Steps:
    yield None
    demotions = (stage.role("bob", "viewer", "ada"), stage.role("ada", "viewer", "bob"))
    yield await asyncio.gather(*demotions)


async def admins_who_remove_each_other(stage: Stage) -> Steps:
    yield None
    yield await asyncio.gather(stage.role("bob", None, "ada"), stage.role("ada", None, "bob"))


async def last_admin_who_leaves(stage: Stage) -> Steps:
    assert (await stage.role("bob", None, "ada")).status_code == 204
    yield None
    yield [await stage.role("ada", None, "ada"), await stage.role("ada", "viewer", "ada")]


async def role_that_is_none(stage: Stage) -> Steps:
    yield None
    yield [await stage.role("vera", "owner", "ada")]


async def one_name_for_two_fleets(stage: Stage) -> Steps:
    name = f"the same {stage.name}"
    yield None
    other = stage.ask("PATCH", f"{FLEETS}/not {stage.name}", "sam", json={"name": name})
    yield await asyncio.gather(stage.fleet("PATCH", json={"name": name}), other)
    stage.kept = name


# Deleting a fleet.


async def uploads_until_refused(stage: Stage, machine: str, token: str) -> httpx.Response:
    while True:
        response = await stage.server.put(disk_run(machine=machine), token)
        if response.status_code != 201:
            return response
        await asyncio.sleep(0)


async def fleet_deleted_while_eight_agents_upload(stage: Stage) -> Steps:
    secret = stage.secret()
    machines = [str(uuid.uuid4()) for _ in range(8)]
    tokens = [(await stage.enrol(secret, machine)).json()["token"] for machine in machines]
    agents = [
        asyncio.create_task(uploads_until_refused(stage, machine, token))
        for machine, token in zip(machines, tokens, strict=True)
    ]
    while len(stage.rows(Run.run_id, fleet_id=stage.fleet_id)) < 16:
        await asyncio.sleep(0.05)
    stage.kept = {uuid.UUID(machine) for machine in machines}
    yield None
    parameters = {"runs": "delete", "name": stage.name}
    deleted = await stage.fleet("DELETE", params=parameters)
    yield [deleted, *await asyncio.gather(*agents)]


def all_of_it_is_gone(stage: Stage) -> bool:
    with people.writing(stage.url) as connection:
        runs = connection.scalars(select(Run.run_id).where(Run.machine_id.in_(stage.kept)))
        token_ids = select(Machine.bound_token_id).where(Machine.machine_id.in_(stage.kept))
        tokens = select(Token.token_id).where(Token.token_id.in_(token_ids))
        good = connection.scalars(tokens.where(Token.revoked_at.is_(None)))
        remaining = (runs.all(), good.all())
    return remaining == ([], []) and stage.rows(Fleet.name, fleet_id=stage.fleet_id) == []


async def fleet_deleted_by_two_at_once(stage: Stage) -> Steps:
    parameters = {"runs": "delete", "name": stage.name}
    yield None
    yield await asyncio.gather(
        *(stage.fleet("DELETE", "", name, params=parameters) for name in ("ada", "bob"))
    )
    stage.kept = set()


async def deletion_with_another_name(stage: Stage) -> Steps:
    yield None
    yield [await stage.fleet("DELETE", params={"runs": "delete", "name": "another"})]


async def retention_of_another_number(stage: Stage) -> Steps:
    yield None
    yield [await stage.fleet("PUT", "/retention", json={"days": 30, "runs": 7})]


# Mail.


def inviting_by_mail(name: str) -> Act:
    async def act(stage: Stage) -> Steps:
        body = {"fleet": stage.name, "role": "viewer", "email": "vera@example.org"}
        yield None
        server = getattr(stage.servers, name)
        response = await stage.ask("POST", INVITATIONS, server=server, json=body)
        stage.kept = response.json()
        yield [response]

    return act


def link_is_there_unmailed(stage: Stage) -> bool:
    reply = stage.kept
    (stored,) = stage.rows(OneTimeLink.link_id, email="vera@example.org", fleet_id=stage.fleet_id)
    return str(stored.link_id) == reply["id"] and "#mml_" in reply["link"] and not reply["mailed"]


# Webhooks.


async def webhook_inward(stage: Stage) -> Steps:
    yield None
    inward = {"url": stage.servers.hook.url}
    yield [await stage.fleet("POST", "/webhooks", json=inward)]
    assert not stage.servers.hook.taken


async def webhook_that_led_elsewhere(stage: Stage) -> Steps:
    """Added while private addresses were allowed, or by a name that has another address now."""
    test = await stage.hook(stage.servers.hook.url, stage.servers.other)
    yield None
    yield [await stage.ask("POST", test)]
    assert not stage.servers.hook.taken


async def webhook_that_redirects_inward(stage: Stage) -> Steps:
    with listening() as outside:
        outside.statuses, outside.location = [307], stage.servers.hook.url
        test = await stage.hook(outside.url, stage.servers.other)
        yield None
        yield [await stage.ask("POST", test, server=stage.servers.other)]
    assert not stage.servers.hook.taken


async def webhook_that_hangs(stage: Stage) -> Steps:
    with listening() as outside, pytest.MonkeyPatch.context() as patched:
        patched.setattr(webhooks, "TIMEOUT_SECONDS", 0.3)
        outside.statuses = [0]
        test = await stage.hook(outside.url, stage.servers.other)
        yield None
        yield [await stage.ask("POST", test, server=stage.servers.other)]


async def forty_tests_of_a_webhook_that_hangs(stage: Stage) -> Steps:
    """Others can sign in meanwhile: waiting for somebody's server blocks nobody."""
    account = stage.account()
    joined = await stage.accept(await stage.invited(), account=account)
    assert joined.status_code == 201, joined.text
    with listening() as outside, pytest.MonkeyPatch.context() as patched:
        patched.setattr(webhooks, "TIMEOUT_SECONDS", LONG)
        outside.statuses = [0] * 40
        other = stage.servers.other
        test = await stage.hook(outside.url, other)
        yield None
        tests = [asyncio.create_task(stage.ask("POST", test, server=other)) for _ in range(40)]
        while not outside.taken:
            await asyncio.sleep(0.02)
        body = {"email": account["email"], "password": account["password"]}
        signed_in = await stage.ask("POST", "/api/v1/session/password", "", json=body)
        assert not any(task.done() for task in tests)
        outside.over.set()
        yield [signed_in, *await asyncio.gather(*tests)]


async def address_that_is_none(stage: Stage) -> Steps:
    yield None
    yield [await stage.fleet("POST", "/webhooks", json={"url": "file:///etc/passwd"})]


# Clocks.


def run_at(moment: timedelta) -> Act:
    async def act(stage: Stage) -> Steps:
        token = people.uploader_of(stage.url, stage.fleet_id)
        # The first use of a token is stored.
        assert (await stage.server.put(disk_run(), token)).status_code == 201
        yield None
        at = (datetime.now(UTC) + moment).isoformat()
        yield [await stage.server.put(disk_run(started_at=at), token)]

    return act


async def secret_that_has_expired_already(stage: Stage) -> Steps:
    yield None
    late = {"name": "Late", "expires_at": (datetime.now(UTC) - timedelta(minutes=1)).isoformat()}
    yield [await stage.fleet("POST", "/secrets", json=late)]


# Other people's data.


async def fleet_of_others(stage: Stage) -> Steps:
    yield None
    requests = [("GET", ""), ("GET", "/secrets"), ("POST", "/secrets"), ("DELETE", "")]
    yield [
        await stage.fleet(
            method,
            path,
            "sam",
            **({"json": {"name": "x"}} if method == "POST" else {}),
            **({"params": {"runs": "delete", "name": stage.name}} if method == "DELETE" else {}),
        )
        for method, path in requests
    ]


async def link_with_anothers_secret(stage: Stage) -> Steps:
    await stage.server.stored(disk_run())
    body = {"question": "metric=disk.write_average"}
    saved = [(await stage.ask("POST", "/api/v1/comparisons", json=body)).json() for _ in range(2)]
    yield None
    slug, secret = saved[0]["slug"], saved[1]["owner_secret"]
    path = f"/api/v1/comparisons/{slug}"
    yield [
        await stage.ask("PUT", f"{path}/owner", "sam", json={"owner_secret": secret}),
        await stage.server.client.delete(path, headers={"Authorization": f"Bearer {secret}"}),
    ]


NOW = datetime.now(UTC)
OVER = {"expires_at": NOW - timedelta(seconds=1)}
NEW_ONE = "Ask for a new one"
ANOTHER = "Ask the fleet's admin for another"

TABLE = [
    Row("an invitation that has expired", accepting(**OVER), {"410 link_expired": 1}, NEW_ONE),
    Row("an invitation that was used", accepting(used_at=NOW), {"410 link_used": 1}, NEW_ONE),
    Row(
        "an invitation of whoever was removed, opened by themselves",
        accepting_after(lambda stage: stage.role("bob", None, "ada")),
        {"410 link_void": 2},
        NEW_ONE,
    ),
    Row(
        "an invitation of whoever is a viewer by now",
        accepting_after(lambda stage: stage.role("bob", "viewer", "ada")),
        {"410 link_void": 2},
        NEW_ONE,
    ),
    Row(
        "an invitation that was revoked",
        revoked_invitation,
        {"404 link_unknown": 1},
        "Copy all of it, or ask for a new one",
    ),
    Row(
        "another fleet's invitation revoked",
        invitation_of_another_fleet,
        {"404 not_found": 1},
        "doesn't exist",
    ),
    Row("a link that was cut short", opening(None), {"404 link_unknown": 1}, "Copy all of it"),
    Row("a link without a secret", opening(""), {"422 invalid_request": 1}, "/secret"),
    Row("a link of a megabyte", opening("mml_" + "x" * 1_000_000), {"413": 1}, ""),
    Row("a claim that has expired", claiming(**OVER), {"410 link_expired": 1}, NEW_ONE),
    Row("a claim that was used", claiming(used_at=NOW), {"410 link_used": 1}, NEW_ONE),
    Row(
        "a claim of somebody else's Mac",
        claim_of_somebody_elses_mac,
        {"409 machine_claimed": 1},
        "They can release it",
    ),
    Row("a claim of a fleet's Mac", claim_of_a_fleets_mac, {"404 link_unknown": 1}, "new one"),
    Row(
        "one email address for two accounts at once",
        one_address_for_two_accounts,
        {"201": 1, "409": 1},
        "",
        lambda stage: one_more_admin(stage) and len(stage.rows(Person, email=stage.kept)) == 1,
    ),
    Row(
        "one invitation for three accounts at once",
        one_link_for_three_accounts,
        {"201": 1, "410 link_used": 2},
        NEW_ONE,
        one_more_admin,
    ),
    Row("a secret that has expired", enrolling(**OVER), {"403 secret_expired": 1}, ANOTHER),
    Row("a secret that was revoked", enrolling(revoked_at=NOW), {"403 secret_revoked": 1}, ANOTHER),
    Row("a secret used up", enrolling(quota=2, used=2), {"403 secret_used_up": 1}, ANOTHER),
    Row(
        "a secret for three Macs, and ten at once",
        ten_macs_with_a_secret_for_three,
        {"201": 3, "403 secret_used_up": 7},
        ANOTHER,
        three_enrolled,
    ),
    Row(
        "a secret that nobody made",
        enrolling_with("mms_unknown"),
        {"403 secret_unknown": 1},
        "Check that you copied all of it",
    ),
    Row("no secret", enrolling_with(""), {"422 invalid_request": 1}, "/secret"),
    Row(
        "a secret of another fleet than the Mac's",
        mac_of_another_fleet,
        {"403 machine_bound": 1},
        "an admin of its fleet can move it",
    ),
    Row(
        "two admins who demote each other at once",
        admins_who_demote_each_other,
        {"204": 1, "403 not_admin": 1},
        "no longer an admin",
        lambda stage: stage.roles() == {"admin": 1, "viewer": 2},
    ),
    Row(
        "two admins who remove each other at once",
        admins_who_remove_each_other,
        {"204": 1, "403 not_admin": 1},
        "no longer an admin",
        lambda stage: stage.roles() == {"admin": 1, "viewer": 1},
    ),
    Row(
        "the last admin leaves",
        last_admin_who_leaves,
        {"409 last_admin": 2},
        "Make somebody else its admin first",
    ),
    Row("a role that is none", role_that_is_none, {"422 invalid_request": 1}, "/role"),
    Row(
        "one name for two fleets at once",
        one_name_for_two_fleets,
        {"204": 1, "409": 1},
        "",
        lambda stage: len(stage.rows(Fleet.fleet_id, name=stage.kept)) == 1,
    ),
    Row(
        "a fleet deleted while 8 agents upload",
        fleet_deleted_while_eight_agents_upload,
        {"200": 1, "401 token_revoked": 8},
        "token",
        all_of_it_is_gone,
    ),
    Row(
        "a fleet deleted by two at once",
        fleet_deleted_by_two_at_once,
        {"200": 1, "404 not_found": 1},
        "",
        all_of_it_is_gone,
    ),
    Row(
        "a deletion with another name",
        deletion_with_another_name,
        {"422 not_confirmed": 1},
        "name",
    ),
    Row(
        "a policy that would delete another number of runs",
        retention_of_another_number,
        {"409 changed_meanwhile": 1},
        "Check the new number and confirm it",
    ),
    Row(
        "a mail server that is down",
        inviting_by_mail("plain"),
        {"201": 1},
        "127.0.0.1 did not take the mail",
        link_is_there_unmailed,
    ),
    Row(
        "a mail server that refuses the address",
        inviting_by_mail("other"),
        {"201": 1},
        "No such user here",
        link_is_there_unmailed,
    ),
    Row(
        "a webhook into this network",
        webhook_inward,
        {"422 private_address": 1},
        "WEBHOOKS_PRIVATE",
    ),
    Row(
        "a webhook that leads into this network since it was added",
        webhook_that_led_elsewhere,
        {"200": 1},
        "in a private network, which is not allowed",
    ),
    Row(
        "a webhook that redirects inward",
        webhook_that_redirects_inward,
        {"200": 1},
        "redirects aren't followed",
    ),
    Row("a webhook that hangs", webhook_that_hangs, {"200": 1}, "No answer"),
    Row(
        "forty tests of a webhook that hangs, while others sign in",
        forty_tests_of_a_webhook_that_hangs,
        {"201": 1, "200": 40},
        "",
        lambda _: True,
    ),
    Row("a webhook at no address", address_that_is_none, {"422 bad_url": 1}, "https://HOST/PATH"),
    Row(
        "a Mac whose clock is a day ahead",
        run_at(timedelta(days=1)),
        {"422 clock_ahead": 1},
        "clock",
    ),
    Row(
        "a Mac whose clock begins in 1970",
        run_at(timedelta(days=-20_000)),
        {"422": 1},
        "/started_at",
    ),
    Row(
        "a secret that is made to have expired",
        secret_that_has_expired_already,
        {"422 invalid_value": 1},
        "Choose a later time",
    ),
    Row("a fleet of others", fleet_of_others, {"404 not_found": 4}, "doesn't exist"),
    Row("a share link with another's secret", link_with_anothers_secret, {"403": 2}, "secret"),
]


@pytest.fixture(scope="module")
async def servers(cluster: EmbeddedPostgres) -> AsyncIterator[Servers]:
    refusing = Controller(Mailbox(), hostname="127.0.0.1", port=free_port())
    refusing.start()
    mail: Json = {"smtp_host": "127.0.0.1", "smtp_security": "none", "quota_sign_ins": 1000}
    try:
        with fresh_database(cluster) as name, listening() as hook:
            url = cluster.url(name)
            async with (
                serving(url, smtp_port=free_port(), **mail) as plain,
                serving(url, smtp_port=refusing.port, webhooks_private=True, **mail) as other,
            ):
                for server in (plain, other):
                    server.client.event_hooks = {"response": [of_api().hook_of_successes]}
                yield Servers(plain, other, hook)
    finally:
        refusing.stop()


def everything(url: str) -> dict[str, str]:
    """Digest of each table's rows."""
    names = [table.name for table in Base.metadata.sorted_tables if table.name not in COUNTED]
    digest = "SELECT md5(coalesce(string_agg(md5(t::text), '' ORDER BY md5(t::text)), ''))"
    with people.writing(url) as connection:
        return {
            name: connection.execute(text(f"{digest} FROM {name} t")).scalar_one() for name in names
        }


def told(response: httpx.Response) -> str:
    """Status, and the code of a refusal."""
    code = response.json().get("code") if response.status_code >= 400 else None
    return f"{response.status_code} {code}" if code else str(response.status_code)


def counted(responses: Sequence[httpx.Response], expected: dict[str, int]) -> Counter[str]:
    """Count responses, by status alone if the table has only that."""
    words = map(told, responses)
    return Counter(word if word in expected else word.split()[0] for word in words)


@pytest.mark.every(3)
@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
async def test_bad_input_gets_a_clear_answer_and_nothing_is_half_done(
    servers: Servers, row: Row
) -> None:
    stage = Stage(servers)
    await stage.set()
    servers.hook.taken.clear()
    async with contextlib.aclosing(row.act(stage)) as steps:
        assert await anext(steps) is None
        before = everything(stage.url) if row.left is None else {}
        answers = await anext(steps)
        with contextlib.suppress(StopAsyncIteration):
            await anext(steps)
    assert answers is not None
    assert counted(answers, row.answers) == row.answers
    for response in answers:
        if response.status_code >= 400:
            assert response.headers["content-type"] == "application/problem+json"
            assert response.json()["detail"].endswith((".", "?")), response.text
    texts = [response.text for response in answers if response.status_code >= 400] or [
        response.text for response in answers
    ]
    assert all(row.says in text for text in texts), texts
    if row.left is None:
        after = everything(stage.url)
        assert [name for name in before if before[name] != after[name]] == []
    else:
        assert row.left(stage)


def test_a_change_is_noticed(database_url: str) -> None:
    before = everything(database_url)
    people.make_fleet(database_url, "a new one")
    after = everything(database_url)
    assert [name for name in before if before[name] != after[name]] == ["fleets"]
