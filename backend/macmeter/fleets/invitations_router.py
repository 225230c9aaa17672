"""Links that work once: to join a fleet, to administer the server, to claim a Mac.

Whoever opens one has an account or creates one.
"""

import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from fastapi import Query, Request
from fastapi.responses import JSONResponse, Response
from sqlalchemy import false, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import Json
from macmeter.accounts import (
    audit,
    challenges,
    one_time_links,
    passkeys,
    passwords,
    people,
    schemas,
    service,
)
from macmeter.accounts.one_time_links import CLAIM, INVITATION, Invitation, Link
from macmeter.accounts.people import ADMIN, Member, find_member, where_of
from macmeter.accounts.quota import spend_invitation, spend_mail
from macmeter.accounts.service import Account
from macmeter.accounts.session_router import (
    Attempt,
    attempted,
    require_passwords,
    require_site,
    session_response,
)
from macmeter.accounts.tokens import secret_hash
from macmeter.fleets.service import RoleGrant, group_of_role, with_where
from macmeter.models import Act, Fleet, OneTimeLink
from macmeter.models import Person as People
from macmeter.platform import mail
from macmeter.platform.errors import Problem, invalid, not_found
from macmeter.platform.isolation import Isolated
from macmeter.platform.outbound import OutboundThreads
from macmeter.platform.plain_text import plain_name
from macmeter.server.dependencies import (
    Actor,
    CurrentServer,
    Person,
    Server,
    public_address,
    rows,
    signed_in,
)
from macmeter.server.http.hosts import client_address
from macmeter.server.http.routing import Router, refusals

router = Router(prefix="/api/v1/invitations", tags=["invitations"])
_MAILS = OutboundThreads("invitations", 4)


@router.get("", responses=refusals(404))
async def list_invitations(
    server: CurrentServer, by: Person, fleet: str | None = Query(default=None, max_length=200)
) -> schemas.Invitations:
    """List valid invitations, newest first: of one fleet, or of all that you administer."""
    fleet_ids = {by.administered_fleet(fleet).fleet_id} if fleet is not None else by.administers
    async with server.writing.connect() as connection:
        invitations = await rows(
            connection, _open_invitations(fleet_ids, by).where(one_time_links.sender_may_invite())
        )
    return {"items": [with_where(row) for row in invitations]}


@router.post("", status_code=201, responses=refusals(404, 429))
async def invite(
    body: schemas.InvitationNew, request: Request, server: CurrentServer, by: Actor
) -> schemas.InvitationMade:
    """Invite somebody to a fleet or to administer the server.

    The link is shown once, and mailed if this server can.
    """
    if not isinstance(by, Member):
        detail = "Only a person who is signed in, or their token, can invite people."
        raise Problem(403, "not_a_person", "Person needed", detail)
    fleet_id, fleet_name = _invited_fleet(by, body)
    now = datetime.now(UTC)
    can_mail = body.email is not None and server.settings.smtp_host is not None
    await _spend_quota(request, server, by, body.email if can_mail else None, now)
    async with server.writing.begin() as connection:
        limited_to = await group_of_role(connection, fleet_id, RoleGrant(body.role, body.where))
        invitation = Invitation(fleet_id, body.role, body.email, limited_to)
        link_id, secret = await one_time_links.invite(connection, invitation, by.person_id, now)
        details = {"role": body.role, "link": str(link_id)}
        details |= {"email": body.email} if body.email else {}
        details |= {"where": body.where} if body.where else {}
        await audit.note(connection, by, "invitation.make", fleet_id, **details)
        (row,) = await rows(connection, _INVITATIONS.where(OneTimeLink.link_id == link_id))
    link = one_time_links.address_of(public_address(request, server), secret)
    problem = None
    if can_mail:
        problem = await _send_mail(
            server, str(body.email), _invitation_mail(by.name, fleet_name, link)
        )
    mailed = {"mailed": can_mail and problem is None, "mail_problem": problem}
    answer: schemas.InvitationMade = with_where(row) | mailed | {"link": link}
    return answer


async def _spend_quota(
    request: Request, server: Server, by: Member, recipient: str | None, now: datetime
) -> None:
    """Count an invitation, and its mail if it is sent. Raise 429 if there were too many."""
    limits, address = server.settings, client_address(request, server.proxies)
    async with server.writing.begin() as connection:
        refusal = await spend_invitation(connection, limits, by.person_id, now)
        if refusal is None and recipient is not None:
            refusal = await spend_mail(connection, limits, address, recipient, now)
    # Raised after the commit: refused ones count too.
    if refusal is not None:
        raise refusal


@router.delete("/{link_id}", status_code=204)
async def revoke_invitation(link_id: uuid.UUID, server: CurrentServer, by: Actor) -> None:
    """Revoke a link that nobody has used."""
    if not isinstance(by, Member):
        raise not_found("invitation")
    async with server.writing.begin() as connection:
        query = _open_invitations(by.administers, by).where(OneTimeLink.link_id == link_id)
        query = query.add_columns(OneTimeLink.fleet_id)
        row = (await connection.execute(query)).one_or_none()
        if row is None:
            raise not_found("invitation")
        await one_time_links.revoke(connection, link_id)
        await audit.note(connection, by, "invitation.revoke", row.fleet_id, role=row.role)


@router.post("/open", responses=refusals(403, 404, 409, 410, 429))
async def open_link(
    body: schemas.LinkSecret, request: Request, server: CurrentServer
) -> schemas.LinkResponse:
    """Describe what a link invites to. This doesn't use it up."""
    link = await _attempted_link(request, server, body.secret)
    if link.machine_id is not None:
        # Checked before somebody creates an account in vain.
        session = await signed_in(request, server)
        async with server.writing.begin() as connection:
            await one_time_links.require_free(
                connection, link.machine_id, session.member.person_id if session else None
            )
    return {
        "purpose": link.purpose,
        "fleet": link.fleet_name,
        "role": None if link.purpose == CLAIM else link.role or ADMIN,
        "where": where_of(link.limited_to),
        "email": link.email,
        "invited_by": link.made_by,
        "machine_id": str(link.machine_id) if link.machine_id else None,
        "accounts": _may_make_accounts(server, link),
        "expires_at": link.expires_at.isoformat(),
    }


@router.post("/passkey/options", response_model=Json, responses=refusals(403, 404, 410, 429))
async def ask_for_first_passkey(
    body: schemas.PasskeyForLink, request: Request, server: CurrentServer
) -> Response:
    """Return options for `navigator.credentials.create()`, for a new account."""
    site = require_site(request, server)
    link = await _attempted_link(request, server, body.secret)
    require_accounts(server, link)
    async with server.writing.begin() as connection:
        options = await passkeys.ask_for_new(
            connection,
            site,
            passkeys.JOIN,
            body.name,
            datetime.now(UTC),
            person=str(uuid.uuid4()),
            link=str(link.link_id),
        )
    return JSONResponse(options)


@router.post(
    "/accept",
    status_code=201,
    response_model=schemas.SessionResponse,
    responses=refusals(403, 404, 409, 410, 429),
)
async def accept(body: schemas.Accepted, request: Request, server: CurrentServer) -> Response:
    """Accept a link, as the signed-in person or with a new account, and sign in."""
    link = await _attempted_link(request, server, body.secret)
    session = await signed_in(request, server)
    if body.account is not None:
        async with attempted(Attempt(request, server, "link")):
            account, passkey = await _account(request, server, link, body.account)
        async with server.writing.begin() as connection:
            await service.create(connection, account)
            if passkey is not None:
                await passkeys.keep(connection, passkey, account.person_id, "First passkey")
            await join(connection, link, account.person_id)
        return await session_response(request, server, account.person_id, "link")
    if session is None:
        raise invalid("/account", "Sign in first, or give the new account a name: account.name.")
    async with server.writing.begin() as connection:
        await join(connection, link, session.member.person_id)
    return await session_response(request, server, session.member.person_id, "link")


async def join(connection: AsyncConnection, link: Link, person_id: uuid.UUID) -> None:
    """Use a link up, and grant what it is for."""
    await one_time_links.use(connection, link, datetime.now(UTC))
    if link.purpose == CLAIM:
        await _claim(connection, link, person_id)
        return
    # Somebody uninvited may create a fleet and invite themselves, which vouches for nobody.
    grants = {"uninvited": False} if link.counts_as_invited else {}
    if link.fleet_id is None:
        grants["server_admin"] = True
    else:
        role = link.role or "viewer"
        await people.join(connection, link.fleet_id, person_id, role, link.limited_to)
    if grants:
        await connection.execute(update(People).where(People.person_id == person_id).values(grants))
    member = await find_member(connection, person_id)
    invited = (Act.action == "invitation.make") & (Act.details["link"].astext == str(link.link_id))
    await audit.add_person_to_entries(connection, invited, person_id)
    await audit.note(
        connection, member, "invitation.accept", link.fleet_id, role=link.role or ADMIN
    )


async def _claim(connection: AsyncConnection, link: Link, person_id: uuid.UUID) -> None:
    assert link.machine_id is not None
    await one_time_links.claim(connection, link.machine_id, person_id)
    member = await find_member(connection, person_id)
    await audit.note(connection, member, "machine.claim", machine_id=str(link.machine_id))


def _may_make_accounts(server: Server, link: Link) -> bool:
    """Return whether a link may create accounts: an invitation may, a claim only if settings allow
    it.
    """
    settings = server.settings
    return link.purpose != CLAIM or (settings.public_uploads and settings.accounts_by_claim)


def require_accounts(server: Server, link: Link) -> None:
    """Raise 403 if this link can't create accounts here."""
    if not _may_make_accounts(server, link):
        detail = (
            "This server makes accounts by invitation only. Ask its admin for an invitation, then "
            "open this link again."
        )
        raise Problem(403, "accounts_by_invitation", "Accounts by invitation", detail)


async def find_link(server: Server, secret: str) -> Link:
    async with server.writing.connect() as connection:
        return await one_time_links.find(connection, secret_hash(secret), datetime.now(UTC))


async def _attempted_link(request: Request, server: Server, secret: str) -> Link:
    async with attempted(Attempt(request, server, "link")):
        return await find_link(server, secret)


async def _account(
    request: Request, server: Server, link: Link, body: schemas.AccountNew
) -> tuple[Account, passkeys.NewPasskey | None]:
    """Check the new account and its passkey, without storing them."""
    require_accounts(server, link)
    uninvited = not link.counts_as_invited
    if body.credential is not None:
        site = require_site(request, server)
        answer = passkeys.read_answer(body.credential)
        async with server.writing.begin() as connection:
            details = await challenges.take(
                connection, passkeys.JOIN, answer.challenge, datetime.now(UTC)
            )
        if details["link"] != str(link.link_id):
            raise passkeys.refusal("This sign-in began with another link. Open your link again.")
        account = Account(uuid.UUID(details["person"]), body.name, body.email, uninvited=uninvited)
        return account, passkeys.new_passkey(site, answer)
    if body.password is None:
        raise invalid("/account", "A new account needs a passkey or a password.")
    require_passwords(request, server)
    if body.email is None:
        raise invalid("/account/email", "An account with a password needs an email address.")
    password_hash = await passwords.hashed(body.password)
    return Account(uuid.uuid4(), body.name, body.email, password_hash, uninvited=uninvited), None


def _invited_fleet(by: Member, body: schemas.InvitationNew) -> tuple[uuid.UUID | None, str | None]:
    """Return the fleet to invite to. Raise 403 or 404 for people who may not invite there."""
    if body.fleet is not None:
        access = by.administered_fleet(body.fleet)
        return access.fleet_id, access.fleet_name
    if not by.server_admin:
        raise Problem(403, "not_an_admin", "Not an admin", "Only the server's admins can do this.")
    if body.role != ADMIN:
        raise invalid(
            "/role", "The server itself has only admins. Name a fleet to invite a viewer."
        )
    return None, None


_INVITATIONS = (
    select(
        OneTimeLink.link_id.label("id"),
        *(OneTimeLink.role, OneTimeLink.limited_to, OneTimeLink.email),
        *(OneTimeLink.created_at, OneTimeLink.expires_at),
        Fleet.name.label("fleet"),
        People.name.label("invited_by"),
    )
    .outerjoin(Fleet, Fleet.fleet_id == OneTimeLink.fleet_id)
    .outerjoin(People, People.person_id == OneTimeLink.made_by)
    .where(OneTimeLink.purpose == INVITATION)
)


def _open_invitations(fleet_ids: frozenset[uuid.UUID] | set[uuid.UUID], by: Member) -> Any:
    """Open invitations to these fleets, and for the server's admins those to administer it."""
    in_fleets = OneTimeLink.fleet_id.in_(fleet_ids)
    for_server = OneTimeLink.fleet_id.is_(None) if by.server_admin else false()
    is_open = OneTimeLink.used_at.is_(None) & (OneTimeLink.expires_at > datetime.now(UTC))
    return _INVITATIONS.where(in_fleets | for_server, is_open).order_by(
        OneTimeLink.created_at.desc()
    )


def _invitation_mail(by: str, fleet: str | None, link: str) -> Mapping[str, str]:
    """Compose the mail.

    Since it is in the operator's name, it has no words of the sender but names.
    """
    by = plain_name(by)
    what = f"the fleet {plain_name(fleet)}" if fleet else "the administration of a Macmeter server"
    return {
        "subject": f"{by} invites you to {what}",
        "text": f"{by} invites you to {what}. Open this link to accept:\n\n{link}\n\n"
        "It works once, within 7 days. If you don't know what this is about, ignore it.\n",
    }


async def _send_mail(server: Server, to: str, message: Mapping[str, str]) -> str | None:
    """Send a mail. Return None, or why that failed: the link can still be copied."""
    mails = Isolated("mail")
    with mails.item("an invitation"):
        await _MAILS.wait(mail.send, server.settings, to, message["subject"], message["text"])
    return next(iter(mails.failed.values()), None)
