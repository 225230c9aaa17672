"""The agent's output for other programs: manual page, completions and units, and the scripts that
install it.
"""

from __future__ import annotations

import os
import plistlib
import shutil
import subprocess
from pathlib import Path

import pytest
from support.agent import Agent

PACKAGING = Path(__file__).parents[2] / "agent" / "Packaging"
SCRIPTS = [
    "build-pkg.sh",
    "install.sh",
    "uninstall.sh",
    "scripts/preinstall",
    "scripts/postinstall",
]


@pytest.fixture
def agent(agent_command: str, tmp_path: Path) -> Agent:
    return Agent(agent_command, tmp_path / "home")


def accepts(*command: str) -> None:
    """Run a checker without complaints, if it is installed."""
    if shutil.which(command[0]) is None:
        pytest.skip(f"{command[0]} is not installed")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_manual_page_is_without_fault(agent: Agent, tmp_path: Path) -> None:
    page = tmp_path / "macmeter.1"
    page.write_text(agent.run("help", "--man").stdout)
    accepts("mandoc", "-T", "lint", "-W", "warning", str(page))


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_take_their_completions(agent: Agent, tmp_path: Path, shell: str) -> None:
    script = tmp_path / "completions"
    script.write_text(agent.run("completions", shell).stdout)
    accepts(shell, "-n", str(script))


def test_bash_completes_commands_options_and_values(agent: Agent, tmp_path: Path) -> None:
    script = tmp_path / "completions"
    script.write_text(agent.run("completions", "bash").stdout)

    def complete(*words: str) -> list[str]:
        ask = f'. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD={len(words) - 1}; _macmeter'
        done = subprocess.run(
            ["bash", "-c", ask + '; printf "%s\\n" "${COMPREPLY[@]}"', "bash", script, *words],
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.split()

    assert complete("macmeter", "sched") == ["schedule"]
    assert complete("macmeter", "disk", "--qui") == ["--quick"]
    assert complete("macmeter", "schedule", "--every", "") == ["day", "week"]


def test_systemd_takes_the_units(agent: Agent, tmp_path: Path) -> None:
    odd = tmp_path / "100% of $HOME"
    odd.mkdir()
    shown = agent.run("schedule", "--show", "--every", "week", "--path", str(odd)).stdout
    for unit in shown.split("# /")[1:]:
        path, _, text = unit.partition("\n")
        (tmp_path / Path(path).name).write_text(text)
    accepts("systemd-analyze", "verify", "--man=no", str(tmp_path / "macmeter.timer"))


def test_a_mac_takes_the_job(agent: Agent, tmp_path: Path) -> None:
    (tmp_path / "replies.json").write_text("[]")
    agent.environment["MACMETER_REPLAY"] = str(tmp_path)
    odd = tmp_path / "<A & B>"
    odd.mkdir()
    shown = agent.run("schedule", "--show", "--every", "week", "--path", str(odd)).stdout
    first, _, text = shown.partition("\n")
    assert first.endswith("/org.macmeter.agent.plist")
    job = plistlib.loads(text.encode())
    assert job["ProgramArguments"][1:] == ["disk", str(odd)]
    assert job["EnvironmentVariables"] == {"MACMETER_HOME": agent.environment["MACMETER_HOME"]}
    assert set(job["StartCalendarInterval"]) == {"Weekday", "Hour", "Minute"}


def test_the_profile_is_a_property_list() -> None:
    profile = plistlib.loads((PACKAGING / "macmeter.mobileconfig").read_bytes())
    [payload] = profile["PayloadContent"]
    assert profile["PayloadType"] == "Configuration"
    assert payload["PayloadType"] == "org.macmeter.agent"
    assert profile["PayloadUUID"] != payload["PayloadUUID"]


def test_what_is_installed_is_uninstalled(agent: Agent, tmp_path: Path) -> None:
    prefix = tmp_path / "prefix"
    environment = agent.environment | {"PREFIX": str(prefix), "HOME": str(tmp_path)}
    for script in (["install.sh", "--binary", agent.command], ["uninstall.sh", "--yes"]):
        subprocess.run(
            [PACKAGING / script[0], *script[1:]], env=environment, check=True, capture_output=True
        )
        installed = [path for path in prefix.rglob("*") if path.is_file()]
        assert len(installed) == (5 if script[0] == "install.sh" else 0)
        assert all(path.stat().st_size > 100 for path in installed)
    assert not Path(environment["MACMETER_HOME"]).exists()


@pytest.mark.parametrize("script", SCRIPTS)
def test_scripts_are_as_shellcheck_wants_them(script: str) -> None:
    assert os.access(PACKAGING / script, os.X_OK)
    accepts("shellcheck", str(PACKAGING / script))
