"""A person's own account: name, password, passkeys, export and deletion."""

import base64
import binascii
from datetime import UTC, datetime
from typing import Annotated

from fastapi import Query, Request
from fastapi.responses import JSONResponse, Response
from pydantic import Field
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import Json
from macmeter.accounts import (
    audit,
    challenges,
    passkeys,
    passwords,
    schemas,
    service,
    sessions,
    tokens,
)
from macmeter.accounts.session_router import render_session, require_passwords, require_site
from macmeter.accounts.sessions import SignedIn
from macmeter.fleets import personal
from macmeter.models import Passkey, Person
from macmeter.platform.errors import Problem, invalid, not_found
from macmeter.platform.schema import Input
from macmeter.server.dependencies import CurrentServer, Here, drop_session, rows
from macmeter.server.http.responses import json_response
from macmeter.server.http.routing import Router, refusals

router = Router(prefix="/api/v1/account", tags=["account"])


@router.patch("", responses=refusals(409))
async def change_account(
    body: schemas.AccountChanges, request: Request, server: CurrentServer, session: Here
) -> schemas.SessionResponse:
    """Change your name or email address."""
    changes = body.model_dump(exclude_none=True)
    person_id = session.member.person_id
    async with server.writing.begin() as connection:
        if body.email is not None:
            query = select(Person.person_id).where(
                Person.email == body.email, Person.person_id != person_id
            )
            if await connection.scalar(query) is not None:
                raise Problem(
                    409, "email_taken", "Address in use", "Another account uses this address."
                )
        if changes:
            if body.email is not None:
                former = select(Person.email).where(Person.person_id == person_id)
                condition = audit.names_address(former.scalar_subquery())
                await audit.add_person_to_entries(connection, condition, person_id)
            await connection.execute(
                update(Person).where(Person.person_id == person_id).values(changes)
            )
            await audit.note(connection, session.member, "account.change", changed=sorted(changes))
        return await render_session(connection, request, server, session.member)


@router.get("/export", response_model=schemas.Personal, responses=refusals(403))
async def export_account(server: CurrentServer, session: Here) -> Response:
    """Export all that this server has about your account, without secrets."""
    async with server.writing.begin() as connection:
        data = await personal.everything_of(connection, session.member.person_id, datetime.now(UTC))
        await audit.note(connection, session.member, "account.export")
    response = json_response(data)
    response.headers["Content-Disposition"] = 'attachment; filename="macmeter-account.json"'
    return response


class Deletion(Input):
    erase: bool = Field(False, description="also one's links, and one's name in the log")


@router.delete("", status_code=204, responses=refusals(409))
async def delete_account(
    request: Request, server: CurrentServer, session: Here, query: Annotated[Deletion, Query()]
) -> Response:
    """Delete your account, at once and for good, with its passkeys, sessions and tokens.

    What it did stays in the audit log, with its name unless that is erased. Refused for the last
    admin of a fleet or of the server.
    """
    async with server.writing.begin() as connection:
        if query.erase:
            await personal.erase(connection, session.member.person_id)
        else:
            await audit.note(connection, session.member, "account.delete")
            await service.remove(connection, session.member.person_id)
    response = Response(status_code=204)
    drop_session(response, request)
    return response


@router.put("/password", status_code=204, responses=refusals(409))
async def set_password(
    body: schemas.NewPasswordSet, request: Request, server: CurrentServer, session: Here
) -> None:
    """Set a password, or change it by sending the current one.

    A change ends your other sessions and revokes your tokens, because whoever knew the old password
    may have made them.
    """
    require_passwords(request, server)
    person_id = session.member.person_id
    query = select(Person.email, Person.password_hash).where(Person.person_id == person_id)
    async with server.writing.connect() as connection:
        row = (await connection.execute(query)).one()
    if row.email is None:
        detail = "Add an email address first: people sign in with it."
        raise Problem(409, "email_missing", "No email address", detail)
    former = row.password_hash
    if former is not None and not await passwords.matches(body.current or "", former):
        raise invalid("/current", "This is not your current password.", "wrong_password")
    new_hash = await passwords.hashed(body.password)
    async with server.writing.begin() as connection:
        result = await connection.execute(
            update(Person)
            .where(Person.person_id == person_id, Person.password_hash.is_not_distinct_from(former))
            .values(password_hash=new_hash)
        )
        if result.rowcount == 0:
            detail = "Your account was changed elsewhere. Reload the page."
            raise Problem(409, "changed_meanwhile", "Changed meanwhile", detail)
        ended = await _end_others(connection, session) if former is not None else {}
        await audit.note(connection, session.member, "password.set", None, **ended)


@router.delete("/password", status_code=204, responses=refusals(409))
async def remove_password(server: CurrentServer, session: Here) -> None:
    """Remove your password, if you have another way to sign in. Ends the same as a change."""
    person_id = session.member.person_id
    async with server.writing.begin() as connection:
        await service.lock(connection, person_id)
        await connection.execute(
            update(Person).where(Person.person_id == person_id).values(password_hash=None)
        )
        await service.require_a_way_to_sign_in(connection, person_id)
        ended = await _end_others(connection, session)
        await audit.note(connection, session.member, "password.remove", None, **ended)


async def _end_others(connection: AsyncConnection, session: SignedIn) -> dict[str, int]:
    """End other sessions and all tokens, which somebody with the old credential may have made."""
    person_id, now = session.member.person_id, datetime.now(UTC)
    return {
        "sessions": await sessions.end_all(connection, person_id, but=session.session_id),
        "tokens": await tokens.end_all_of(connection, person_id, now),
    }


@router.get("/passkeys", responses=refusals(403))
async def list_passkeys(server: CurrentServer, session: Here) -> schemas.Passkeys:
    """List your passkeys, oldest first."""
    columns = (Passkey.credential_id.label("id"), Passkey.name)
    query = (
        select(*columns, Passkey.created_at, Passkey.last_used_at)
        .where(Passkey.person_id == session.member.person_id)
        .order_by(Passkey.created_at)
    )
    async with server.writing.connect() as connection:
        items = await rows(connection, query)
    return {"items": [row | {"id": _encode_id(row["id"])} for row in items]}


@router.post("/passkeys/options", response_model=Json)
async def ask_for_new_passkey(request: Request, server: CurrentServer, session: Here) -> Response:
    """Return options for `navigator.credentials.create()`."""
    site, member = require_site(request, server), session.member
    async with server.writing.begin() as connection:
        options = await passkeys.ask_for_new(
            connection,
            site,
            passkeys.ADD,
            member.name,
            datetime.now(UTC),
            person=str(member.person_id),
        )
    return JSONResponse(options)


@router.post("/passkeys", status_code=201, responses=refusals(409))
async def add_passkey(
    body: schemas.PasskeyNew, request: Request, server: CurrentServer, session: Here
) -> schemas.Passkeys:
    """Store the result of `navigator.credentials.create()`."""
    site, member = require_site(request, server), session.member
    answer = passkeys.read_answer(body.credential)
    async with server.writing.begin() as connection:
        details = await challenges.take(
            connection, passkeys.ADD, answer.challenge, datetime.now(UTC)
        )
    if details["person"] != str(member.person_id):
        raise passkeys.refusal("Somebody else began this sign-in. Start again.")
    new = passkeys.new_passkey(site, answer)
    async with server.writing.begin() as connection:
        await service.lock(connection, member.person_id)
        await passkeys.keep(connection, new, member.person_id, body.name)
        await audit.note(connection, member, "passkey.add", name=body.name)
    return await list_passkeys(server, session)


@router.patch("/passkeys/{passkey_id}", status_code=204)
async def rename_passkey(
    passkey_id: str, body: schemas.Renamed, server: CurrentServer, session: Here
) -> None:
    """Rename a passkey."""
    async with server.writing.begin() as connection:
        person_id = session.member.person_id
        await passkeys.rename(connection, person_id, _decode_id(passkey_id), body.name)
        await audit.note(connection, session.member, "passkey.rename", name=body.name)


@router.delete("/passkeys/{passkey_id}", status_code=204, responses=refusals(409))
async def remove_passkey(passkey_id: str, server: CurrentServer, session: Here) -> None:
    """Remove a passkey, if you have another way to sign in.

    Ends the same as a change of the password: the device that has it may be lost.
    """
    async with server.writing.begin() as connection:
        person_id = session.member.person_id
        await service.lock(connection, person_id)
        name = await passkeys.remove(connection, person_id, _decode_id(passkey_id))
        await service.require_a_way_to_sign_in(connection, person_id)
        ended = await _end_others(connection, session)
        await audit.note(connection, session.member, "passkey.remove", None, name=name, **ended)


def _encode_id(credential_id: bytes) -> str:
    return base64.urlsafe_b64encode(credential_id).rstrip(b"=").decode()


def _decode_id(passkey_id: str) -> bytes:
    try:
        padded = passkey_id + "=" * (-len(passkey_id) % 4)
        return base64.b64decode(padded.encode("ascii"), altchars=b"-_", validate=True)
    except (binascii.Error, UnicodeEncodeError):
        raise not_found("passkey") from None
