"""The access table: every request by every role, with the status it gets.

`tests/backend/accounts/test_access.py` makes all of these requests; the contract's test takes from
it which responses they cover. Longer than our other files: it is one table.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import Any

from macmeter.accounts.tokens import LOCAL_FLEET

NOBODY = "anybody"
# Columns of the table.
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
    # People with a session: of the fleet, of the other fleet, and the server's administrator;
    # tokens of the fleet's admin; and a session that has ended.
    "viewer",
    "other viewer",
    "admin",
    "server admin",
    "reading token",
    "managing token",
    "ended session",
    # A viewer of a group in the fleet, without Macs: see `Row.of_group`.
    "limited viewer",
)
QUESTION = "metric=disk.write_average"
ASKED = (
    "/api/v1/answer",
    "/api/v1/answer.csv",
    "/api/v1/answer.sql",
    "/api/v1/answer.atom",
    "/api/v1/doubted",
    "/api/v1/chart.png",
    "/api/v1/chart.svg",
    "/api/v1/facets",
    "/api/v1/starting-point",
    "/api/v1/machines/{machine_id}/timeline",
)
# How two of the roles lost their access.
ENDED = {"expired token": "expires_at", "revoked token": "revoked_at"}


# What a viewer of a group may ask about the fleet, too.
OF_GROUPS = {
    ("GET", "/api/v1/fleets/{fleet}"),
    *(("GET", f"/api/v1/fleets/{{fleet}}/{list_path}") for list_path in ("dashboard", "machines")),
    ("GET", "/api/v1/fleets/{fleet}/results.parquet"),
    ("GET", "/fleets/{fleet}"),
}


@dataclass(frozen=True)
class Row:
    """One request, and the status each role gets, in the order of ROLES."""

    method: str
    path: str
    statuses: tuple[int, ...]
    on: dict[str, str] = field(default_factory=dict)
    """Values of the path's parameters, as names of things in the World."""
    body: Any = None
    """JSON to send; for a PUT of a run, the role whose machine the document is of."""
    alone: bool = False
    """Sent by a new person each time: it may end their account."""

    def __post_init__(self) -> None:
        if len(self.statuses) < len(ROLES):
            object.__setattr__(self, "statuses", (*self.statuses, self.of_group))

    @property
    def of_group(self) -> int:
        """The limited viewer's status: of runs and Macs as to strangers, of the fleet 403."""
        viewer, stranger = (self.statuses[ROLES.index(f"{role}viewer")] for role in ("", "other "))
        if viewer == stranger or (self.method, self.path) in OF_GROUPS:
            return viewer
        fields = [*self.on, *(self.body if isinstance(self.body, dict) else ())]
        return 403 if "fleet" in fields else stranger

    def __str__(self) -> str:
        return " ".join([self.method, self.path, *self.on.values(), str(self.body or "")])


def everybody(status: int) -> tuple[int, ...]:
    return (status,) * len(ROLES)


# Addresses that read runs reject an invalid token instead of falling back to public access.
READS = (200, 200, 200, 200, 200, 401, 401, 401, 401, 401, *(200,) * 7)
READS_PRIVATE = (404, 404, 404, 200, 404, *(401,) * 5, 200, 404, 200, 200, 200, 200, 404)
OPENS_PRIVATE = tuple(404 if status == 401 else status for status in READS_PRIVATE)
# Nobody owns one by name; a person's token is not an owner secret.
OWNS_NONE = (403, 403, 403, 403, 403, 403, 401)
SIGNED_IN = (*(401,) * 10, 200, 200, 200, 200, 401, 401, 401)
SIGNED_IN_OWNS_NONE = (*(401,) * 10, 403, 403, 403, 403, 401, 401, 401)
# Comparisons know only owner secrets; any other credential reads as the public.
READS_COMPARISON = (*(200,) * 9, 401, *(200,) * 7)
OWNS_COMPARISON = (401, *(403,) * 4, 200, *(403,) * 3, 401, *OWNS_NONE)
READS_PAUSED = (*(410,) * 5, 200, *(410,) * 3, 401, *(410,) * 7)

# People's requests about public things, and about their fleet's.
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
# The machine of a published article.
ENROL_ALONE = {"machine_id": "reserved"}
# Into the machine that the fleet's token uploads for.
MERGE = {"into": "private machine"}
MACHINE = "/api/v1/machines/{machine_id}"
THING = "/api/v1/things/{kind}/{slug}"
A_FLEET = "/api/v1/fleets/{fleet}"
LOCAL, DOOMED = {"fleet": "local"}, {"fleet": "doomed"}
MEMBER = LOCAL | {"person_id": "member"}
A_SECRET, A_DEVICE = LOCAL | {"secret_id": "secret"}, LOCAL | {"token_id": "token"}
A_CLONE, A_MACHINE = LOCAL | {"machine_id": "enrolled"}, {"machine_id": "enrolled"}
AUDIT = ("/api/v1/audit", "/api/v1/audit.csv", "/api/v1/audit.ndjson")
COMPARED = ("/api/v1/compare", "/api/v1/compare.csv", "/api/v1/compare.atom")
PERCENTILE, RANK = "/api/v1/percentile", "/api/v1/rank"

FLEET_PAGE = "/api/v1/fleets/{fleet}"
ALERT = "/api/v1/alerts/{alert_id}"
OF_FLEET, ITS_ALERT = {"fleet": "local fleet"}, {"alert_id": "alert"}
SEES_FLEET = (404, 404, 404, 200, 404, *(401,) * 5, 200, 404, *(200,) * 4, 404)
CHANGES_ALERT = (401, *(403,) * 4, *(401,) * 5, 403, 404, 204, 204, 403, 204, 401)
V1 = "/api/v1"
INVITED = {"fleet": LOCAL_FLEET, "role": "viewer"}
INVITATION = f"{V1}/invitations/{{link_id}}"
# Refused to programs: their tokens are for something else.
PERSONS = NOBODY_SIGNED_IN
# Refused unless it comes from our own pages; programs look like other sites here.
OWN_PAGES = (*(403,) * 10, 404, 404, 404, 404, 403, 403, 404)


def own(status: int, method: str, path: str, body: Any = None, **on: str) -> Row:
    """Row of a request that only a person signed in to a browser may make."""
    statuses = (*(401,) * 10, *(status,) * 4, *(401,) * 3)
    return Row(method, V1 + path, statuses, on, body, alone=status < 300)


CLAIM = f"{V1}/machines/{{machine_id}}/claim"
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
    own(200, "GET", "/account/export"),
    # A person's own Macs: nobody here has claimed one.
    Row("GET", f"{V1}/account/machines", (*PERSONS, *(200,) * 6, 401)),
    Row("DELETE", CLAIM, (*PERSONS, 404, 404, 404, 404, 403, 404, 401), {"machine_id": "machine"}),
    # Made with the machine's own token, outside any fleet.
    Row(
        "POST",
        CLAIM,
        (401, 201, 403, 403, 403, *(401,) * 5, *UPLOADS_NOT),
        {"machine_id": "machine"},
    ),
    Row(
        "POST",
        CLAIM,
        (401, 403, 403, 403, 403, *(401,) * 5, *UPLOADS_NOT),
        {"machine_id": "private machine"},
    ),
    # Secret for a Mac outside any fleet: nobody has claimed it, so only the server's administrator
    # may.
    Row(
        "POST",
        f"{V1}/machines/{{machine_id}}/secret",
        (*PERSONS, 403, 403, 403, 201, 403, 403, 401),
        {"machine_id": "machine"},
    ),
    Row(
        "POST",
        f"{V1}/machines/{{machine_id}}/secret",
        (*PERSONS, 403, 404, 409, 409, 403, 409, 401),
        {"machine_id": "private machine"},
    ),
    # They have no address or other way to sign in.
    own(409, "PUT", "/account/password", {"password": "long enough, this"}),
    own(409, "DELETE", "/account/password"),
    own(200, "GET", "/account/passkeys"),
    # Passkeys don't work under this server's host name.
    own(403, "POST", "/account/passkeys/options"),
    own(403, "POST", "/account/passkeys", {**NAMED, "credential": {}}),
    own(404, "PATCH", PASSKEY, NAMED, passkey_id="unknown"),
    own(404, "DELETE", PASSKEY, passkey_id="unknown"),
    own(200, "GET", "/tokens"),
    own(201, "POST", "/tokens", {**NAMED, "permission": "read"}),
    own(404, "DELETE", "/tokens/{token_id}", token_id="unknown"),
    # Signing in: refused to these credentials, and from other sites.
    Row("POST", f"{V1}/session/password", everybody(403), body=SIGN_IN),
    Row("POST", f"{V1}/session/passkey/options", everybody(403)),
    Row("POST", f"{V1}/session/passkey", everybody(403), body={"credential": {}}),
    # Single sign-on is not configured.
    Row("POST", f"{V1}/session/oidc", everybody(404), body={}),
    Row("GET", f"{V1}/session/oidc/return", everybody(303)),
    # Invitations: to a fleet by its admins, to administer the server by the server's.
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
ADDRESSES = f"{FLEET_PAGE}/alert-addresses"
CONFIRMATION = f"{V1}/alert-addresses/confirmation"
WEBHOOK = f"{FLEET_PAGE}/webhooks/{{webhook_id}}"


def administers(status: int) -> tuple[int, ...]:
    """Statuses where its admins get `status`: viewers may not, others don't see the fleet."""
    tokens = (401, *(403,) * 4, *(401,) * 5)
    return (*tokens, 403, 404, status, status, 403, status, 401)


def of_members(status: int, reading: int | None = None) -> tuple[int, ...]:
    """Statuses where people of the fleet get `status`; `reading`: that of a read-only token."""
    tokens = (401, *(403,) * 4, *(401,) * 5)
    return (*tokens, status, 404, status, status, reading or status, status, 401)


TABLE = [
    # Uploads: a device for its own machine, a fleet for any of its machines and for new ones.
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
    # Fleets: their people see them, their admins change them.
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
        for path in (
            *(f"{A_FLEET}/secrets", f"{A_FLEET}/devices", f"{A_FLEET}/clones", *AUDIT),
            *(f"{A_FLEET}/retention", f"{A_FLEET}/retention/preview", f"{A_FLEET}/merges"),
            f"{A_FLEET}/links",
        )
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
            ("PUT", "/retention", LOCAL, {"days": 9000, "runs": 0}),
            ("DELETE", "/retention", LOCAL, None),
        )
    ),
    Row(
        "PATCH",
        f"{A_FLEET}/machines",
        (*NOBODY_SIGNED_IN, 403, 404, 422, 422, 403, 422, 401),
        LOCAL,
        {"machines": [{"id": str(uuid.UUID(int=1)), "retired": True}]},
    ),
    Row(
        "POST",
        f"{A_FLEET}/machines/deletion",
        (*NOBODY_SIGNED_IN, 403, 404, 422, 422, 403, 422, 401),
        LOCAL,
        {"machines": [str(uuid.UUID(int=1))]},
    ),
    # Only the server decides which fleets are verified.
    Row(
        "PATCH",
        A_FLEET,
        (*NOBODY_SIGNED_IN, 403, 404, 403, 204, 403, 403, 401),
        LOCAL,
        {"verified": True},
    ),
    Row(
        "POST",
        f"{A_FLEET}/secrets",
        (*NOBODY_SIGNED_IN, 403, 404, 201, 201, 403, 201, 401),
        LOCAL,
        {"name": "Another"},
    ),
    Row(
        "DELETE",
        f"{A_FLEET}/retention/sweeps/{{sweep_id}}",
        (*NOBODY_SIGNED_IN, 403, 404, 404, 404, 403, 404, 401),
        LOCAL | {"sweep_id": "unknown"},
    ),
    Row(
        "DELETE",
        f"{A_FLEET}/links/{{link_id}}/ids",
        (*NOBODY_SIGNED_IN, 403, 404, 404, 404, 403, 404, 401),
        LOCAL | {"link_id": "unknown"},
    ),
    Row(
        "POST",
        f"{A_FLEET}/uploaders",
        (*NOBODY_SIGNED_IN, 403, 404, 201, 201, 403, 201, 401),
        LOCAL,
        {"name": "Importer"},
    ),
    # Accounts are managed by the server's administrators, who are people.
    Row("GET", "/api/v1/people", (*NOBODY_SIGNED_IN, 403, 403, 403, 200, 403, 403, 401)),
    *(
        Row(
            method,
            "/api/v1/people/{person_id}",
            (*NOBODY_SIGNED_IN, 403, 403, 403, 204, 403, 403, 401),
            {"person_id": "member"} | LOCAL,
            body,
        )
        for method, body in (("PATCH", {"server_admin": False}), ("DELETE", None))
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
    Row(
        "PUT",
        f"{MACHINE}/merge",
        (*NOBODY_SIGNED_IN, 403, 404, 200, 200, 403, 200, 401),
        A_MACHINE,
        MERGE,
    ),
    # Nobody has merged it.
    Row(
        "DELETE",
        f"{MACHINE}/merge",
        (*NOBODY_SIGNED_IN, 403, 404, 404, 404, 403, 404, 401),
        A_MACHINE,
    ),
    Row(
        "GET",
        f"{MACHINE}/export.ndjson",
        (401, 404, 404, 200, 404, *(401,) * 5, 403, 404, 200, 200, 403, 200, 401),
        A_MACHINE,
    ),
    Row("GET", "/api/v1/failures", (*NOBODY_SIGNED_IN, 403, 403, 403, 200, 403, 403, 401)),
    # Reviewing is for the server's administrators, who are people; a report is its author's.
    Row("GET", "/api/v1/review", (*NOBODY_SIGNED_IN, 403, 403, 403, 200, 403, 403, 401)),
    Row(
        "PUT",
        "/api/v1/review/{run_id}",
        (*NOBODY_SIGNED_IN, 403, 403, 403, 204, 403, 403, 401),
        PUBLIC,
        JUDGEMENT,
    ),
    Row("GET", "/api/v1/doubts/self", (401, *(404,) * 8, 401, *(401,) * 4, 404, 404, 401)),
    # Reporting needs no account; withdrawing is the owner's.
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
    # A token that also reads what isn't public gets no statement over public files.
    Row("GET", "/api/v1/answer.sql", (200, *(403,) * 4, *(401,) * 5, *(200,) * 7)),
    Row("GET", "/api/v1/answer.atom", READS),
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
    Row("GET", "/api/v1/things/{kind}", READS, {"kind": "chips"}),
    Row("GET", THING, READS, {"kind": "machines", "slug": "machine"}),
    Row("GET", THING, READS_PRIVATE, {"kind": "machines", "slug": "private machine"}),
    # A fleet's page, even a public one's, is for its members and its uploader.
    Row("GET", f"{FLEET_PAGE}/dashboard", SEES_FLEET, OF_FLEET),
    Row("GET", f"{FLEET_PAGE}/machines", SEES_FLEET, OF_FLEET),
    Row("GET", f"{FLEET_PAGE}/sent", SEES_FLEET, OF_FLEET),
    Row("GET", f"{FLEET_PAGE}/results.parquet", SEES_FLEET, OF_FLEET),
    Row("GET", "/api/v1/alerts", (*(200,) * 5, *(401,) * 5, *(200,) * 7)),
    Row("GET", ALERT, SEES_FLEET, ITS_ALERT),
    Row("PUT", f"{ALERT}/acknowledgement", CHANGES_ALERT, ITS_ALERT),
    Row("DELETE", f"{ALERT}/acknowledgement", CHANGES_ALERT, ITS_ALERT),
    Row("PUT", f"{ALERT}/mute", CHANGES_ALERT, ITS_ALERT, {"days": 7, "why": "Known."}),
    Row("DELETE", f"{ALERT}/mute", CHANGES_ALERT, ITS_ALERT),
    Row("PUT", f"{ALERT}/owner", administers(404), ITS_ALERT, {"person_id": str(uuid.UUID(int=1))}),
    Row("DELETE", f"{ALERT}/owner", CHANGES_ALERT, ITS_ALERT),
    Row("POST", f"{ALERT}/comments", CHANGES_ALERT, ITS_ALERT, {"text": "Seen."}),
    Row("GET", "/api/v1/alerts.atom", (*(200,) * 5, *(401,) * 5, *(200,) * 7)),
    Row("PUT", f"{FLEET_PAGE}/policy", administers(204), OF_FLEET, POLICY),
    Row("GET", f"{FLEET_PAGE}/webhooks", administers(200), OF_FLEET),
    Row("POST", f"{FLEET_PAGE}/webhooks", administers(422), OF_FLEET, {"url": "ftp://test"}),
    Row("DELETE", WEBHOOK, administers(404), OF_FLEET | {"webhook_id": "alert"}),
    Row("POST", f"{WEBHOOK}/test", administers(404), OF_FLEET | {"webhook_id": "alert"}),
    Row("GET", ADDRESSES, administers(200), OF_FLEET),
    # This server sends no mail.
    Row("POST", ADDRESSES, administers(409), OF_FLEET, {"email": "it@example.org"}),
    Row(
        "DELETE",
        f"{ADDRESSES}/{{address_id}}",
        administers(404),
        OF_FLEET | {"address_id": "alert"},
    ),
    Row("POST", CONFIRMATION, everybody(404), body={"secret": "mma_unknown"}),
    Row("GET", f"{FLEET_PAGE}/alert-mail", of_members(200), OF_FLEET),
    Row("PUT", f"{FLEET_PAGE}/alert-mail", of_members(204, 403), OF_FLEET, {"how": "off"}),
    Row("GET", PERCENTILE, READS, PUBLIC),
    Row("GET", PERCENTILE, READS_PRIVATE, PRIVATE),
    Row("GET", RANK, READS, PUBLIC),
    Row("GET", RANK, READS_PRIVATE, PRIVATE),
    Row("POST", "/api/v1/enroll", (*(403,) * 9, 401, *(403,) * 7), body=ENROL),
    # Without a secret, for a machine that is somebody else's.
    Row("POST", "/api/v1/enroll", (*(403,) * 9, 401, *(403,) * 7), body=ENROL_ALONE),
    Row(
        "GET",
        "/api/v1/tokens/self",
        (401, 200, 200, 200, 200, 401, 401, 401, 401, 401, *UPLOADS_NOT),
    ),
    Row(
        "POST",
        "/api/v1/tokens/self/rotation",
        (401, 201, 201, 403, 403, 401, 401, 401, 401, 401, *UPLOADS_NOT),
    ),
    # Comparisons: anybody creates one, its owner secret changes it.
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
    Row("GET", COMPARISON + "/answer.sql", READS_COMPARISON, OPEN),
    Row("GET", COMPARISON + "/answer.sql", READS_PAUSED, PAUSED),
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
    Row("GET", "/api/v1/dataset/{version}", everybody(404), {"version": "unknown"}),
    Row(
        "GET",
        "/api/v1/dataset/{version}/{metric}.parquet",
        everybody(404),
        {"version": "unknown", "metric": "unknown"},
    ),
    # Embeds and pictures of a comparison are public: the owner secret opens no others.
    *(Row("GET", path, everybody(200), OPEN) for path in SHOWN),
    *(Row("GET", path, everybody(410), PAUSED) for path in SHOWN),
    Row("GET", OEMBED, everybody(200), OPEN),
    Row("GET", OEMBED, everybody(410), PAUSED),
    Row("GET", "/c/{slug}", everybody(200), OPEN),
    Row("GET", "/c/{slug}/", everybody(200), OPEN),
    Row("GET", "/c/{slug}", everybody(410), PAUSED),
    Row("GET", "/runs/{run_id}", everybody(200), PUBLIC),
    # Whoever reads a private Mac or run opens its page; to anybody else it does not exist.
    Row("GET", "/runs/{run_id}", OPENS_PRIVATE, PRIVATE),
    Row("GET", "/machines/{machine_id}", everybody(200), {"machine_id": "machine"}),
    Row("GET", "/machines/{machine_id}", OPENS_PRIVATE, {"machine_id": "private machine"}),
    Row("GET", "/chips/{slug}", everybody(404), {"slug": "m9"}),
    Row("GET", "/models/{slug}", everybody(404), {"slug": "mac99-1"}),
    # Nothing to install without AGENT_FILES, which the script says.
    Row("GET", "/api/v1/agent", everybody(200)),
    Row("GET", "/install.sh", everybody(200)),
    Row("GET", "/uninstall.sh", everybody(200)),
    Row("GET", "/agent/{name}", everybody(404), {"name": "m9"}),
    Row("GET", "/robots.txt", everybody(200)),
    Row("GET", "/sitemap.xml", everybody(200)),
    Row("GET", "/{path:path}", everybody(200), {"path": ""}),
]
