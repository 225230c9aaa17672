"""The agent's real binary in a fleet of the real server: the path of docs/fleet-deployment.md.

Longer than our other files: all of it happens to the Macs of one fleet.
"""

from __future__ import annotations

import json
import os
import plistlib
import re
import shutil
import signal
import subprocess
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from macmeter import models
from macmeter.accounts.rotation import OLD
from macmeter.models import EnrolmentSecret, Machine, Run, Token
from sqlalchemy import select, update
from support import people
from support.agent import Agent
from support.live_server import ForkedServer, LiveServer
from support.proxy import Steps

MINIMAL = Path(__file__).parents[1] / "documents" / "minimal.json"
ALREADY_RUNNING, KEPT, ENROL_AGAIN = 73, 75, 77


class Fleet(NamedTuple):
    server: LiveServer
    url: str
    fleet_id: uuid.UUID
    headers: dict[str, str]

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        return self.server.ask(f"/api/v1/fleets/acme{path}", method, headers=self.headers, **more)

    def secret(self) -> str:
        made = self.ask("POST", "/secrets", json={"name": "Office"})
        assert made.status_code == 201, made.text
        secret: str = made.json()["secret"]
        return secret

    def rows(self, *columns: Any, **where: Any) -> list[Any]:
        with people.writing(self.url) as connection:
            return list(connection.execute(select(*columns).filter_by(**where)))


@pytest.fixture
def fleet(published_database_url: str, tmp_path: Path) -> Iterator[Fleet]:
    fleet_id = people.make_fleet(published_database_url, "acme")
    admin = people.make_person(published_database_url, roles={fleet_id: "admin"})
    headers = people.token_of(published_database_url, admin, "manage")
    (tmp_path / "server").mkdir()
    with ForkedServer(tmp_path / "server", DATABASE_URL=published_database_url) as server:
        yield Fleet(server, published_database_url, fleet_id, headers)


class Mac:
    """One machine's agent, with preferences from a management service."""

    def __init__(self, command: str, home: Path) -> None:
        self.agent = Agent(command, home)
        self.home = home

    @property
    def id(self) -> str:
        return str(json.loads((self.home / "identity.json").read_bytes())["machine_id"])

    @property
    def token(self) -> str:
        return str(json.loads((self.home / "enrolment.json").read_bytes())["token"])

    def measured(self, at: datetime | None = None) -> str:
        """Queue a small run for upload, without the time of a measurement."""
        self.agent.run("runs")
        document = json.loads(MINIMAL.read_bytes())
        document["machine"]["id"] = self.id
        if at is not None:
            document["started_at"] = at.isoformat()
            document.pop("finished_at", None)
        document["id"] = f"0193a2b4-5c6d-7e8f-9a0b-{uuid.uuid4().hex[:12]}"
        path = self.home / "pending" / f"{document['id']}.json"
        path.write_text(json.dumps(document))
        return str(document["id"])

    def prepared(self, server: str, secret: str) -> None:
        """Prepare it like a disk image with a secret, which enrols by itself."""
        self.agent.run("enroll", "--template", "--server", server, "--secret", secret, "--yes")

    def uploading(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [self.agent.command, "upload", "--attempts", "1"],
            env=self.agent.environment,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def upload(self) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.agent.command, "upload", "--attempts", "2"],
            env=self.agent.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )


def test_three_macs_enrol_with_a_secret_and_upload(
    fleet: Fleet, agent_command: str, tmp_path: Path
) -> None:
    secret = fleet.secret()
    macs = [Mac(agent_command, tmp_path / f"mac{number}") for number in range(3)]
    for mac in macs:
        said = mac.agent.run(
            "enroll", "--server", fleet.server.url, "--secret", secret, "--yes"
        ).stderr
        assert "Fleet: acme" in said
        assert "Only the fleet's members" in said
        mac.measured()
        assert mac.upload().returncode == 0
    devices = fleet.ask("GET", "/devices").json()
    assert {one["machine_id"] for one in devices["items"]} == {mac.id for mac in macs}
    assert {row.fleet_id for row in fleet.rows(Run.fleet_id, source="measured")} == {fleet.fleet_id}
    (one,) = fleet.ask("GET", "/secrets").json()["items"]
    assert one["used"] == 3


def test_a_mac_whose_token_is_renewed_enrols_again_and_loses_no_run(
    fleet: Fleet, agent_command: str, tmp_path: Path
) -> None:
    mac = Mac(agent_command, tmp_path / "mac")
    mac.prepared(fleet.server.url, fleet.secret())
    mac.measured()
    assert mac.upload().returncode == 0
    before = mac.token
    (device,) = fleet.ask("GET", "/devices").json()["items"]
    assert fleet.ask("POST", f"/devices/{device['id']}/rotation").status_code == 204
    waiting = mac.measured()
    done = mac.upload()
    assert done.returncode == 0, done.stderr
    assert mac.token != before
    assert len(fleet.rows(Run.run_id, run_id=uuid.UUID(waiting))) == 1
    # Its token was no longer valid, so it isn't taken for a copy.
    assert fleet.ask("GET", "/clones").json()["items"] == []


def grown_old(fleet: Fleet, mac: Mac) -> None:
    """Age its token, so that the server asks for another with the next upload."""
    with people.writing(fleet.url) as connection:
        old = datetime.now(UTC) - OLD - timedelta(days=1)
        of_mac = update(Token).where(Token.machine_id == uuid.UUID(mac.id))
        connection.execute(of_mac.values(created_at=old))


def test_an_old_token_is_renewed_and_killing_the_agent_between_two_steps_loses_nothing(
    fleet: Fleet, agent_command: str, tmp_path: Path
) -> None:
    secret, rotation, use = fleet.secret(), "POST /api/v1/tokens/self/rotation", "/tokens/self"
    moments = [
        None,
        ("before", rotation),
        ("after", rotation),  # the server has made one that nobody knows
        ("before", f"GET /api/v1{use}"),  # it is on disk, and the server hasn't seen it
        ("after", f"GET /api/v1{use}"),
    ]
    with Steps(fleet.server.url) as steps:
        for number, moment in enumerate(moments):
            mac = Mac(agent_command, tmp_path / f"mac{number}")
            mac.agent.run("enroll", "--server", steps.url, "--secret", secret, "--yes")
            first, before = mac.measured(), mac.token
            grown_old(fleet, mac)
            upload = mac.uploading()

            def reached(
                *step: str,
                moment: tuple[str, str] | None = moment,
                upload: subprocess.Popen[str] = upload,
            ) -> bool:
                if step == moment:
                    upload.kill()
                    upload.wait()
                return step == moment

            steps.reached = reached
            assert upload.wait() == (0 if moment is None else -signal.SIGKILL), moment
            steps.reached = lambda *_: False
            second = mac.measured()
            done = mac.upload()
            assert done.returncode == 0, (moment, done.stderr)
            assert mac.token != before, moment
            for run_id in (first, second):
                assert fleet.rows(Run.run_id, run_id=uuid.UUID(run_id)), moment
            of_mac = fleet.rows(Token.revoked_at, machine_id=uuid.UUID(mac.id))
            assert [row.revoked_at is None for row in of_mac].count(True) == 1, moment
    assert fleet.ask("GET", "/clones").json()["items"] == []
    devices = fleet.ask("GET", "/devices").json()["items"]
    assert [device["renewed"] for device in devices] == [True] * len(moments)


def test_two_uploads_at_once_renew_a_token_once(
    fleet: Fleet, agent_command: str, tmp_path: Path
) -> None:
    mac = Mac(agent_command, tmp_path / "mac")
    mac.agent.run("enroll", "--server", fleet.server.url, "--secret", fleet.secret(), "--yes")
    runs = [mac.measured() for _ in range(2)]
    grown_old(fleet, mac)
    both = [mac.uploading() for _ in range(2)]
    # The second one waits for the first, or leaves the work to it.
    assert {upload.wait() for upload in both} <= {0, ALREADY_RUNNING}
    runs.append(mac.measured())
    assert mac.upload().returncode == 0
    for run_id in runs:
        assert fleet.rows(Run.run_id, run_id=uuid.UUID(run_id))
    assert len(fleet.rows(Token.token_id, machine_id=uuid.UUID(mac.id))) == 2


@pytest.mark.parametrize("has_secret", [True, False])
def test_a_mac_that_is_shut_out_keeps_its_runs_and_says_so(
    fleet: Fleet, agent_command: str, tmp_path: Path, has_secret: bool
) -> None:
    mac, secret = Mac(agent_command, tmp_path / "mac"), fleet.secret()
    if has_secret:
        mac.prepared(fleet.server.url, secret)
    else:
        mac.agent.run("enroll", "--server", fleet.server.url, "--secret", secret, "--yes")
    mac.measured()
    assert mac.upload().returncode == 0
    (device,) = fleet.ask("GET", "/devices").json()["items"]
    assert fleet.ask("DELETE", f"/devices/{device['id']}").status_code == 204
    waiting = mac.measured()
    done = mac.upload()
    assert done.returncode == ENROL_AGAIN
    assert "An admin of its fleet has revoked this Mac" in done.stderr
    # Only what it was prepared with stays on the Mac, and enrols it again by itself.
    assert ("so it must be enrolled again then" in done.stderr) == (not has_secret)
    assert (mac.home / "pending" / f"{waiting}.json").exists()


def test_a_mac_that_enrols_again_by_hand_shows_that_it_is_the_same(
    fleet: Fleet, agent_command: str, tmp_path: Path
) -> None:
    mac, secret = Mac(agent_command, tmp_path / "mac"), fleet.secret()
    for _ in range(6):
        mac.agent.run("enroll", "--server", fleet.server.url, "--secret", secret, "--yes")
    assert fleet.ask("GET", "/clones").json()["items"] == []
    (one,) = fleet.ask("GET", "/secrets").json()["items"]
    assert one["used"] == 1
    assert len(fleet.rows(Token.token_id, revoked_at=None, scope="device")) == 1


def test_forget_deletes_a_mac_of_its_own_and_retires_one_of_a_fleet(
    fleet: Fleet, agent_command: str, tmp_path: Path
) -> None:
    own, managed = (Mac(agent_command, tmp_path / name) for name in ("own", "managed"))
    own.agent.run("enroll", "--server", fleet.server.url, "--token", fleet.server.token(), "--yes")
    managed.agent.run("enroll", "--server", fleet.server.url, "--secret", fleet.secret(), "--yes")
    for mac in (own, managed):
        waiting = mac.measured()
        refused = subprocess.run(
            [mac.agent.command, "forget", "--yes"], env=mac.agent.environment, check=False
        )
        assert refused.returncode == 75
        assert (mac.home / "pending" / f"{waiting}.json").exists()
        assert mac.upload().returncode == 0
    ids = {"own": uuid.UUID(own.id), "managed": uuid.UUID(managed.id)}
    assert "Deleted on" in own.agent.run("forget", "--yes").stderr
    assert "Retired on" in managed.agent.run("forget", "--yes").stderr
    assert not own.home.exists()
    assert not managed.home.exists()
    assert fleet.rows(Run.run_id, machine_id=ids["own"]) == []
    assert len(fleet.rows(Run.run_id, machine_id=ids["managed"])) == 1
    (row,) = fleet.rows(Machine.retired_at, machine_id=ids["managed"])
    assert row.retired_at is not None
    assert fleet.ask("GET", "/devices").json()["items"] == []


def test_forget_deletes_nothing_while_the_server_is_away(
    fleet: Fleet, agent_command: str, tmp_path: Path
) -> None:
    mac = Mac(agent_command, tmp_path / "mac")
    mac.agent.run("enroll", "--server", fleet.server.url, "--secret", fleet.secret(), "--yes")
    fleet.server.stop()
    done = subprocess.run(
        [mac.agent.command, "forget", "--yes"],
        env=mac.agent.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 75
    assert "Nothing was deleted" in done.stderr
    assert mac.token


def test_copies_of_one_mac_get_ids_of_their_own(
    fleet: Fleet, agent_command: str, tmp_path: Path
) -> None:
    """The page's steps: one line for the admin, and `macmeter forget` on each copy."""
    secret = fleet.secret()
    enrol = ("enroll", "--server", fleet.server.url, "--secret", secret, "--yes")
    mac, copy = Mac(agent_command, tmp_path / "mac"), Mac(agent_command, tmp_path / "copy")
    mac.measured()
    shutil.copytree(mac.home, copy.home)
    for home in (mac.home, copy.home):
        shutil.rmtree(home / "pending")
    mac.agent.run(*enrol)
    copy.agent.run(*enrol)  # has no token: the first one's is revoked
    (clone,) = fleet.ask("GET", "/clones").json()["items"]
    settled = fleet.ask("PUT", f"/clones/{clone['machine_id']}", json={"are": "several"})
    assert settled.status_code == 204
    (mac.home / "enrolment.json").unlink()
    refused = subprocess.run(
        [mac.agent.command, *enrol],
        env=mac.agent.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Run `macmeter forget`" in refused.stderr
    mac.agent.run("forget", "--yes")
    mac.agent.run(*enrol)
    assert mac.id != copy.id
    assert len(fleet.ask("GET", "/devices").json()["items"]) == 2


PROFILE = Path(__file__).parents[2] / "agent" / "Packaging" / "macmeter.mobileconfig"
SIMULATED = Path(__file__).parents[1] / "documents" / "macs" / "mac-mini-m4-pro"
MANAGED = "/Library/Managed Preferences/org.macmeter.agent.plist"


def managed(agent: Agent, folder: Path, **values: str) -> None:
    """Simulate a Mac on which management has installed our profile with these values."""
    if not folder.exists():
        shutil.copytree(SIMULATED, folder)
        replies = json.loads((folder / "replies.json").read_bytes())
        command = ["plutil", "-convert", "xml1", "-o", "-", MANAGED]
        replies.append({"command": command, "file": "managed.plist"})
        (folder / "replies.json").write_text(json.dumps(replies))
    (payload,) = plistlib.loads(PROFILE.read_bytes())["PayloadContent"]
    own = {name: value for name, value in payload.items() if not name.startswith("Payload")}
    (folder / "managed.plist").write_bytes(plistlib.dumps(own | values))
    agent.environment["MACMETER_REPLAY"] = str(folder)


def test_a_managed_mac_enrols_by_itself_and_again_and_says_what_is_wrong(
    fleet: Fleet, agent_command: str, tmp_path: Path
) -> None:
    mac, secret = Mac(agent_command, tmp_path / "mac"), fleet.secret()
    managed(mac.agent, tmp_path / "managed", server=fleet.server.url, secret="mms_mistyped")
    first = mac.measured()
    refused = mac.upload()
    assert refused.returncode == KEPT
    assert "No fleet has this enrolment secret" in refused.stderr
    assert f"(server and secret in {MANAGED})" in refused.stderr
    # Management corrects it; nobody touches the Mac.
    managed(mac.agent, tmp_path / "managed", server=fleet.server.url, secret=secret)
    assert mac.upload().returncode == 0
    enrolment = json.loads((mac.home / "enrolment.json").read_bytes())
    assert enrolment["consent"]["given"] == "preferences"
    assert "Fleet: acme" in enrolment["consent"]["text"]
    elsewhere = subprocess.run(
        [mac.agent.command, "enroll", "--server", "https://elsewhere.example", "--yes"],
        env=mac.agent.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert f"your administrator has set server in {MANAGED}" in elsewhere.stderr
    assert json.loads((mac.home / "enrolment.json").read_bytes()) == enrolment
    (device,) = fleet.ask("GET", "/devices").json()["items"]
    assert fleet.ask("POST", f"/devices/{device['id']}/rotation").status_code == 204
    second = mac.measured()
    assert mac.upload().returncode == 0
    assert mac.token != enrolment["token"]
    for run_id in (first, second):
        assert fleet.rows(Run.run_id, run_id=uuid.UUID(run_id), fleet_id=fleet.fleet_id)
    # After `forget`, a managed Mac enrols again with a new id at its next upload.
    before = mac.id
    assert "Retired on" in mac.agent.run("forget", "--yes").stderr
    mac.measured()
    assert mac.upload().returncode == 0
    assert mac.id != before
    assert fleet.ask("GET", "/devices").json()["total"] == 1


def test_a_mac_whose_clock_is_wrong_keeps_what_is_of_the_future(
    fleet: Fleet, agent_command: str, tmp_path: Path
) -> None:
    mac = Mac(agent_command, tmp_path / "mac")
    mac.agent.run("enroll", "--server", fleet.server.url, "--secret", fleet.secret(), "--yes")
    now, times = datetime.now(UTC), {}
    for name, by in {"ahead": timedelta(days=400), "behind": timedelta(days=-9000)}.items():
        times[mac.measured(at=now + by)] = name
    done = mac.upload()
    assert done.returncode == KEPT
    assert "clock is ahead of the server's" in done.stderr
    stored = {times[str(row.run_id)] for row in fleet.rows(Run.run_id, source="measured")}
    assert stored == {"behind"}
    assert {times[path.stem] for path in (mac.home / "pending").glob("*.json")} == {"ahead"}


GUIDE = Path(__file__).parents[2] / "docs" / "fleet-deployment.md"


def test_the_ten_steps_of_the_guide_work_as_they_are_written(
    fleet: Fleet, agent_command: str, tmp_path: Path
) -> None:
    text = GUIDE.read_text(encoding="utf-8")
    numbers = re.findall(r"^\*\*(\d+)\. ", text, re.MULTILINE)
    assert numbers == [str(number) for number in range(1, 11)]
    steps = re.findall(r"^```sh\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    root = people.make_person(fleet.url, "Root", server_admin=True)
    token = people.token_of(fleet.url, root, "manage")["Authorization"].split()[1]
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "macmeter").write_text(f'#!/bin/sh\nexec {agent_command} "$@"\n')
    (programs / "macmeter").chmod(0o755)
    agent = Agent(agent_command, tmp_path / "mac")
    done = subprocess.run(
        ["bash", "-c", "set -eu -o pipefail\n" + "\n".join(steps)],
        env=agent.environment
        | {"MACMETER": fleet.server.url, "TOKEN": token}
        | {"PATH": f"{programs}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (studio,) = fleet.rows(models.Fleet.fleet_id, name="Studio")
    (run,) = fleet.rows(Run.fleet_id, Run.visibility, source="measured")
    assert (run.fleet_id, run.visibility) == (studio.fleet_id, "private")
    (secret,) = fleet.rows(EnrolmentSecret.used, EnrolmentSecret.revoked_at)
    assert secret.used == 1
    assert secret.revoked_at is not None
    # Then what the guide does with a lost Mac, and takes back.
    (mac,) = fleet.rows(models.Machine.name, models.Machine.retired_at, fleet_id=studio.fleet_id)
    assert mac.name == "Kiosk 7"
    assert mac.retired_at is not None
    assert people.acts(fleet.url)[-3:] == ["machine.change"] * 3
