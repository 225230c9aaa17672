"""Signing in with passkeys and passwords, as pages do."""

from __future__ import annotations

import httpx

from support import people
from support.authenticator import Authenticator, Json
from support.server import Server

SESSION = "/api/v1/session"
PASSWORD = "correct horse battery"
LOCAL = {"Host": "localhost", **people.OWN_PAGE}
HERE = people.OWN_PAGE


async def post(
    server: Server, path: str, body: Json | None = None, headers: dict[str, str] = HERE
) -> httpx.Response:
    return await server.client.post(f"/api/v1{path}", json=body, headers=headers)


async def told(server: Server, **headers: str) -> Json:
    response = await server.client.get(SESSION, headers=headers)
    assert response.status_code == 200, response.text
    session: Json = response.json()
    return session


async def joined(server: Server, passkey: Authenticator, name: str = "Ada") -> httpx.Response:
    """Accept a link to administer the server with a new passkey."""
    secret = people.admin_link(server.database_url)
    choice = await post(
        server, "/invitations/passkey/options", {"secret": secret, "name": name}, LOCAL
    )
    assert choice.status_code == 200, choice.text
    account = {"name": name, "credential": passkey.create(choice.json())}
    return await post(server, "/invitations/accept", {"secret": secret, "account": account}, LOCAL)


async def with_password(server: Server, email: str = "ada@example.org") -> None:
    secret = people.admin_link(server.database_url)
    account = {"name": "Ada", "email": email, "password": PASSWORD}
    response = await post(server, "/invitations/accept", {"secret": secret, "account": account})
    assert response.status_code == 201, response.text
    server.client.cookies.clear()


async def by_passkey(server: Server, passkey: Authenticator) -> httpx.Response:
    choice = await post(server, "/session/passkey/options", headers=LOCAL)
    assert choice.status_code == 200, choice.text
    return await post(server, "/session/passkey", {"credential": passkey.get(choice.json())}, LOCAL)


async def by_password(server: Server, password: str, **headers: str) -> httpx.Response:
    body = {"email": "ada@example.org", "password": password}
    return await post(server, "/session/password", body, HERE | headers)
