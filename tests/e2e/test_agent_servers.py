"""The agent's real binary and servers that misbehave: the table of docs/agent.md, row by row."""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import time
from email.utils import formatdate
from pathlib import Path

import pytest
from support.agent import Agent
from support.bad_server import (
    BadServer,
    Behaviour,
    cut_short,
    damaged,
    dripping,
    flood,
    garbage,
    hang_up,
    page,
    refuse,
    silent,
    store,
)

SENT, REFUSED, KEPT, ENROL_AGAIN = 0, 65, 75, 77


@pytest.fixture
def agent(agent_command: str, tmp_path: Path) -> Agent:
    """An agent with two small runs waiting, without the time of a measurement."""
    agent = Agent(agent_command, tmp_path / "home")
    agent.run("runs")
    golden = Path(__file__).parents[1] / "documents" / "minimal.json"
    document = json.loads(golden.read_bytes())
    document["machine"]["id"] = identity(agent)["machine_id"]
    for number in (1, 2):
        document["id"] = f"0193a2b4-5c6d-7e8f-9a0b-00000000000{number}"
        (home(agent) / "pending" / f"{document['id']}.json").write_text(json.dumps(document))
    return agent


def home(agent: Agent) -> Path:
    return Path(agent.environment["MACMETER_HOME"])


def identity(agent: Agent) -> dict[str, str]:
    return dict(json.loads((home(agent) / "identity.json").read_bytes()))


def attempt(agent: Agent, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command that may fail, but neither crash nor hang."""
    done = subprocess.run(
        [agent.command, *arguments],
        env=agent.environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode >= 0, f"{done.returncode}: {done.stderr}"
    return done


def enrol(agent: Agent, server: BadServer) -> None:
    agent.run("enroll", "--server", server.url, "--token", "secret-token", "--yes")


def upload(
    agent: Agent, *behaviours: Behaviour, options: tuple[str, ...] = ("--attempts", "2")
) -> tuple[subprocess.CompletedProcess[str], BadServer]:
    with BadServer(*behaviours) as server:
        enrol(agent, server)
        return attempt(agent, "upload", *options), server


def fates(agent: Agent) -> dict[str, int]:
    """Count the runs in each state of the spool."""
    folders = ("pending", "sent", "quarantined")
    return {name: len(list((home(agent) / name).glob("*.json"))) for name in folders}


def reasons(agent: Agent) -> list[str]:
    """Reasons that `runs` gives for each run that is not sent."""
    rows = json.loads(agent.run("runs", "--json").stdout)
    return [row.get("reason", "") for row in rows if row["state"] != "sent"]


# The server's response to the first run; whether the second gets through; the exit code; the number
# of requests with two attempts per run; the beginning of the stored reason.
QUARANTINED = [(409, "id_taken"), (413, "too_large"), (415, "no"), (422, "invalid"), (400, "bad")]
HELD_FOR_ALL = [
    (refuse(401, "unknown_token"), ENROL_AGAIN, 1, "401 In words"),
    (refuse(403, "forbidden"), ENROL_AGAIN, 1, "403 In words"),
    (refuse(403, "machine_bound"), ENROL_AGAIN, 1, "403 In words"),
    (page(301, Location="https://new.example.org/api/v1/runs/x"), ENROL_AGAIN, 1, "301 "),
    (page(308, Location="https://new.example.org/api/v1/runs/x"), ENROL_AGAIN, 1, "308 "),
    (page(302, Location="https://hotel.example/login"), KEPT, 2, "302, redirected elsewhere"),
    (page(307, Location="https://hotel.example/login"), KEPT, 2, "307, redirected elsewhere"),
    (page(200), KEPT, 2, "200, but not from a Macmeter server"),
    (damaged, KEPT, 2, "201, but not from a Macmeter server"),
    (page(404), KEPT, 2, "404 not found"),
    (page(500), KEPT, 2, "500 internal server error"),
    (refuse(503, "not_ready", Retry_After="1"), KEPT, 2, "503 In words"),
    (refuse(429, "slow_down", Retry_After="1"), KEPT, 2, "429 In words"),
    (
        refuse(429, "slow_down", Retry_After="86400"),
        KEPT,
        1,
        "429 In words (the server asks to wait",
    ),
    (page(429, Retry_After="whenever"), KEPT, 2, "429"),
    (cut_short, KEPT, 2, "cannot reach"),
    (hang_up, KEPT, 2, "cannot reach"),
    (garbage, KEPT, 2, "cannot reach"),
    (flood, KEPT, 2, "201, but not from a Macmeter server"),
    (page(204), KEPT, 2, "204"),
    (page(429, Retry_After="9" * 30), KEPT, 1, "429 too many requests (the server asks to wait"),
]


@pytest.mark.parametrize(("status", "code"), QUARANTINED)
def test_what_is_refused_is_kept_aside_with_its_reason(
    agent: Agent, status: int, code: str
) -> None:
    done, _ = upload(agent, refuse(status, code), store)
    assert done.returncode == REFUSED
    assert fates(agent) == {"pending": 0, "sent": 1, "quarantined": 1}
    assert reasons(agent) == [f"{status} In words"]
    again, _ = upload(agent, store, options=("--refused",))
    assert again.returncode == SENT
    assert fates(agent) == {"pending": 0, "sent": 2, "quarantined": 0}


@pytest.mark.parametrize(("behaviour", "code", "asked", "reason"), HELD_FOR_ALL)
def test_what_is_nobodys_fault_loses_nothing(
    agent: Agent, behaviour: Behaviour, code: int, asked: int, reason: str
) -> None:
    done, server = upload(agent, behaviour)
    assert done.returncode == code, done.stderr
    assert fates(agent) == {"pending": 2, "sent": 0, "quarantined": 0}
    assert len(server.received) == asked
    assert reasons(agent)[0].startswith(reason)
    again, _ = upload(agent, store)
    assert again.returncode == SENT
    assert fates(agent) == {"pending": 0, "sent": 2, "quarantined": 0}


@pytest.mark.parametrize("behaviour", [silent, dripping])
def test_a_server_that_never_finishes_is_given_up(agent: Agent, behaviour: Behaviour) -> None:
    before = processor_seconds()
    done, server = upload(agent, behaviour, options=("--attempts", "1", "--timeout", "1"))
    assert done.returncode == KEPT, done.stderr
    assert len(server.received) == 1
    assert fates(agent)["pending"] == 2
    assert processor_seconds() - before < 0.4, "it waits on a busy core"


def processor_seconds() -> float:
    """Processor time of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_a_run_from_the_future_waits_and_the_others_go_on(agent: Agent) -> None:
    done, _ = upload(agent, refuse(422, "clock_ahead"), store)
    assert done.returncode == KEPT
    assert "clock is ahead" in done.stderr
    assert fates(agent) == {"pending": 1, "sent": 1, "quarantined": 0}


def test_a_patient_second_attempt_gets_through(agent: Agent) -> None:
    soon = formatdate(time.time() + 2, usegmt=True)
    behaviours = refuse(429, "slow_down", Retry_After=soon), hang_up, page(502), store
    done, server = upload(agent, *behaviours, options=("--attempts", "4"))
    assert done.returncode == SENT
    assert done.stderr.count("Trying again in") == 3
    assert len(server.received) == 5
    assert len(set(server.received[:4])) == 1  # the same bytes each time
    assert fates(agent) == {"pending": 0, "sent": 2, "quarantined": 0}


def test_a_server_that_moved_is_found_again_with_the_present_token(agent: Agent) -> None:
    with BadServer(store) as new:
        done, _ = upload(agent, page(308, Location=f"{new.url}/api/v1/runs/x"))
        assert done.returncode == ENROL_AGAIN
        assert f"has moved to {new.url}" in done.stderr
        agent.run("enroll", "--server", new.url, "--yes")
        agent.run("upload")
    assert fates(agent)["sent"] == 2


def test_a_certificate_that_nobody_vouches_for(agent: Agent, tmp_path: Path) -> None:
    certificate = self_signed(tmp_path)
    with BadServer(store, tls=certificate) as server:
        refused = attempt(
            agent, "enroll", "--server", server.url, "--token", "secret-token", "--yes"
        )
        assert refused.returncode == 1
        assert "certificate" in refused.stderr
        assert not (home(agent) / "enrolment.json").exists()
        # As if the certificate had become invalid after enrolment.
        (home(agent) / "enrolment.json").write_text(
            json.dumps(
                {"server": server.url, "token": "t", "machine_id": identity(agent)["machine_id"]}
            )
        )
        done = attempt(agent, "upload", "--attempts", "3")
        assert done.returncode == KEPT
        assert "certificate" in done.stderr
        assert server.received == []
    assert fates(agent)["pending"] == 2


def test_enrolment_keeps_the_consent_and_its_words(agent: Agent) -> None:
    with BadServer(store) as server:
        arguments = ("enroll", "--server", server.url, "--token", "secret-token")
        nobody = attempt(agent, *arguments)
        assert nobody.returncode == 64
        assert "there is no terminal to ask on" in nobody.stderr
        assert not (home(agent) / "enrolment.json").exists()
        done = agent.run(*arguments, "--accept")
        kept = json.loads((home(agent) / "enrolment.json").read_bytes())["consent"]
    assert kept["given"] == "option"
    assert kept["at"].startswith("20")
    for words in ("Everyone will be able to see", "CC0-1.0. Anybody may use public results."):
        assert words in kept["text"]
        assert words in done.stderr


def test_a_server_without_fleets_says_so(agent: Agent) -> None:
    with BadServer(store) as server:
        done = attempt(agent, "enroll", "--server", server.url, "--secret", "s", "--yes")
    assert done.returncode == 1
    assert "no fleets to enrol in" in done.stderr


def test_copies_of_a_prepared_image_enrol_each_for_itself(agent: Agent, tmp_path: Path) -> None:
    with BadServer(store, secret="open") as server:
        prepare = ("enroll", "--template", "--server", server.url, "--yes", "--secret")
        refused = attempt(agent, *prepare, "open")
        assert refused.returncode == KEPT  # its own runs are not uploaded yet
        enrol(agent, server)
        agent.run("upload")
        agent.run(*prepare, "open")
        assert not (home(agent) / "identity.json").exists()
        assert not (home(agent) / "enrolment.json").exists()
        copies = [Agent(agent.command, tmp_path / name) for name in ("first", "second")]
        for copy in copies:
            shutil.copytree(home(agent), home(copy))
            assert "as prepared for this machine" in copy.run("upload").stderr
    ids = [identity(copy)["machine_id"] for copy in copies]
    assert server.enrolled == ids
    assert len(set(ids)) == 2
    for copy in copies:
        kept = json.loads((home(copy) / "enrolment.json").read_bytes())
        assert kept["token"] == f"token-of-{kept['machine_id']}"
        assert "licence" in kept["consent"]["text"].lower()


def test_a_secret_that_no_fleet_has(agent: Agent) -> None:
    with BadServer(store, secret="open") as server:
        done = attempt(agent, "enroll", "--server", server.url, "--secret", "shut", "--yes")
    assert done.returncode == 1
    assert "does not accept this secret: 403 No fleet has this secret" in done.stderr
    assert not (home(agent) / "enrolment.json").exists()


def self_signed(folder: Path) -> Path:
    """Create a certificate for localhost that nothing trusts, with its key."""
    pem, key = folder / "server.pem", folder / "server.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
        + ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
        + ["-keyout", str(key), "-out", str(pem)],
        check=True,
        capture_output=True,
    )
    pem.write_bytes(pem.read_bytes() + key.read_bytes())
    return pem
