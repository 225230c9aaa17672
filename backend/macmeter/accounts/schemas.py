"""Shapes of accounts: what people send about their own, and what they get back."""

from __future__ import annotations

import uuid
from typing import Annotated, Literal

from pydantic import AwareDatetime, Field, StringConstraints

from macmeter import Json
from macmeter.accounts.passwords import LONGEST, SHORTEST
from macmeter.accounts.people import Role
from macmeter.platform import mail_address
from macmeter.platform.plain_text import SEEN
from macmeter.platform.schema import Exact, Input, Time, one_line

Name = Annotated[str, one_line(80), SEEN]
Email = Annotated[
    str,
    StringConstraints(strip_whitespace=True, to_lower=True, max_length=mail_address.LONGEST),
    mail_address.ADDRESS,
]
# Of one that is kept, and of one that is only looked at.
NewPassword = Annotated[str, StringConstraints(min_length=SHORTEST, max_length=LONGEST)]
Password = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST)]
Secret = Annotated[str, StringConstraints(min_length=1, max_length=200)]


# --- what is sent


class PasswordSignIn(Input):
    email: Email
    password: Password


class PasskeyAnswer(Input):
    """What `navigator.credentials` gave, as its `toJSON()` has it."""

    credential: Json


class PasskeyNew(PasskeyAnswer):
    name: Name


class Renamed(Input):
    name: Name


class AccountChanges(Input):
    """What is left out stays."""

    name: Name | None = None
    email: Email | None = None


class NewPasswordSet(Input):
    password: NewPassword
    current: Password | None = None
    """The one so far, if there is one."""


class LinkSecret(Input):
    secret: Secret


class PasskeyForLink(LinkSecret):
    name: Name


class AccountNew(Input):
    """With a passkey, or with a password and the address to sign in by."""

    name: Name
    email: Email | None = None
    password: NewPassword | None = None
    credential: Json | None = None


class Accepted(LinkSecret):
    account: AccountNew | None = None
    """None for whoever is signed in."""


class InvitationNew(Input):
    fleet: str | None = Field(default=None, max_length=200)
    """Its id or name. null invites somebody to administer the server."""
    role: Role
    email: Email | None = None
    """Where the link is mailed, if this server sends mail."""


class TokenNew(Input):
    name: Name
    permission: Literal["read", "manage"]
    fleet: str | None = Field(default=None, max_length=200)
    """The id or name of the one fleet it is good for."""
    expires_at: AwareDatetime | None = None


class OidcBegin(Input):
    to: str = Field(default="/", max_length=2000)
    """Where to go then: a path of this server."""
    link: Secret | None = None
    """The secret of an invitation, for whoever has no account yet."""


# --- responses


class PersonTold(Exact):
    id: uuid.UUID
    name: str
    email: str | None
    server_admin: bool
    has_password: bool
    has_oidc: bool


class PlaceTold(Exact):
    id: uuid.UUID
    name: str
    role: Role


class OwnFleet(PlaceTold):
    visibility: str


class Ways(Exact):
    """How one signs in at this address."""

    passkey: bool
    password: bool
    oidc: str | None
    """The host of the organisation's own sign-in."""


class SessionTold(Exact):
    person: PersonTold | None
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


class PasskeyTold(Exact):
    id: str
    name: str
    created_at: Time
    last_used_at: Time | None


class Passkeys(Exact):
    items: list[PasskeyTold]


class PersonToken(Exact):
    id: uuid.UUID
    name: str
    permission: Literal["read", "manage"]
    fleet: PlaceTold | None
    created_at: Time
    last_used_at: Time | None
    expires_at: Time | None


class PersonTokens(Exact):
    items: list[PersonToken]


class PersonTokenMade(PersonToken):
    secret: str
    """Shown this once."""


class LinkTold(Exact):
    purpose: Literal["first_admin", "invitation", "claim"]
    fleet: str | None
    role: Role | None
    """null for a claim."""
    email: str | None
    invited_by: str | None
    machine_id: str | None
    """Of a claim."""
    accounts: bool
    """Whether somebody new may make an account with it."""
    expires_at: str


class InvitationTold(Exact):
    id: uuid.UUID
    fleet: str | None
    role: Role
    email: str | None
    invited_by: str | None
    created_at: Time
    expires_at: Time


class Invitations(Exact):
    items: list[InvitationTold]


class InvitationMade(InvitationTold):
    link: str
    """Shown this once."""
    mailed: bool
    mail_problem: str | None


class OidcAddress(Exact):
    address: str


class Personal(Exact):
    """All that a server has of a person; each part as its table says it."""

    account: Json
    passkeys: list[Json]
    sessions: list[Json]
    tokens: list[Json]
    fleets: list[Json]
    machines: list[Json]
    comparisons: list[Json]
    comments: list[Json]
    acts: list[Json]
