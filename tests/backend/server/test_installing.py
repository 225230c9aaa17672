"""`/install.sh` installs the agent by a real `sh` from a real server, or installs nothing.

Over 400 lines: each way in which an installation can fail is tried on one server, whose files take
long to make.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tarfile
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from macmeter.platform.release import VERSION
from macmeter.platform.settings import CHECKOUT
from macmeter.server.installing.files import Offer
from support.live_server import ForkedServer, LiveServer
from support.releases import fake_agent, make_key, step
from support.seeds import seeded
from support.server import Server

SCRIPTS = CHECKOUT / "backend/macmeter/server/installing"
PLATFORM = "linux-x86_64"
ARCHIVE = f"macmeter-{VERSION}-{PLATFORM}.tar.gz"
# Every test's system claims to be this one, whatever runs the tests.
LINUX = {"uname": "case $1 in -s) echo Linux ;; *) echo x86_64 ;; esac"}
NOBODY = 65_534
# All programs that the script calls, except openssl and gh.
TOOLS = (
    *("awk", "cat", "cp", "curl", "cut", "df", "dirname", "find", "grep", "gzip", "id", "mkdir"),
    *("mktemp", "mv", "rm", "rmdir", "sed", "sh", "sha256sum", "shasum", "tar"),
)
REPOSITORY = "example/macmeter"


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Signed files of a release; `public.pem` and the program are beside them."""
    folder = tmp_path_factory.mktemp("release")
    private, _ = make_key(folder)
    files = folder / "files"
    agent = fake_agent(folder)
    step("archive.py", "--binary", agent, "--platform", PLATFORM, "--out", files)
    (files / f"macmeter-{VERSION}.pkg").write_bytes(b"a package")
    step("checksums.py", files, RELEASE_KEY=private)
    return folder


@pytest.fixture(scope="module")
def served(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server that offers a copy of them, which tests may change."""
    folder = tmp_path_factory.mktemp("served")
    shutil.copytree(release / "files", folder / "files")
    with ForkedServer(
        seeded(tmp_path_factory.mktemp("data")),
        AGENT_FILES=str(folder / "files"),
        AGENT_KEY=str(release / "public.pem"),
        AGENT_TAP="example/tap",
    ) as server:
        yield server


@pytest.fixture
def server(served: LiveServer, release: Path) -> LiveServer:
    folder = Path(served.environment["AGENT_FILES"])
    shutil.rmtree(folder)
    shutil.copytree(release / "files", folder)
    return served


class Home:
    """An account with its own folder and some commands that answer like another system's."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.shims = folder / "home", folder / "shims"
        for made in (self.folder, self.shims, folder / "tmp"):
            made.mkdir()
        self.environment = {
            "HOME": str(self.folder),
            "PATH": f"{self.shims}:{os.environ['PATH']}",
            "TMPDIR": str(folder / "tmp"),
        }
        for name, body in LINUX.items():
            self.shim(name, body)

    def shim(self, name: str, body: str) -> None:
        (self.shims / name).write_text(f"#!/bin/sh\n{body}\n")
        (self.shims / name).chmod(0o755)

    def run(
        self, script: str, *arguments: str, user: int | None = None, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """Pipe the script into `sh`, like the line that people copy."""
        return subprocess.run(
            ["sh", "-s", "--", *arguments],
            input=script,
            env=self.environment | environment,
            cwd="/",
            user=user if os.geteuid() == 0 else None,
            capture_output=True,
            text=True,
            check=False,
            start_new_session=True,  # without a terminal
        )

    def install(self, server: LiveServer, *arguments: str, path: str | None = None) -> str:
        path = path or self.environment["PATH"]
        done = self.run(server.ask("/install.sh").text, *arguments, PATH=path)
        assert done.returncode == 0, done.stderr
        return done.stderr

    def refused(self, script: str, *arguments: str, user: int | None = None, **more: str) -> str:
        """Run the script, which must fail and change nothing; return its message."""
        before = self.files()
        done = self.run(script, *arguments, user=user, **more)
        assert done.returncode == 1, done.stderr
        assert self.files() == before
        return done.stderr

    def files(self) -> dict[str, bytes | None]:
        """All files of the account and of the folder for temporary files."""
        return {
            str(path): path.read_bytes() if path.is_file() else None
            for folder in (self.folder, Path(self.environment["TMPDIR"]))
            for path in folder.rglob("*")
        }


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


async def test_a_server_without_files_offers_none(empty_server: Server) -> None:
    offer = (await empty_server.client.get("/api/v1/agent")).json()
    nothing = {"files": None, "install": None, "tap": None, "package": None}
    assert offer == {"version": VERSION, **nothing}
    for path in ("/install.sh", "/uninstall.sh"):
        response = await empty_server.client.get(path)
        assert response.status_code == 404
        assert response.json()["code"] == "no_agent_files"
    assert (await empty_server.client.get("/agent/SHA256SUMS")).status_code == 404


def test_a_server_says_what_it_offers(server: LiveServer) -> None:
    assert server.ask("/api/v1/agent").json() == {
        "version": VERSION,
        "files": f"{server.url}/agent",
        "install": f"curl -fsSL {server.url}/install.sh | sh",
        "tap": "example/tap",
        "package": f"{server.url}/agent/macmeter-{VERSION}.pkg",
    }


def test_only_listed_files_are_served(server: LiveServer) -> None:
    folder = Path(server.environment["AGENT_FILES"])
    assert server.ask(f"/agent/{ARCHIVE}").content == (folder / ARCHIVE).read_bytes()
    (folder / "notes.txt").write_text("not listed")
    for name in ("notes.txt", "%2e%2e%2fprivate.pem", "macmeter-9.9.9.pkg", ""):
        assert server.ask(f"/agent/{name}").status_code == 404, name


def test_what_is_installed_is_removed_again(server: LiveServer, home: Home) -> None:
    (home.folder / ".local/share").mkdir(parents=True)
    before = home.files()
    output = home.install(server)
    program = home.folder / ".local/bin/macmeter"
    assert f"{VERSION} (a test)" in subprocess.check_output([program, "--version"], text=True)
    assert (home.folder / ".local/share/man/man1/macmeter.1").is_file()
    assert "Checked: the checksum." in output
    assert "Checked: the signature." in output
    assert "Not checked: an attestation." in output
    assert f"Next: {program}\nIt connects this machine to {server.url}, and" in output
    assert (home.folder / ".local/share/macmeter/server").read_text() == f"{server.url}\n"
    done = home.run(server.ask("/uninstall.sh").text, "--yes", "--discard-unsent")
    assert done.returncode == 0, done.stderr
    asked = home.folder / "uninstalled"
    assert asked.read_text() == "--yes --discard-unsent\n"
    asked.unlink()
    assert home.files() == before


def test_unsent_runs_keep_the_program(server: LiveServer, home: Home) -> None:
    home.install(server)
    done = home.run(server.ask("/uninstall.sh").text, UNSENT="1")
    assert done.returncode == 1
    assert (home.folder / ".local/bin/macmeter").is_file()


def test_installing_again_leaves_the_same(server: LiveServer, home: Home) -> None:
    home.install(server)
    first = home.files()
    assert f"Installed macmeter {VERSION} again in " in home.install(server)
    assert sorted(home.files()) == sorted(first)
    listed = home.folder / ".local/share/macmeter/installed"
    assert sorted(listed.read_text().split()) == sorted(first[str(listed)].decode().split())  # type: ignore[union-attr]


def test_another_folder_by_option(server: LiveServer, home: Home, tmp_path: Path) -> None:
    output = home.install(
        server, "--prefix", f"{tmp_path}/opt", path=f"{tmp_path}/opt/bin:{home.environment['PATH']}"
    )
    assert "Next: macmeter\n" in output
    assert f"uninstall.sh | sh -s -- --prefix {tmp_path}/opt\n" in output
    done = home.run(server.ask("/uninstall.sh").text, "--prefix", f"{tmp_path}/opt", "--yes")
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "opt").exists()


def test_a_changed_archive_is_refused(server: LiveServer, home: Home) -> None:
    archive = Path(server.environment["AGENT_FILES"]) / ARCHIVE
    archive.write_bytes(archive.read_bytes() + b"more")
    said = home.refused(server.ask("/install.sh").text)
    assert f"{ARCHIVE} is damaged or was changed" in said
    assert "Nothing was installed." in said


def test_changed_checksums_are_refused(server: LiveServer, home: Home) -> None:
    folder = Path(server.environment["AGENT_FILES"])
    (folder / ARCHIVE).write_bytes(b"another program")
    # An attacker who changes the files can change their list, but can't sign it.
    signature = (folder / "SHA256SUMS.sig").read_bytes()
    step("checksums.py", folder)
    (folder / "SHA256SUMS.sig").write_bytes(signature)
    said = home.refused(server.ask("/install.sh").text)
    assert "The signature of SHA256SUMS doesn't fit the key" in said


@pytest.mark.parametrize("content", [b"no archive", b"", b"\x1f\x8b\x08\x00 half of one"])
def test_what_is_listed_and_no_archive_is_named(
    release: Path, server: LiveServer, home: Home, content: bytes
) -> None:
    folder = Path(server.environment["AGENT_FILES"])
    (folder / ARCHIVE).write_bytes(content)
    step("checksums.py", folder, RELEASE_KEY=(release / "private.pem").read_text())
    said = home.refused(server.ask("/install.sh").text)
    assert f"{ARCHIVE} can't be unpacked: " in said
    assert "Nothing was installed." in said
    assert "disk" not in said


def test_an_archive_of_something_else_is_named(
    release: Path, server: LiveServer, home: Home, tmp_path: Path
) -> None:
    folder = Path(server.environment["AGENT_FILES"])
    (tmp_path / "other").write_bytes(b"something else")
    with tarfile.open(folder / ARCHIVE, "w:gz") as archive:
        archive.add(tmp_path / "other", "other")
    step("checksums.py", folder, RELEASE_KEY=(release / "private.pem").read_text())
    said = home.refused(server.ask("/install.sh").text)
    assert f"{ARCHIVE} doesn't hold the agent {VERSION}. Nothing was installed." in said


def test_a_signature_that_went_is_refused(server: LiveServer, home: Home) -> None:
    (Path(server.environment["AGENT_FILES"]) / "SHA256SUMS.sig").unlink()
    assert "has no SHA256SUMS.sig" in home.refused(server.ask("/install.sh").text)


def test_without_openssl_the_signature_is_not_checked(server: LiveServer, home: Home) -> None:
    for name in TOOLS:
        if (found := shutil.which(name)) and not (home.shims / name).exists():
            (home.shims / name).symlink_to(found)
    output = home.install(server, path=str(home.shims))
    assert "Not checked: the signature, because openssl isn't installed." in output
    assert "Checked: the checksum." in output


def test_a_cut_download_is_refused(server: LiveServer, home: Home) -> None:
    with cutting(server.port) as url:
        script = subprocess.check_output(["curl", "-fsS", f"{url}/install.sh"], text=True)
        said = home.refused(script)
    assert f"The download of {ARCHIVE} was cut short. Nothing was installed: try again." in said


@pytest.fixture
def full_disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k,mode=755", "tmpfs", str(disk)]
    mounted = subprocess.run(mount, capture_output=True, text=True, check=False)
    if mounted.returncode:
        pytest.skip(f"a small file system can't be mounted here: {mounted.stderr.strip()}")
    with suppress(OSError), (disk / "filler").open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))
    yield disk
    subprocess.run(["umount", "--lazy", str(disk)], check=True)


def test_a_full_disk_is_named(server: LiveServer, home: Home, full_disk: Path) -> None:
    script = server.ask("/install.sh").text
    said = home.refused(script, "--prefix", f"{full_disk}/opt")
    assert f"Writing to {full_disk}/opt failed. 0 MB is free there: is the disk full?" in said
    assert [path.name for path in full_disk.iterdir()] == ["filler"]
    said = home.refused(script, TMPDIR=str(full_disk))
    assert "0 MB is free there: is the disk full?" in said
    assert [path.name for path in full_disk.iterdir()] == ["filler"]


def test_a_place_without_permission_is_named(server: LiveServer, home: Home) -> None:
    place = "/usr/macmeter-of-a-test"
    script = server.ask("/install.sh").text
    with tempfile.TemporaryDirectory() as own:
        if os.geteuid() == 0:  # root may write everywhere
            os.chown(own, NOBODY, -1)
        said = home.refused(script, "--prefix", place, user=NOBODY, TMPDIR=own, PATH=os.defpath)
        assert not list(Path(own).iterdir())
    assert "there is no permission to write there. Choose another place with --prefix DIR." in said
    assert not Path(place).exists()


@pytest.mark.parametrize(
    ("shims", "words"),
    [
        (
            {"uname": "case $1 in -s) echo Darwin ;; *) echo x86_64 ;; esac", "sysctl": "exit 1"},
            "The agent needs a Mac with Apple silicon. This one has an Intel processor.",
        ),
        (
            {
                "uname": "case $1 in -s) echo Darwin ;; *) echo arm64 ;; esac",
                "sw_vers": "echo 12.6",
            },
            "The agent needs macOS 13 or newer. This Mac has macOS 12.6.",
        ),
        (
            {"uname": "case $1 in -s) echo Linux ;; *) echo riscv64 ;; esac"},
            "On Linux the agent runs on x86-64 and arm64. This machine has riscv64.",
        ),
        ({"uname": "echo FreeBSD"}, "The agent runs on macOS and Linux. This system is FreeBSD."),
        (
            # A shell under Rosetta; and a release without the agent for it.
            {
                "uname": "case $1 in -s) echo Darwin ;; *) echo x86_64 ;; esac",
                "sysctl": "echo 1",
                "sw_vers": "echo 26.1",
            },
            f"has no agent {VERSION} for macos-arm64, only those above.",
        ),
    ],
    ids=["Intel", "old macOS", "RISC-V", "FreeBSD", "not in the release"],
)
def test_other_systems_are_refused(
    server: LiveServer, home: Home, shims: dict[str, str], words: str
) -> None:
    for name, body in shims.items():
        home.shim(name, body)
    assert words in home.refused(server.ask("/install.sh").text)


def test_an_agent_that_does_not_run_leaves_the_old_one(server: LiveServer, home: Home) -> None:
    home.install(server)
    said = home.refused(server.ask("/install.sh").text, BROKEN="1")
    assert "version GLIBC_2.38 not found" in said
    assert f"The agent {VERSION} for {PLATFORM} doesn't run on this system." in said


def test_a_script_that_was_cut_does_nothing(server: LiveServer, home: Home) -> None:
    script = server.ask("/install.sh").text
    before = home.files()
    lines = script.splitlines(keepends=True)
    for count in (20, len(lines) // 2, len(lines) - 1):
        home.run("".join(lines[:count]))
        assert home.files() == before, count


@pytest.mark.parametrize(
    ("gh", "words"),
    [
        (
            "exit 0",
            f"Checked: the attestation. GitHub built the archive from the source of {REPOSITORY}.",
        ),
        (
            '[ "$1" = auth ]',
            f"GitHub has no attestation that it built {ARCHIVE} from {REPOSITORY}.",
        ),
        ('[ "$1" != auth ]', "Not checked: the attestation, because gh isn't signed in."),
        (None, "Not checked: the attestation, because gh isn't installed."),
    ],
)
def test_attestations_are_checked_where_gh_is(
    server: LiveServer, home: Home, gh: str | None, words: str
) -> None:
    address = f"https://github.com/{REPOSITORY}/releases/download/v{VERSION}"
    offer = Offer(VERSION, address, None, frozenset(), None, "")
    script = offer.script("install.sh", server.url)
    assert f"files={address}" in script
    assert offer.package == f"{address}/macmeter-{VERSION}.pkg"
    script = script.replace(f"files={address}", f"files={server.url}/agent")
    if gh is not None:
        home.shim("gh", gh)
    elif shutil.which("gh"):
        pytest.skip("gh is installed here")
    if words.startswith("GitHub has no"):
        assert words in home.refused(script)
        return
    done = home.run(script)
    assert done.returncode == 0, done.stderr
    assert words in done.stderr
    assert "Not checked: a signature. This server knows no key for this release." in done.stderr


@pytest.mark.parametrize("name", ["install.sh", "uninstall.sh"])
def test_scripts_are_as_shellcheck_wants_them(name: str) -> None:
    if shutil.which("shellcheck") is None:
        pytest.skip("shellcheck is not installed")
    done = subprocess.run(
        ["shellcheck", SCRIPTS / name], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


@contextmanager
def cutting(port: int) -> Iterator[str]:
    """Proxy a server, but send only half of each archive."""
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with suppress(OSError):
            while True:
                client, _ = listening.accept()
                with suppress(OSError), client, socket.create_connection(("127.0.0.1", port)) as to:
                    asked = client.recv(65_536)
                    to.sendall(asked.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
                    answer = b"".join(iter(lambda: to.recv(65_536), b""))
                    cut = len(answer) // 2 if b".tar.gz" in asked.split(b"\r\n")[0] else None
                    client.sendall(answer[:cut])

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join()
