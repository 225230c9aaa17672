"""Schemas of accounts: what people send about their own, and responses."""

import uuid
from typing import Annotated, Literal

from pydantic import AwareDatetime, Field, StringConstraints

from macmeter import Json
from macmeter.accounts.passwords import LONGEST, SHORTEST
from macmeter.accounts.people import Role
from macmeter.platform import mail
from macmeter.platform.plain_text import VISIBLE
from macmeter.platform.schema import Exact, Input, Time, one_line

Name = Annotated[str, one_line(80), VISIBLE]
Email = Annotated[
    str,
    StringConstraints(strip_whitespace=True, to_lower=True, max_length=mail.MAX_ADDRESS_LENGTH),
    mail.ADDRESS,
]
# A password to be stored, and one that is only checked.
NewPassword = Annotated[str, StringConstraints(min_length=SHORTEST, max_length=LONGEST)]
Password = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST)]
Secret = Annotated[str, StringConstraints(min_length=1, max_length=200)]


# --- requests


class PasswordSignIn(Input):
    email: Email
    password: Password


class PasskeyAnswer(Input):
    """Result of `navigator.credentials`, as its `toJSON()` has it."""

    credential: Json


class PasskeyNew(PasskeyAnswer):
    name: Name


class Renamed(Input):
    name: Name


class AccountChanges(Input):
    """Changes to an account. What is left out stays."""

    name: Name | None = None
    email: Email | None = None


class NewPasswordSet(Input):
    password: NewPassword
    current: Password | None = None
    """The current password, if there is one."""


class LinkSecret(Input):
    secret: Secret


class PasskeyForLink(LinkSecret):
    name: Name


class AccountNew(Input):
    """A new account, with a passkey, or with a password and the address to sign in with."""

    name: Name
    email: Email | None = None
    password: NewPassword | None = None
    credential: Json | None = None


class Accepted(LinkSecret):
    account: AccountNew | None = None
    """Leave it out if you are signed in."""


GROUP_FILTER = Field("", max_length=500, description="limits a viewer to a group: label:KEY:VALUE")


class InvitationNew(Input):
    fleet: str | None = Field(default=None, max_length=200)
    """Id or name of the fleet. null invites somebody to administer the server."""
    role: Role
    where: str = GROUP_FILTER
    email: Email | None = None
    """Address to mail the link to, if this server sends mail."""


class TokenNew(Input):
    name: Name
    permission: Literal["read", "manage"]
    fleet: str | None = Field(default=None, max_length=200)
    """Id or name of the one fleet that it is limited to."""
    expires_at: AwareDatetime | None = None


class OidcBegin(Input):
    to: str = Field(default="/", max_length=2000)
    """Path of this server to go to afterwards."""
    link: Secret | None = None
    """Secret of an invitation, for people without an account."""


# --- responses


class PersonResponse(Exact):
    id: uuid.UUID
    name: str
    email: str | None
    server_admin: bool
    has_password: bool
    has_oidc: bool


class PlaceResponse(Exact):
    id: uuid.UUID
    name: str
    role: Role


class OwnFleet(PlaceResponse):
    visibility: str
    where: str
    """Filter of the group that the role is limited to; empty for the whole fleet."""


class Ways(Exact):
    """Ways to sign in at this address."""

    passkey: bool
    password: bool
    oidc: str | None
    """Host of the organisation's own sign-in."""


class SessionResponse(Exact):
    person: PersonResponse | None
    fleets: list[OwnFleet]
    ways: Ways
    mail: bool
    """Whether this server can send invitations by mail."""


class Browser(Exact):
    id: uuid.UUID
    browser: str
    created_at: Time
    last_used_at: Time
    here: bool


class Browsers(Exact):
    items: list[Browser]


class Ended(Exact):
    ended: int


class PasskeyResponse(Exact):
    id: str
    name: str
    created_at: Time
    last_used_at: Time | None


class Passkeys(Exact):
    items: list[PasskeyResponse]


class PersonToken(Exact):
    id: uuid.UUID
    name: str
    permission: Literal["read", "manage"]
    fleet: PlaceResponse | None
    created_at: Time
    last_used_at: Time | None
    expires_at: Time | None


class PersonTokens(Exact):
    items: list[PersonToken]


class PersonTokenMade(PersonToken):
    secret: str
    """Shown only once."""


class LinkResponse(Exact):
    purpose: Literal["first_admin", "invitation", "claim"]
    fleet: str | None
    role: Role | None
    """null for a claim."""
    where: str
    """Filter of the group that the role is limited to."""
    email: str | None
    invited_by: str | None
    machine_id: str | None
    """The Mac, for a claim."""
    accounts: bool
    """Whether it can be used to create an account."""
    expires_at: str


class InvitationResponse(Exact):
    id: uuid.UUID
    fleet: str | None
    role: Role
    where: str
    email: str | None
    invited_by: str | None
    created_at: Time
    expires_at: Time


class Invitations(Exact):
    items: list[InvitationResponse]


class InvitationMade(InvitationResponse):
    link: str
    """Shown only once."""
    mailed: bool
    mail_problem: str | None


class OidcAddress(Exact):
    address: str


class Personal(Exact):
    """All that a server has about a person, each part as its table has it."""

    account: Json
    passkeys: list[Json]
    sessions: list[Json]
    tokens: list[Json]
    fleets: list[Json]
    machines: list[Json]
    comparisons: list[Json]
    comments: list[Json]
    acts: list[Json]
