"""A Mac without a fleet: the agent's real binary enrols, uploads, and its owner claims it."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import subprocess
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from macmeter.models import Machine, Run
from sqlalchemy import select, update
from support import people
from support.agent import Agent
from support.live_server import ForkedServer, LiveServer

MINIMAL = Path(__file__).parents[1] / "documents" / "minimal.json"
FAILURE, USAGE, ENROL_AGAIN, NOT_ENROLLED = 1, 64, 77, 78


@pytest.fixture
def server(published_database_url: str, tmp_path: Path) -> Iterator[LiveServer]:
    (tmp_path / "server").mkdir()
    with ForkedServer(tmp_path / "server", DATABASE_URL=published_database_url) as server:
        yield server


def attempt(agent: Agent, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [agent.command, *arguments],
        env=agent.environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


def measured(agent: Agent, home: Path) -> str:
    """Queue a small run for upload; return the machine's id."""
    machine = json.loads((home / "identity.json").read_bytes())["machine_id"]
    document = json.loads(MINIMAL.read_bytes())
    document["machine"]["id"] = machine
    document["id"] = f"0193a2b4-5c6d-7e8f-9a0b-{uuid.uuid4().hex[:12]}"
    (home / "pending" / f"{document['id']}.json").write_text(json.dumps(document))
    return str(machine)


async def test_a_mac_is_enrolled_claimed_deleted_and_says_so(
    server: LiveServer, published_database_url: str, agent_command: str, tmp_path: Path
) -> None:
    home = tmp_path / "mac"
    agent = Agent(agent_command, home)
    early = attempt(agent, "claim")
    assert (early.returncode, early.stdout) == (NOT_ENROLLED, "")
    assert "macmeter enroll --server URL" in early.stderr
    said = agent.run("enroll", "--server", server.url, "--yes").stderr
    assert "Everyone will be able to see" in said
    machine = uuid.UUID(measured(agent, home))
    agent.run("upload")
    claim = agent.run("claim")
    address, secret = claim.stdout.strip().split("#")
    assert address == f"{server.url}/claim"
    assert "works once" in claim.stderr
    link = json.loads(agent.run("claim", "--json").stdout)["link"]
    assert link.split("#")[1] != secret, "a newer link ends the one before"
    ada = people.make_person(published_database_url)
    accepted = server.ask(
        "/api/v1/invitations/accept",
        "POST",
        json={"secret": link.split("#")[1]},
        headers=await people.sign_in(published_database_url, ada),
    )
    assert accepted.status_code == 201, accepted.text
    with people.writing(published_database_url) as connection:
        owner = select(Machine.claimed_by).where(Machine.machine_id == machine)
        assert connection.scalar(owner) == ada
    again = attempt(agent, "claim")
    assert (again.returncode, again.stdout) == (FAILURE, "")
    assert "Somebody else has claimed this Mac" in again.stderr
    headers = people.token_of(published_database_url, ada, "manage")
    gone = server.ask(f"/api/v1/machines/{machine}", "DELETE", headers=headers)
    assert gone.json() == {"outcome": "deleted", "runs": 1}
    with people.writing(published_database_url) as connection:
        assert connection.scalar(select(Run.run_id).where(Run.machine_id == machine)) is None
    told = attempt(agent, "claim")
    assert told.returncode == ENROL_AGAIN
    assert "This token was revoked" in told.stderr


def test_a_mac_of_a_fleet_is_told_whose_it_is(
    server: LiveServer, published_database_url: str, agent_command: str, tmp_path: Path
) -> None:
    agent = Agent(agent_command, tmp_path / "mac")
    fleet_id = people.make_fleet(published_database_url, "acme")
    secret = people.make_secret(published_database_url, fleet_id)
    agent.run("enroll", "--server", server.url, "--secret", secret, "--yes")
    refused = attempt(agent, "claim")
    assert (refused.returncode, refused.stdout) == (FAILURE, "")
    assert "This Mac belongs to a fleet" in refused.stderr


def at_terminal(agent: Agent, *arguments: str) -> str:
    """Output at a terminal where somebody agrees."""
    ours, theirs = pty.openpty()
    os.write(ours, b"y\n")
    done = subprocess.run(
        [agent.command, *arguments],
        env=agent.environment,
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=theirs,
        check=False,
        timeout=600,
    )
    os.close(theirs)
    said = b""
    with contextlib.suppress(OSError):
        while part := os.read(ours, 65_536):
            said += part
    os.close(ours)
    assert done.returncode == 0, said
    return said.decode()


def runs_of(url: str, machine: str) -> int:
    with people.writing(url) as connection:
        stored = select(Run.run_id).where(Run.machine_id == uuid.UUID(machine))
        return len(connection.scalars(stored).all())


async def test_after_its_fleet_was_published_a_mac_returns_by_its_old_token_or_a_secret(
    server: LiveServer, published_database_url: str, agent_command: str, tmp_path: Path
) -> None:
    url, home = published_database_url, tmp_path / "mac"
    fleet_id = people.make_fleet(url, "acme")
    agent = Agent(agent_command, home)
    secret = people.make_secret(url, fleet_id)
    agent.run("enroll", "--server", server.url, "--secret", secret, "--yes")
    machine = measured(agent, home)
    agent.run("upload")
    admin = people.make_person(url, roles={fleet_id: "admin"})
    headers = await people.sign_in(url, admin)
    deleted = server.ask(
        "/api/v1/fleets/acme?name=acme&runs=publish&consent=true", "DELETE", headers=headers
    )
    assert deleted.json() == {"runs": 1}
    measured(agent, home)
    assert attempt(agent, "upload").returncode == ENROL_AGAIN

    # Its file still has the old token. A fleet's data becomes public only if a person agrees.
    unasked = attempt(agent, "enroll", "--server", server.url, "--yes")
    assert unasked.returncode == USAGE
    assert "enroll without --yes and agree" in unasked.stderr
    assert "Everyone will be able to see" in at_terminal(agent, "enroll", "--server", server.url)
    agent.run("upload")
    assert runs_of(url, machine) == 2

    # Now that is lost, and the agent's key proves it.
    (home / "enrolment.json").unlink()
    agent.run("enroll", "--server", server.url, "--yes")
    # Without both, the id alone is not enough, and the refusal says what is.
    (home / "enrolment.json").unlink()
    with people.writing(url) as connection:
        connection.execute(update(Machine).values(proof_sha256=None))
    refused = attempt(agent, "enroll", "--server", server.url, "--yes")
    assert refused.returncode != 0
    assert "a secret for this Mac that its owner or an admin of this server" in refused.stderr
    root = await people.sign_in(url, people.make_person(url, "Root", server_admin=True))
    made = server.ask(f"/api/v1/machines/{machine}/secret", "POST", headers=root)
    assert made.status_code == 201, made.text
    command = made.json()["command"].split()[1:]
    agent.run(*command, "--yes")
    measured(agent, home)
    agent.run("upload")
    assert runs_of(url, machine) == 3
    identity = json.loads((home / "identity.json").read_bytes())
    assert identity["machine_id"] == machine
