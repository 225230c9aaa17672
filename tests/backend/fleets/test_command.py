"""`macmeter-server fleet` prints what a Mac needs to enrol."""

from __future__ import annotations

import shlex
import uuid

from macmeter.models import Act, Fleet
from sqlalchemy import select
from support import commands as server_commands
from support import people
from support.server import serving


async def test_a_fleet_is_made_once_and_each_secret_lets_macs_in(database_url: str) -> None:
    commands: list[list[str]] = []
    for _ in range(2):
        process = server_commands.command(database_url, "fleet", "Studio")
        assert process.returncode == 0, process.stderr
        commands.append(shlex.split(process.stdout))
    assert [words[:3] for words in commands] == [["macmeter", "enroll", "--server"]] * 2
    async with serving(database_url) as server:
        for words in commands:
            body = {"secret": words[-1], "machine_id": str(uuid.uuid4())}
            enrolled = await server.client.post("/api/v1/enroll", json=body)
            assert enrolled.json()["fleet"] == "Studio"
    with people.writing(database_url) as connection:
        assert list(connection.scalars(select(Fleet.visibility))) == ["private"]
        first = list(connection.execute(select(Act.action, Act.by).order_by(Act.act_id)))[:3]
    assert [tuple(row) for row in first] == [
        ("fleet.create", "the server"),
        ("secret.create", "the server"),
        ("secret.create", "the server"),
    ]


def test_a_name_that_is_none_is_refused(database_url: str) -> None:
    process = server_commands.command(database_url, "fleet", "a/b")
    assert process.returncode == 2
    assert "a/b" in process.stderr
