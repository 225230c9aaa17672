"""Passkeys: options for browsers and verification of their responses.

`webauthn` is imported where it is used, since few requests need it.
"""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import Json
from macmeter.accounts import challenges
from macmeter.models import Passkey
from macmeter.platform.errors import Problem, invalid, not_found

# Purposes of challenges.
SIGN_IN, ADD, JOIN = "passkey.sign_in", "passkey.add", "passkey.join"
MOST = 20
_NAME = "Macmeter"
_MOST_NAME = 60


@dataclass(frozen=True)
class Site:
    """Relying party that passkeys are bound to: host name and page origin."""

    host: str
    origin: str


@dataclass(frozen=True)
class Answer:
    """Untrusted JSON from navigator.credentials, with the challenge it claims to answer."""

    content: Json
    challenge: bytes


@dataclass(frozen=True)
class NewPasskey:
    """A verified passkey that isn't assigned to a person yet."""

    credential_id: bytes
    public_key: bytes
    sign_count: int
    transports: list[str]


async def ask_for_new(
    connection: AsyncConnection, site: Site, purpose: str, name: str, now: datetime, **details: Any
) -> Json:
    """Options for navigator.credentials.create(), for somebody who is called `name`."""
    from webauthn import generate_registration_options
    from webauthn.helpers import options_to_json_dict, structs

    person_id = uuid.UUID(details["person"])
    ids = await connection.scalars(
        select(Passkey.credential_id).where(Passkey.person_id == person_id)
    )
    options = generate_registration_options(
        rp_id=site.host,
        rp_name=_NAME,
        user_id=person_id.bytes,
        user_name=name,
        challenge=await challenges.begin(connection, purpose, now, **details),
        authenticator_selection=structs.AuthenticatorSelectionCriteria(
            resident_key=structs.ResidentKeyRequirement.REQUIRED,
            require_resident_key=True,
            user_verification=structs.UserVerificationRequirement.REQUIRED,
        ),
        exclude_credentials=[structs.PublicKeyCredentialDescriptor(id=key) for key in ids],
    )
    return options_to_json_dict(options)


def read_answer(content: Json) -> Answer:
    """Parse a response with its challenge. Raise 422 if no browser could have sent it."""
    from webauthn import base64url_to_bytes
    from webauthn.helpers import parse_client_data_json

    try:
        client_data = base64url_to_bytes(content["response"]["clientDataJSON"])
        return Answer(content, bytes(parse_client_data_json(client_data).challenge))
    except Exception:  # untrusted input, decoded in many ways
        detail = "credential is not a passkey response from a browser."
        raise invalid("/credential", detail) from None


def new_passkey(site: Site, answer: Answer) -> NewPasskey:
    """Verify a registration. Raise 403 if it is invalid. The caller has consumed the challenge."""
    from webauthn import verify_registration_response

    with _refused():
        key = verify_registration_response(
            credential=answer.content,
            expected_challenge=answer.challenge,
            expected_rp_id=site.host,
            expected_origin=site.origin,
            require_user_verification=True,
        )
    stated = answer.content["response"].get("transports")
    transports = [str(name)[:20] for name in stated[:10]] if isinstance(stated, list) else []
    return NewPasskey(key.credential_id, key.credential_public_key, key.sign_count, transports)


async def keep(
    connection: AsyncConnection, new: NewPasskey, person_id: uuid.UUID, name: str
) -> None:
    """Store a passkey. Raise 409 if it is already registered or the account has too many."""
    count = select(func.count()).where(Passkey.person_id == person_id)
    if (await connection.scalar(count) or 0) >= MOST:
        detail = f"An account can have {MOST} passkeys. Delete one first."
        raise Problem(409, "too_many_passkeys", "Too many", detail)
    query = select(Passkey.credential_id).where(Passkey.credential_id == new.credential_id)
    if await connection.scalar(query) is not None:
        detail = "This passkey already belongs to an account."
        raise Problem(409, "passkey_known", "Already registered", detail)
    values = {**vars(new), "person_id": person_id, "name": name[:_MOST_NAME]}
    await connection.execute(insert(Passkey).values(values))


async def ask_for_known(connection: AsyncConnection, site: Site, now: datetime) -> Json:
    """Options for navigator.credentials.get(), for any passkey of the reader for this site."""
    from webauthn import generate_authentication_options
    from webauthn.helpers import options_to_json_dict, structs

    options = generate_authentication_options(
        rp_id=site.host,
        challenge=await challenges.begin(connection, SIGN_IN, now),
        user_verification=structs.UserVerificationRequirement.REQUIRED,
    )
    return options_to_json_dict(options)


async def verify_sign_in(
    connection: AsyncConnection, site: Site, answer: Answer, now: datetime
) -> uuid.UUID:
    """Verify a sign-in and return the passkey's owner. Raise 403 for an unknown passkey or an
    invalid response.

    The caller has consumed the challenge.
    """
    from webauthn import base64url_to_bytes, verify_authentication_response

    with _refused():
        credential_id = base64url_to_bytes(answer.content["rawId"])
    query = select(Passkey.person_id, Passkey.public_key, Passkey.sign_count).where(
        Passkey.credential_id == credential_id
    )
    row = (await connection.execute(query.with_for_update())).one_or_none()
    if row is None:
        unknown = "This server doesn't know this passkey."
        raise refusal(f"{unknown} It may have been removed from its account.")
    with _refused():
        checked = verify_authentication_response(
            credential=answer.content,
            expected_challenge=answer.challenge,
            expected_rp_id=site.host,
            expected_origin=site.origin,
            credential_public_key=row.public_key,
            credential_current_sign_count=row.sign_count,
            require_user_verification=True,
        )
    person_id: uuid.UUID = row.person_id
    statement = update(Passkey).where(_is_theirs(person_id, credential_id))
    await connection.execute(statement.values(sign_count=checked.new_sign_count, last_used_at=now))
    return person_id


async def rename(
    connection: AsyncConnection, person_id: uuid.UUID, credential_id: bytes, name: str
) -> None:
    """Rename a passkey. Raise 404 if the person has no such passkey."""
    statement = update(Passkey).where(_is_theirs(person_id, credential_id))
    if not (await connection.execute(statement.values(name=name[:_MOST_NAME]))).rowcount:
        raise not_found("passkey")


async def remove(connection: AsyncConnection, person_id: uuid.UUID, credential_id: bytes) -> str:
    """Delete a passkey and return its name. Raise 404 if the person has no such passkey."""
    statement = delete(Passkey).where(_is_theirs(person_id, credential_id))
    name: str | None = await connection.scalar(statement.returning(Passkey.name))
    if name is None:
        raise not_found("passkey")
    return name


def _is_theirs(person_id: uuid.UUID, credential_id: bytes) -> ColumnElement[bool]:
    return and_(Passkey.credential_id == credential_id, Passkey.person_id == person_id)


def refusal(detail: str) -> Problem:
    return Problem(403, "sign_in_refused", "Not signed in", detail)


@contextmanager
def _refused() -> Iterator[None]:
    """Turn every error of the library into 403, because it decodes untrusted input."""
    try:
        yield
    except Exception:
        raise refusal("This passkey couldn't be verified. Try again.") from None
