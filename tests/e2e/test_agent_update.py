"""The agent's real binary, installed by a real server's script, updates itself by it or stays."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from macmeter.platform.release import VERSION
from support.live_server import ForkedServer, LiveServer
from support.releases import make_key, pack_newer, step
from support.seeds import seeded

PLATFORM = "linux-x86_64"
NEWER = "9.10.0"
# Exit code of the agent.
NOT_POSSIBLE_HERE = 69


class Installed:
    """An account on which the server's script has installed the agent."""

    def __init__(self, server: LiveServer, files: Path, key: str, home: Path) -> None:
        self.server, self.files, self.key, self.home = server, files, key, home
        self.program = home / ".local/bin/macmeter"
        shims = home / "shims"
        shims.mkdir(parents=True)
        (shims / "uname").write_text("#!/bin/sh\n[ $1 = -s ] && echo Linux || echo x86_64\n")
        (shims / "uname").chmod(0o755)
        path = f"{self.program.parent}:{shims}:{os.environ['PATH']}"
        self.environment = os.environ | {"HOME": str(home), "PATH": path, "NO_COLOR": "1"}
        self.environment.pop("MACMETER_HOME", None)
        self.said = self.pipe(server.ask("/install.sh").text).stderr

    def pipe(self, script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self._run(["sh", "-s", "--", *arguments], script)

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return self._run([str(self.program), *arguments])

    def _run(self, command: list[str], text: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            env=self.environment,
            input=text,
            capture_output=True,
            text=True,
            check=False,
            start_new_session=True,
        )

    @property
    def version(self) -> str:
        return self.run("--version").stdout.split()[0]

    def at_a_terminal(self, answers: str, *arguments: str) -> tuple[int, str]:
        """Run the program where it can ask; return its exit code and all that was shown."""
        process, terminal = pty.fork()
        if process == 0:
            os.execve(self.program, [str(self.program), *arguments], self.environment)  # noqa: S606
        os.write(terminal, answers.encode())
        shown = b""
        while True:
            try:
                shown += os.read(terminal, 65_536)
            except OSError:  # Linux: the other end is closed
                break
        _, status = os.waitpid(process, 0)
        os.close(terminal)
        return os.waitstatus_to_exitcode(status), shown.decode().replace("\r\n", "\n")


@pytest.fixture(scope="module")
def release(agent_command: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Signed files of a release with the real agent; its key is beside them."""
    folder = tmp_path_factory.mktemp("release")
    key, _ = make_key(folder)
    # What runs the agent here may be a launcher, which knows itself by another path.
    program = folder / "program"
    program.write_text(f'#!/bin/sh\nMACMETER_PROGRAM="$0" exec {agent_command} "$@"\n')
    program.chmod(0o755)
    files = folder / "files"
    step("archive.py", "--binary", program, "--platform", PLATFORM, "--out", files)
    step("checksums.py", files, RELEASE_KEY=key)
    return folder


@pytest.fixture(scope="module")
def server(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    folder = tmp_path_factory.mktemp("served")
    (folder / "files").mkdir()
    settings = {"AGENT_FILES": str(folder / "files"), "AGENT_KEY": str(release / "public.pem")}
    with ForkedServer(seeded(folder / "data"), **settings) as server:
        yield server


@pytest.fixture
def installed(server: LiveServer, release: Path, tmp_path: Path) -> Installed:
    files = Path(server.environment["AGENT_FILES"])
    shutil.rmtree(files, ignore_errors=True)
    shutil.copytree(release / "files", files)
    return Installed(server, files, (release / "private.pem").read_text(), tmp_path / "home")


def test_it_updates_itself_once_somebody_agrees(installed: Installed) -> None:
    before = installed.run("update", "--yes")
    assert before.returncode == 0
    assert f"This is macmeter {VERSION}, the newest version that" in before.stderr
    pack_newer(NEWER, installed.files, PLATFORM, installed.key)
    assert f"offers {NEWER}." in installed.run("update", "--check").stderr
    assert installed.run("update").returncode == 1, "nobody is there to ask"
    assert installed.version == VERSION
    code, shown = installed.at_a_terminal("y\n", "update")
    assert code == 0, shown
    assert "Update now? [Y/n]" in shown
    assert "Checked: the signature." in shown
    assert f"Replaced macmeter {VERSION} with {NEWER} in {installed.home}/.local." in shown
    assert installed.version == NEWER


@pytest.mark.parametrize("fault", ["changed", "cut", "unsigned", "does not run"])
def test_whatever_is_wrong_the_old_one_stays(installed: Installed, fault: str) -> None:
    archive = pack_newer(NEWER, installed.files, PLATFORM, installed.key)
    match fault:
        case "changed":
            archive.write_bytes(archive.read_bytes() + b"more")
        case "cut":
            archive.write_bytes(archive.read_bytes()[:-20])
            step("checksums.py", installed.files, RELEASE_KEY=installed.key)
        case "unsigned":
            step("checksums.py", installed.files)
        case "does not run":
            installed.environment["BROKEN"] = "1"
    done = installed.run("update", "--yes")
    assert done.returncode == 1
    assert "Nothing was installed." in done.stderr, done.stderr
    assert installed.version == VERSION
    assert not [*installed.home.rglob("*.new-macmeter")]


def test_a_server_that_offers_none_any_more_is_named(installed: Installed) -> None:
    (installed.files / "SHA256SUMS").unlink()
    done = installed.run("update", "--yes")
    assert done.returncode == NOT_POSSIBLE_HERE
    assert "doesn't offer the agent any more" in done.stderr
    again = installed.pipe(installed.server.ask("/install.sh").text)
    assert again.returncode == 1
    assert f"{installed.server.url} offers no agent, so nothing was installed." in again.stderr
    assert installed.version == VERSION


def test_from_the_line_to_a_first_result_and_back(installed: Installed) -> None:
    """At a terminal, as somebody new would, until nothing is left."""
    server = installed.server
    assert f"Next: macmeter\nIt connects this machine to {server.url}" in installed.said
    code, shown = installed.at_a_terminal("y\ny\n")
    print(shown)
    assert code == 0, shown
    assert f"Connect this machine to {server.url}, then measure its storage" in shown
    assert "Enrol and upload from now on? [y/N]" in shown
    *_, link = shown.split()
    assert server.ask("/api/v1" + link.removeprefix(server.url)).json()["id"] in link
    # There is a run: from now on this lists the commands, without a question.
    code, shown = installed.at_a_terminal("")
    assert "Usage: macmeter COMMAND" in shown
    assert installed.run("forget", "--yes").returncode == 0
    done = installed.pipe(server.ask("/uninstall.sh").text, "--yes")
    assert done.returncode == 0, done.stderr
    left = [str(p.relative_to(installed.home)) for p in installed.home.rglob("*")]
    assert left == ["shims", "shims/uname"]
