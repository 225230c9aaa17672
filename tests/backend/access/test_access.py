"""Who may do what: every endpoint by every role, in one table."""

from __future__ import annotations

import json
import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from fastapi.routing import iter_route_contexts
from macmeter import database
from macmeter.access.tokens import FLEET, LOCAL_FLEET, secret_hash
from macmeter.database import normalise
from macmeter.embedded import EmbeddedPostgres
from macmeter.ingest.published import load_into
from macmeter.main import create_app
from macmeter.models import EnrolmentSecret, Fleet, Machine, Membership, Token
from macmeter.settings import Settings
from sqlalchemy import create_engine, insert, select, update
from support import people
from support.databases import fresh_database
from support.documents import disk_run, encoded
from support.server import Server, serving

NOBODY = "anybody"
# The columns of the table.
ROLES = (
    NOBODY,
    "device",
    "other device",
    "fleet",
    "other fleet",
    "owner secret",
    "unknown secret",
    "expired token",
    "revoked token",
    "not a bearer",
    # People by session: of the fleet, of the other fleet, and the server's admin; tokens of the
    # fleet's admin; and a session that has ended.
    "viewer",
    "other viewer",
    "admin",
    "server admin",
    "reading token",
    "managing token",
    "ended session",
)
QUESTION = "metric=disk.write_average"
ASKED = (
    "/api/v1/answer",
    "/api/v1/answer.csv",
    "/api/v1/doubted",
    "/api/v1/chart.png",
    "/api/v1/chart.svg",
    "/api/v1/facets",
    "/api/v1/starting-point",
    "/api/v1/machines/{machine_id}/timeline",
)
# How two of the roles lost what they had.
ENDED = {"expired token": "expires_at", "revoked token": "revoked_at"}


@dataclass(frozen=True)
class Row:
    """One request, and the status each role gets, in the order of ROLES."""

    method: str
    path: str
    statuses: tuple[int, ...]
    on: dict[str, str] = field(default_factory=dict)
    """What the path's parameters stand for: names of things in the World."""
    body: Any = None
    """JSON to send; of a PUT of a run, whose machine the document is of."""
    alone: bool = False
    """Whoever does it is somebody new: it may end their account."""

    def __str__(self) -> str:
        return " ".join([self.method, self.path, *self.on.values(), str(self.body or "")])


def everybody(status: int) -> tuple[int, ...]:
    return (status,) * len(ROLES)


# An address that reads runs does not fall back to the public for a token that is none.
READS = (200, 200, 200, 200, 200, 401, 401, 401, 401, 401, *(200,) * 7)
READS_PRIVATE = (404, 404, 404, 200, 404, *(401,) * 5, 200, 404, 200, 200, 200, 200, 404)
# Nobody has made one by name; a person's token is not an owner secret.
OWNS_NONE = (403, 403, 403, 403, 403, 403, 401)
SIGNED_IN = (*(401,) * 10, 200, 200, 200, 200, 401, 401, 401)
SIGNED_IN_OWNS_NONE = (*(401,) * 10, 403, 403, 403, 403, 401, 401, 401)
# Comparisons know owner secrets only; whatever else is sent reads as the public.
READS_COMPARISON = (*(200,) * 9, 401, *(200,) * 7)
OWNS_COMPARISON = (401, *(403,) * 4, 200, *(403,) * 3, 401, *OWNS_NONE)
READS_PAUSED = (*(410,) * 5, 200, *(410,) * 3, 401, *(410,) * 7)

# What people do with what is the public's, and with what is their fleet's.
NOBODY_SIGNED_IN = (401, 403, 403, 403, 403, 401, 401, 401, 401, 401)
UPLOADS_NOT = (401, 401, 401, 401, 403, 403, 401)
PUBLICS = (403, 403, 403, 204, 403, 403, 401)
PUBLICS_READ = (403, 403, 403, 200, 403, 403, 401)
MANAGES = (403, 404, 204, 204, 403, 204, 401)
MANAGES_READ = (403, 404, 200, 200, 403, 200, 401)
SEES_A_FLEET = (*NOBODY_SIGNED_IN, 200, 404, 200, 200, 200, 200, 401)
SEES_SECRETS = (*NOBODY_SIGNED_IN, 403, 404, 200, 200, 200, 200, 401)

RUN, RUNS = "/api/v1/runs/{run_id}", "/api/v1/runs"
DOCUMENT = "/api/v1/runs/{run_id}/document"
COMPARISON = "/api/v1/comparisons/{slug}"
PUBLIC, PRIVATE = {"run_id": "public"}, {"run_id": "private"}
OPEN, PAUSED = {"slug": "open"}, {"slug": "paused"}
SHOWN = (
    f"{COMPARISON}/chart.svg",
    f"{COMPARISON}/chart.png",
    f"{COMPARISON}/citation",
    "/embed/c/{slug}",
    "/embed/c/{slug}/",
)
OEMBED = "/api/v1/oembed"
EVENTS = "/api/v1/events"
REASON = {"reason": "Somebody has a reason to doubt this."}
JUDGEMENT = {"decision": "stands", "answer": "Measured as its owner says."}
ENROL = {"secret": "mms_unknown", "machine_id": str(uuid.UUID(int=1))}
MACHINE = "/api/v1/machines/{machine_id}"
A_FLEET = "/api/v1/fleets/{fleet}"
LOCAL, DOOMED = {"fleet": "local"}, {"fleet": "doomed"}
MEMBER = LOCAL | {"person_id": "member"}
A_SECRET, A_DEVICE = LOCAL | {"secret_id": "secret"}, LOCAL | {"token_id": "token"}
A_CLONE, A_MACHINE = LOCAL | {"machine_id": "enrolled"}, {"machine_id": "enrolled"}
AUDIT = ("/api/v1/audit", "/api/v1/audit.csv", "/api/v1/audit.ndjson")
COMPARED = ("/api/v1/compare", "/api/v1/compare.csv")
PERCENTILE = "/api/v1/percentile"

FLEET_PAGE = "/api/v1/fleets/{fleet}"
ALERT = "/api/v1/alerts/{alert_id}"
OF_FLEET, ITS_ALERT = {"fleet": "local fleet"}, {"alert_id": "alert"}
SEES_FLEET = (404, 404, 404, 200, 404, *(401,) * 5, 200, 404, *(200,) * 4, 404)
CHANGES_ALERT = (401, *(403,) * 4, *(401,) * 5, 403, 404, 204, 204, 403, 204, 401)
V1 = "/api/v1"
INVITED = {"fleet": LOCAL_FLEET, "role": "viewer"}
INVITATION = f"{V1}/invitations/{{link_id}}"
# No program's, whose token is good for something else.
PERSONS = NOBODY_SIGNED_IN
# Not from another site's page, which is what programs look like here.
OWN_PAGES = (*(403,) * 10, 404, 404, 404, 404, 403, 403, 404)


def own(status: int, method: str, path: str, body: Any = None, **on: str) -> Row:
    """What a person does in a browser in which they are signed in, and nobody else."""
    statuses = (*(401,) * 10, *(status,) * 4, *(401,) * 3)
    return Row(method, V1 + path, statuses, on, body, alone=status < 300)


NAMED, PASSKEY = {"name": "Vera"}, "/account/passkeys/{passkey_id}"
LINK = {"secret": "mml_unknown"}
SIGN_IN = {"email": "a@b.c", "password": "x"}
ACCOUNTS = [
    Row("GET", f"{V1}/session", (*(200,) * 9, 401, *(200,) * 7)),
    own(204, "DELETE", "/session"),
    own(200, "GET", "/sessions"),
    own(200, "DELETE", "/sessions"),
    own(404, "DELETE", "/sessions/{session_id}", session_id="unknown"),
    own(200, "PATCH", "/account", NAMED),
    own(204, "DELETE", "/account"),
    # They have no address to sign in by, and no other way.
    own(409, "PUT", "/account/password", {"password": "long enough, this"}),
    own(409, "DELETE", "/account/password"),
    own(200, "GET", "/account/passkeys"),
    # This server's name has no passkeys.
    own(403, "POST", "/account/passkeys/options"),
    own(403, "POST", "/account/passkeys", {**NAMED, "credential": {}}),
    own(404, "PATCH", PASSKEY, NAMED, passkey_id="unknown"),
    own(404, "DELETE", PASSKEY, passkey_id="unknown"),
    own(200, "GET", "/tokens"),
    own(201, "POST", "/tokens", {**NAMED, "permission": "read"}),
    own(404, "DELETE", "/tokens/{token_id}", token_id="unknown"),
    # Signing in: refused here, and to whoever comes from elsewhere.
    Row("POST", f"{V1}/session/password", everybody(403), body=SIGN_IN),
    Row("POST", f"{V1}/session/passkey/options", everybody(403)),
    Row("POST", f"{V1}/session/passkey", everybody(403), body={"credential": {}}),
    # No organisation's own sign-in is set.
    Row("POST", f"{V1}/session/oidc", everybody(404), body={}),
    Row("GET", f"{V1}/session/oidc/return", everybody(303)),
    # Invitations: of a fleet by its admins, to administer the server by the server's.
    Row("GET", f"{V1}/invitations", (*PERSONS, *(200,) * 6, 401)),
    Row(
        "POST",
        f"{V1}/invitations",
        (*PERSONS, 403, 404, 201, 201, 403, 201, 401),
        body=INVITED,
    ),
    Row(
        "POST",
        f"{V1}/invitations",
        (*PERSONS, 403, 403, 403, 201, 403, 403, 401),
        body={"role": "admin"},
    ),
    Row(
        "DELETE",
        INVITATION,
        (401, 404, 404, 404, 404, *(401,) * 5, 404, 404, 204, 204, 403, 204, 401),
        {"link_id": "invitation"},
    ),
    Row("POST", f"{V1}/invitations/open", OWN_PAGES, body=LINK),
    Row("POST", f"{V1}/invitations/accept", OWN_PAGES, body=LINK),
    Row("POST", f"{V1}/invitations/passkey/options", everybody(403), body={**LINK, **NAMED}),
]

POLICY = {"silent_days": 14, "filevault_required": False}
WEBHOOK = f"{FLEET_PAGE}/webhooks/{{webhook_id}}"


def administers(status: int) -> tuple[int, ...]:
    """What the fleet's admins get; its viewers may not, for others there is no such fleet."""
    tokens = (401, *(403,) * 4, *(401,) * 5)
    return (*tokens, 403, 404, status, status, 403, status, 401)


def of_members(status: int, reading: int | None = None) -> tuple[int, ...]:
    """What people of the fleet get; `reading`: a token that only reads."""
    tokens = (401, *(403,) * 4, *(401,) * 5)
    return (*tokens, status, 404, status, status, reading or status, status, 401)


TABLE = [
    # Writing: a device for its own machine, a fleet for any machine of its own and for new ones.
    Row(
        "PUT", RUN, (401, 201, 403, 403, 403, 401, 401, 401, 401, 401, *UPLOADS_NOT), body="device"
    ),
    Row(
        "PUT",
        RUN,
        (401, 403, 201, 403, 403, 401, 401, 401, 401, 401, *UPLOADS_NOT),
        body="other device",
    ),
    Row("PUT", RUN, (401, 403, 403, 201, 403, 401, 401, 401, 401, 401, *UPLOADS_NOT), body="fleet"),
    Row("PUT", RUN, (401, 403, 403, 201, 201, 401, 401, 401, 401, 401, *UPLOADS_NOT), body="new"),
    Row(
        "PUT",
        RUN,
        (401, 403, 403, 403, 403, 401, 401, 401, 401, 401, *UPLOADS_NOT),
        body="reserved",
    ),
    Row(
        "POST",
        f"{RUNS}/batch",
        (401, 200, 200, 200, 200, 401, 401, 401, 401, 401, *UPLOADS_NOT),
        body=b"",
    ),
    Row("DELETE", RUN, (401, 204, 403, 403, 403, 401, 401, 401, 401, 401, *PUBLICS), PUBLIC),
    Row("DELETE", RUN, (401, 404, 404, 204, 404, *(401,) * 5, *MANAGES), PRIVATE),
    Row(
        "DELETE",
        RUN,
        (401, 403, 403, 403, 403, 401, 401, 401, 401, 401, *PUBLICS),
        {"run_id": "another published"},
    ),
    # Fleets: those in them see them, their admins change them.
    Row("GET", "/api/v1/fleets", (*NOBODY_SIGNED_IN, *(200,) * 6, 401)),
    Row(
        "POST",
        "/api/v1/fleets",
        (*NOBODY_SIGNED_IN, 403, 403, 403, 201, 403, 403, 401),
        body={"name": "made here"},
    ),
    *(Row("GET", path, SEES_A_FLEET, LOCAL) for path in (A_FLEET, f"{A_FLEET}/members")),
    *(
        Row("GET", path, SEES_SECRETS, LOCAL)
        for path in (f"{A_FLEET}/secrets", f"{A_FLEET}/devices", f"{A_FLEET}/clones", *AUDIT)
    ),
    *(
        Row(method, A_FLEET + path, (*NOBODY_SIGNED_IN, *MANAGES), on, body)
        for method, path, on, body in (
            ("PATCH", "", LOCAL, {"visibility": "private"}),
            ("PUT", "/members/{person_id}", MEMBER, {"role": "viewer"}),
            ("DELETE", "/members/{person_id}", MEMBER, None),
            ("DELETE", "/secrets/{secret_id}", A_SECRET, None),
            ("POST", "/devices/{token_id}/rotation", A_DEVICE, None),
            ("DELETE", "/devices/{token_id}", A_DEVICE, None),
            ("PUT", "/clones/{machine_id}", A_CLONE, {"are": "one"}),
        )
    ),
    Row(
        "POST",
        f"{A_FLEET}/secrets",
        (*NOBODY_SIGNED_IN, 403, 404, 201, 201, 403, 201, 401),
        LOCAL,
        {"name": "Another"},
    ),
    Row("DELETE", A_FLEET, (*NOBODY_SIGNED_IN, 403, 404, 200, 200, 403, 200, 401), DOOMED),
    Row(
        "PATCH",
        MACHINE,
        (401, *(403,) * 4, *(401,) * 5, *MANAGES),
        A_MACHINE,
        {"name": "Front desk"},
    ),
    Row(
        "DELETE",
        MACHINE,
        (401, 404, 404, 200, 404, *(401,) * 5, 403, 404, 200, 200, 403, 200, 401),
        A_MACHINE,
    ),
    # Judging is the server's admins', who are people; a report is its reporter's.
    Row("GET", "/api/v1/review", (*NOBODY_SIGNED_IN, 403, 403, 403, 200, 403, 403, 401)),
    Row(
        "PUT",
        "/api/v1/review/{run_id}",
        (*NOBODY_SIGNED_IN, 403, 403, 403, 204, 403, 403, 401),
        PUBLIC,
        JUDGEMENT,
    ),
    Row("GET", "/api/v1/doubts/self", (401, *(404,) * 8, 401, *(401,) * 4, 404, 404, 401)),
    # Doubting needs no account; withdrawing is its owner's.
    Row("POST", f"{RUN}/doubts", everybody(201), PUBLIC, body=REASON),
    Row("POST", f"{RUN}/doubts", everybody(404), PRIVATE, body=REASON),
    Row("GET", f"{RUN}/doubts", (401, 200, 403, 403, 403, *(401,) * 5, *PUBLICS_READ), PUBLIC),
    Row("GET", f"{RUN}/doubts", (401, 404, 404, 200, 404, *(401,) * 5, *MANAGES_READ), PRIVATE),
    *(
        Row(method, f"{RUN}/withdrawal", statuses, on, body)
        for method, body in (("PUT", REASON), ("DELETE", None))
        for on, statuses in (
            (PUBLIC, (401, 204, 403, 403, 403, *(401,) * 5, *PUBLICS)),
            (PRIVATE, (401, 404, 404, 204, 404, *(401,) * 5, *MANAGES)),
            ({"run_id": "published"}, (401, 403, 403, 403, 403, *(401,) * 5, *PUBLICS)),
        )
    ),
    # Reading.
    Row("GET", RUNS, READS),
    Row("GET", RUN, READS, PUBLIC),
    Row("GET", RUN, READS_PRIVATE, PRIVATE),
    Row("GET", DOCUMENT, READS, PUBLIC),
    Row("GET", DOCUMENT, READS_PRIVATE, PRIVATE),
    Row("GET", "/api/v1/answer", READS),
    Row("GET", "/api/v1/answer.csv", READS),
    Row("GET", "/api/v1/doubted", READS),
    Row("GET", "/api/v1/chart.svg", READS),
    Row("GET", "/api/v1/chart.png", READS),
    Row("GET", "/api/v1/facets", READS),
    Row("GET", "/api/v1/starting-point", READS),
    Row("GET", "/api/v1/residency", READS),
    Row("GET", EVENTS, READS),
    *(Row("GET", path, READS) for path in COMPARED),
    Row("GET", "/api/v1/machines", READS),
    Row("GET", MACHINE, READS, {"machine_id": "machine"}),
    Row("GET", MACHINE, READS_PRIVATE, {"machine_id": "private machine"}),
    Row("GET", f"{MACHINE}/timeline", READS, {"machine_id": "machine"}),
    Row("GET", f"{MACHINE}/timeline", READS_PRIVATE, {"machine_id": "private machine"}),
    # A fleet's page, also a public one's, is its members' and its uploader's.
    Row("GET", f"{FLEET_PAGE}/dashboard", SEES_FLEET, OF_FLEET),
    Row("GET", f"{FLEET_PAGE}/machines", SEES_FLEET, OF_FLEET),
    Row("GET", "/api/v1/alerts", (*(200,) * 5, *(401,) * 5, *(200,) * 7)),
    Row("GET", ALERT, SEES_FLEET, ITS_ALERT),
    Row("PUT", f"{ALERT}/acknowledgement", CHANGES_ALERT, ITS_ALERT),
    Row("DELETE", f"{ALERT}/acknowledgement", CHANGES_ALERT, ITS_ALERT),
    Row("POST", f"{ALERT}/comments", CHANGES_ALERT, ITS_ALERT, {"text": "Seen."}),
    Row("GET", "/api/v1/alerts.atom", (*(200,) * 5, *(401,) * 5, *(200,) * 7)),
    Row("PUT", f"{FLEET_PAGE}/policy", administers(204), OF_FLEET, POLICY),
    Row("GET", f"{FLEET_PAGE}/webhooks", administers(200), OF_FLEET),
    Row("POST", f"{FLEET_PAGE}/webhooks", administers(422), OF_FLEET, {"url": "ftp://test"}),
    Row("DELETE", WEBHOOK, administers(404), OF_FLEET | {"webhook_id": "alert"}),
    Row("POST", f"{WEBHOOK}/test", administers(404), OF_FLEET | {"webhook_id": "alert"}),
    Row("GET", f"{FLEET_PAGE}/alert-mail", of_members(200), OF_FLEET),
    Row("PUT", f"{FLEET_PAGE}/alert-mail", of_members(204, 403), OF_FLEET, {"how": "off"}),
    Row("GET", PERCENTILE, READS, PUBLIC),
    Row("GET", PERCENTILE, READS_PRIVATE, PRIVATE),
    Row("POST", "/api/v1/enroll", (*(403,) * 9, 401, *(403,) * 7), body=ENROL),
    Row(
        "GET",
        "/api/v1/tokens/self",
        (401, 200, 200, 200, 200, 401, 401, 401, 401, 401, *UPLOADS_NOT),
    ),
    # Comparisons: anybody makes one, its owner secret changes it.
    Row("POST", "/api/v1/comparisons", everybody(201), body={"question": QUESTION}),
    Row("GET", "/api/v1/comparisons", SIGNED_IN),
    Row("GET", f"{COMPARISON}/changes", READS_COMPARISON, OPEN),
    Row("GET", f"{COMPARISON}/changes", READS_PAUSED, PAUSED),
    Row("GET", "/api/v1/filters", everybody(200)),
    Row("PUT", f"{COMPARISON}/owner", SIGNED_IN_OWNS_NONE, OPEN, {"owner_secret": "mmo_unknown"}),
    Row("GET", COMPARISON, READS_COMPARISON, OPEN),
    Row("GET", COMPARISON, READS_PAUSED, PAUSED),
    Row("GET", COMPARISON + "/answer.csv", READS_COMPARISON, OPEN),
    Row("GET", COMPARISON + "/answer.csv", READS_PAUSED, PAUSED),
    Row("PATCH", COMPARISON, OWNS_COMPARISON, OPEN, body={"title": "Changed"}),
    Row("DELETE", COMPARISON, (401, *(403,) * 4, 204, *(403,) * 3, 401, *OWNS_NONE), OPEN),
    *ACCOUNTS,
    # The same for all: what isn't secret, and pages, which read as the public.
    Row("GET", "/api/v1/catalog", everybody(200)),
    Row("GET", "/api/v1/chips", everybody(200)),
    Row("GET", "/api/v1/sources", everybody(200)),
    Row("GET", "/api/v1/openapi.json", everybody(200)),
    Row("GET", "/api/v1/run.v1.schema.json", everybody(200)),
    Row("GET", "/healthz", everybody(200)),
    Row("GET", "/readyz", everybody(200)),
    Row("GET", "/metrics", everybody(200)),
    Row("GET", "/api/v1/corpus", everybody(200)),
    Row("GET", "/api/v1/corpus.csv", everybody(200)),
    Row("GET", "/api/v1/corpus.parquet", everybody(200)),
    # What others show of a comparison is the public's: its owner's secret opens no picture.
    *(Row("GET", path, everybody(200), OPEN) for path in SHOWN),
    *(Row("GET", path, everybody(410), PAUSED) for path in SHOWN),
    Row("GET", OEMBED, everybody(200), OPEN),
    Row("GET", OEMBED, everybody(410), PAUSED),
    Row("GET", "/c/{slug}", everybody(200), OPEN),
    Row("GET", "/c/{slug}/", everybody(200), OPEN),
    Row("GET", "/c/{slug}", everybody(410), PAUSED),
    Row("GET", "/runs/{run_id}", everybody(200), PUBLIC),
    # A page is the same for everybody: no token opens one.
    Row("GET", "/runs/{run_id}", everybody(404), PRIVATE),
    Row("GET", "/machines/{machine_id}", everybody(200), {"machine_id": "machine"}),
    Row("GET", "/machines/{machine_id}", everybody(404), {"machine_id": "private machine"}),
    Row("GET", "/robots.txt", everybody(200)),
    Row("GET", "/sitemap.xml", everybody(200)),
    Row("GET", "/{path:path}", everybody(200), {"path": ""}),
]


@dataclass
class World:
    """Two devices and two fleets, each with a machine of its own, and the published figures."""

    server: Server
    secrets: dict[str, str]
    machines: dict[str, str]
    published: str
    published_deleted: str
    people: dict[str, dict[str, str]]
    """Their headers, by role."""
    alert: str

    async def things(self, **labels: str) -> tuple[dict[str, str], dict[str, str]]:
        """A run of each machine, an open and a paused comparison: their ids, and who owns them."""
        names, owners = {"published": self.published, "": "", "unknown": str(uuid.uuid4())}, {}
        names["invitation"] = people.make_invitation(self.server.database_url, LOCAL_FLEET)
        names["another published"] = self.published_deleted
        names |= {"local fleet": "local", "alert": self.alert}
        names |= {"machine": self.machines["device"], "private machine": self.machines["fleet"]}
        for role, name in (("device", "public"), ("other device", "other"), ("fleet", "private")):
            run = disk_run(machine=self.machines[role], labels=labels)
            names[name] = run["id"]
            assert (await self.server.put(run, self.secrets[role])).status_code == 201
        for name in ("open", "paused"):
            names[name], owners[name] = await save(self.server)
        paused = await self.server.client.patch(
            f"/api/v1/comparisons/{names['paused']}",
            json={"state": "paused"},
            headers=bearer(owners["paused"]),
        )
        assert paused.status_code == 200
        return names, owners

    async def things_for(self, row: Row) -> tuple[dict[str, str], dict[str, str]]:
        """As `things`, and what its fleet has where the row asks for that."""
        names, owners = await self.things()
        if "fleet" in row.on or "enrolled" in row.on.values():
            names |= await self.fleet_things()
        return names, owners

    async def fleet_things(self) -> dict[str, str]:
        """Of the fleet: a person, a secret, and a machine that enrolled twice and has a run. And a
        fleet with the same people that may be deleted.
        """
        url, machine = self.server.database_url, str(uuid.uuid4())
        with people.writing(url) as connection:
            local = connection.execute(select(Fleet.fleet_id).filter_by(name="local")).scalar_one()
        member = people.make_person(url, roles={local: "viewer"})
        secret = people.make_secret(url, local)
        for _ in range(2):
            enrolled = await self.server.client.post(
                "/api/v1/enroll", json={"secret": secret, "machine_id": machine}
            )
        await self.server.put(disk_run(machine=machine), enrolled.json()["token"])
        doomed = f"doomed {machine}"
        doomed_id = people.make_fleet(url, doomed)
        with people.writing(url) as connection:
            of_secret = EnrolmentSecret.secret_sha256 == secret_hash(secret)
            (secret_id,) = connection.execute(
                select(EnrolmentSecret.secret_id).where(of_secret)
            ).one()
            bound = Machine.machine_id == uuid.UUID(machine)
            (token_id,) = connection.execute(select(Machine.bound_token_id).where(bound)).one()
            members = select(Membership.person_id, Membership.role).where(
                Membership.fleet_id == local, Membership.person_id != member
            )
            for person_id, role in connection.execute(members).all():
                connection.execute(
                    insert(Membership).values(fleet_id=doomed_id, person_id=person_id, role=role)
                )
        return {
            "local": "local",
            "doomed": doomed,
            "member": str(member),
            "secret": str(secret_id),
            "token": str(token_id),
            "enrolled": machine,
        }

    def headers(self, role: str, owner_secret: str = "") -> dict[str, str]:
        if role == NOBODY:
            return {}
        if role in self.people:
            return dict(self.people[role])
        if role == "not a bearer":
            return {"Authorization": "Basic bWFjOm1ldGVy"}
        return bearer(owner_secret if role == "owner secret" else self.secrets[role])


@pytest.fixture(scope="module")
async def world(
    cluster: EmbeddedPostgres, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[World]:
    frontend = tmp_path_factory.mktemp("frontend")
    (frontend / "index.html").write_text("<head><title>Macmeter</title></head>")
    with fresh_database(cluster) as name:
        loading = database.engine(cluster.url(name))
        await load_into(loading)
        await loading.dispose()
        limits: dict[str, Any] = {"quota_comparisons": 100_000, "quota_guesses": 100_000}
        async with serving(cluster.url(name), frontend, **limits) as server:
            secrets = {role: server.token() for role in ("device", "other device", *ENDED)}
            secrets["fleet"] = server.token("fleet")
            secrets["unknown secret"] = "mmd_unknown"
            secrets["other fleet"] = end_tokens_and_found_a_fleet(server, secrets)
            published, deleted = await items(server, "?where=source:published&limit=2")
            machines = {role: str(uuid.uuid4()) for role in ("device", "other device", "fleet")}
            machines["reserved"] = published["machine"]["id"]
            people_ = await make_people(server.database_url)
            own = fleets_of(server.database_url)["local"]
            alert = str(people.make_alert(server.database_url, own))
            of_published = (published["id"], deleted["id"])
            yield World(server, secrets, machines, *of_published, people_, alert)


def fleets_of(url: str) -> dict[str, uuid.UUID]:
    with people.writing(url) as connection:
        rows = connection.execute(select(Fleet.name, Fleet.fleet_id))
        return {row.name: row.fleet_id for row in rows}


async def make_people(url: str) -> dict[str, dict[str, str]]:
    """The headers of each role that is a person's."""
    fleets = fleets_of(url)
    local, elsewhere = fleets["local"], fleets["elsewhere"]
    admin = people.make_person(url, roles={local: "admin"})
    return {
        "viewer": await people.sign_in(url, people.make_person(url, roles={local: "viewer"})),
        "other viewer": await people.sign_in(
            url, people.make_person(url, roles={elsewhere: "viewer"})
        ),
        "admin": await people.sign_in(url, admin),
        "server admin": await people.sign_in(url, people.make_person(url, server_admin=True)),
        "reading token": people.token_of(url, admin, "read"),
        "managing token": people.token_of(url, admin, "manage"),
        "ended session": {"Cookie": "macmeter=ended", **people.OWN_PAGE},
    }


def end_tokens_and_found_a_fleet(server: Server, secrets: dict[str, str]) -> str:
    """Ends the tokens that are to be ended; the secret of a token of a second fleet."""
    secret, fleet_id = "mmf_elsewhere", uuid.uuid4()
    engine = create_engine(normalise(server.database_url))
    with engine.begin() as connection:
        for role, column in ENDED.items():
            connection.execute(
                update(Token)
                .where(Token.secret_sha256 == secret_hash(secrets[role]))
                .values({column: datetime.now(UTC) - timedelta(seconds=1)})
            )
        connection.execute(
            insert(Fleet).values(fleet_id=fleet_id, name="elsewhere", visibility="private")
        )
        connection.execute(
            insert(Token).values(
                token_id=uuid.uuid4(),
                secret_sha256=secret_hash(secret),
                scope=FLEET,
                fleet_id=fleet_id,
            )
        )
    engine.dispose()
    return secret


async def items(server: Server, query: str, **headers: str) -> list[dict[str, Any]]:
    response = await server.client.get(f"/api/v1/runs{query}", headers=headers)
    found: list[dict[str, Any]] = response.json()["items"]
    return found


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


async def save(server: Server) -> tuple[str, str]:
    response = await server.client.post("/api/v1/comparisons", json={"question": QUESTION})
    return response.json()["slug"], response.json()["owner_secret"]


@pytest.mark.parametrize("row", TABLE, ids=str)
async def test_each_role_gets_what_the_table_says(world: World, row: Row) -> None:
    names, owners = await world.things_for(row)
    place = {name: names[of] for name, of in row.on.items()}
    secret = owners[row.on.get("slug", "open")]
    # Those who may do it come last: after a deletion nobody would find what was deleted.
    expected = sorted(zip(ROLES, row.statuses, strict=True), key=lambda cell: cell[1] < 300)
    got = []
    for role, status in expected:
        if row.on and row.method != "GET" and status < 300:
            # Each of them changes one of its own.
            names, owners = await world.things_for(row)
            place = {name: names[of] for name, of in row.on.items()}
            secret = owners[row.on.get("slug", "open")]
        if row.alone:
            world.people = await make_people(world.server.database_url)
        response = await ask(world, row, place, world.headers(role, secret))
        world.server.client.cookies.clear()
        got.append((role, response.status_code))
        if response.status_code >= 400 and row.path.startswith("/api"):
            assert response.headers["content-type"] == "application/problem+json"
        if response.status_code == 401:
            assert response.headers["www-authenticate"].startswith("Bearer")
    if row.alone:
        world.people = await make_people(world.server.database_url)
    assert got == expected


async def ask(
    world: World, row: Row, place: dict[str, str], headers: dict[str, str]
) -> httpx.Response:
    """The response in one cell of the table."""
    content = None
    if row.method == "PUT" and row.path == RUN:
        document = disk_run(machine=world.machines.get(row.body) or str(uuid.uuid4()))
        place = {"run_id": document["id"]}
        headers["Content-Type"], content = "application/json", encoded(document)
    elif isinstance(row.body, dict):
        headers["Content-Type"], content = "application/json", json.dumps(row.body).encode()
    elif row.body is not None:
        headers["Content-Type"], content = "application/x-ndjson", row.body
    path = row.path.replace(":path", "").format(**place)
    query = f"?{QUESTION}" if row.path in ASKED else ""
    if row.path == EVENTS:
        query = "?since=2026-01-01T00:00:00Z&limit=1"
    if row.path in AUDIT:
        query = f"?fleet={place['fleet']}"
    if row.path == A_FLEET and row.method == "DELETE":
        query = f"?name={place['fleet']}&runs=delete"
    if row.path == PERCENTILE:
        query = f"?{QUESTION}&run={place['run_id']}"
    if row.path.endswith("/oidc/return"):
        query = "?state=made-up&code=x"
    if row.path in COMPARED:
        query = f"?{QUESTION}&side=1:&side=2:chip:Apple M1"
    if row.path == OEMBED:
        query = f"?url=http://test/c/{place['slug']}"
    return await world.server.client.request(
        row.method, path + query, content=content, headers=headers
    )


def test_no_endpoint_is_missing_from_the_table() -> None:
    app = create_app(Settings(database_url="postgresql://nowhere/none"))
    served = {
        (method, route.path)
        for route in iter_route_contexts(app.routes)
        for method in (route.methods or set()) - {"HEAD"}
    }
    assert served == {(row.method, row.path) for row in TABLE}


async def test_a_private_run_is_seen_by_its_fleet_alone_whatever_is_asked(world: World) -> None:
    """Not in lists, counts or figures either: the table only shows that something came back."""
    names, _ = await world.things(story="seen")
    client, asked = world.server.client, f"{QUESTION}&where=label:story:seen"
    for role in ("fleet", NOBODY, "device", "other device", "other fleet"):
        headers = world.headers(role)
        sees = role == "fleet"
        listed = await items(world.server, "?where=label:story:seen", **headers)
        assert (names["private"] in {item["id"] for item in listed}) is sees
        assert len(listed) == 2 + sees
        (group,) = (await world.server.answer(asked, **headers))["results"][0]["groups"]
        assert group["machines"] == 2 + sees
        lines = (await client.get(f"/api/v1/answer.csv?{asked}", headers=headers)).text
        assert f",{2 + sees},{2 + sees}," in lines
        counted = (await client.get(f"/api/v1/facets?{asked}", headers=headers)).json()
        assert counted["total"] == 2 + sees
        assert ("fleet" in {facet["name"] for facet in counted["dimensions"]}) is sees


async def test_a_comparison_shows_what_the_public_reads_whoever_saves_it(world: World) -> None:
    await world.things(story="saved")
    saved = await world.server.client.post(
        "/api/v1/comparisons",
        json={"question": f"{QUESTION}&where=label:story:saved"},
        headers=world.headers("fleet"),
    )
    (group,) = saved.json()["answer"]["results"][0]["groups"]
    assert group["machines"] == 2


async def test_the_secret_of_one_comparison_opens_no_other(world: World) -> None:
    names, owners = await world.things()
    headers = world.headers("owner secret", owners["open"])
    paused = f"/api/v1/comparisons/{names['paused']}"
    assert (await world.server.client.get(paused, headers=headers)).status_code == 410
    assert (await world.server.client.delete(paused, headers=headers)).status_code == 403
