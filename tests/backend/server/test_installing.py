"""`/install.sh` installs the agent by a real `sh` from a real server, or installs nothing."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from macmeter.platform.release import VERSION
from macmeter.platform.settings import CHECKOUT
from macmeter.server.installing.files import Offer
from support.installing import ARCHIVE, PLATFORM, Home, cutting
from support.live_server import ForkedServer, LiveServer
from support.releases import fake_agent, make_key, step
from support.seeds import seeded

SCRIPTS = CHECKOUT / "backend/macmeter/server/installing"
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


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


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
    process = home.run(server.ask("/uninstall.sh").text, "--yes", "--discard-unsent")
    assert process.returncode == 0, process.stderr
    record = home.folder / "uninstalled"
    assert record.read_text() == "--yes --discard-unsent\n"
    record.unlink()
    assert home.files() == before


def test_unsent_runs_keep_the_program(server: LiveServer, home: Home) -> None:
    home.install(server)
    process = home.run(server.ask("/uninstall.sh").text, UNSENT="1")
    assert process.returncode == 1
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
    process = home.run(server.ask("/uninstall.sh").text, "--prefix", f"{tmp_path}/opt", "--yes")
    assert process.returncode == 0, process.stderr
    assert not (tmp_path / "opt").exists()


def test_a_changed_archive_is_refused(server: LiveServer, home: Home) -> None:
    archive = Path(server.environment["AGENT_FILES"]) / ARCHIVE
    archive.write_bytes(archive.read_bytes() + b"more")
    errors = home.refused(server.ask("/install.sh").text)
    assert f"{ARCHIVE} is damaged or was changed" in errors
    assert "Nothing was installed." in errors


def test_a_page_in_place_of_the_archive_is_named(server: LiveServer, home: Home) -> None:
    archive = Path(server.environment["AGENT_FILES"]) / ARCHIVE
    archive.write_text("<!DOCTYPE html><title>Welcome to the hotel</title>")
    errors = home.refused(server.ask("/install.sh").text)
    assert f"Instead of {ARCHIVE} came a web page" in errors
    assert "Nothing was installed: try again from another network." in errors


def test_changed_checksums_are_refused(server: LiveServer, home: Home) -> None:
    folder = Path(server.environment["AGENT_FILES"])
    (folder / ARCHIVE).write_bytes(b"another program")
    # An attacker who changes the files can change their list, but can't sign it.
    signature = (folder / "SHA256SUMS.sig").read_bytes()
    step("checksums.py", folder)
    (folder / "SHA256SUMS.sig").write_bytes(signature)
    errors = home.refused(server.ask("/install.sh").text)
    assert "The signature of SHA256SUMS doesn't fit the key" in errors


@pytest.mark.parametrize("content", [b"no archive", b"", b"\x1f\x8b\x08\x00 half of one"])
def test_what_is_listed_and_no_archive_is_named(
    release: Path, server: LiveServer, home: Home, content: bytes
) -> None:
    folder = Path(server.environment["AGENT_FILES"])
    (folder / ARCHIVE).write_bytes(content)
    step("checksums.py", folder, RELEASE_KEY=(release / "private.pem").read_text())
    errors = home.refused(server.ask("/install.sh").text)
    assert f"{ARCHIVE} can't be unpacked: " in errors
    assert "Nothing was installed." in errors
    assert "disk" not in errors


def test_an_archive_of_something_else_is_named(
    release: Path, server: LiveServer, home: Home, tmp_path: Path
) -> None:
    folder = Path(server.environment["AGENT_FILES"])
    (tmp_path / "other").write_bytes(b"something else")
    with tarfile.open(folder / ARCHIVE, "w:gz") as archive:
        archive.add(tmp_path / "other", "other")
    step("checksums.py", folder, RELEASE_KEY=(release / "private.pem").read_text())
    errors = home.refused(server.ask("/install.sh").text)
    assert f"{ARCHIVE} doesn't hold the agent {VERSION}. Nothing was installed." in errors


def test_a_signature_that_went_is_refused(server: LiveServer, home: Home) -> None:
    (Path(server.environment["AGENT_FILES"]) / "SHA256SUMS.sig").unlink()
    assert "has no SHA256SUMS.sig" in home.refused(server.ask("/install.sh").text)


def test_without_openssl_the_signature_is_not_checked(server: LiveServer, home: Home) -> None:
    output = home.install(server, path=home.only_tools())
    assert "Not checked: the signature, because openssl isn't installed." in output
    assert "Checked: the checksum." in output


def test_a_cut_download_is_refused(server: LiveServer, home: Home) -> None:
    with cutting(server.port) as url:
        script = subprocess.check_output(["curl", "-fsS", f"{url}/install.sh"], text=True)
        errors = home.refused(script)
    assert f"The download of {ARCHIVE} was cut short. Nothing was installed: try again." in errors


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
    errors = home.refused(script, "--prefix", f"{full_disk}/opt")
    assert f"Writing to {full_disk}/opt failed. 0 MB is free there: is the disk full?" in errors
    assert [path.name for path in full_disk.iterdir()] == ["filler"]
    errors = home.refused(script, TMPDIR=str(full_disk))
    assert "0 MB is free there: is the disk full?" in errors
    assert [path.name for path in full_disk.iterdir()] == ["filler"]


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
    errors = home.refused(server.ask("/install.sh").text, BROKEN="1")
    assert "version GLIBC_2.38 not found" in errors
    assert f"The agent {VERSION} for {PLATFORM} doesn't run on this system." in errors


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
    script = offer.installer(server.url)
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
    process = home.run(script)
    assert process.returncode == 0, process.stderr
    assert words in process.stderr
    assert "Not checked: a signature. This server knows no key for this release." in process.stderr


@pytest.mark.parametrize("name", ["install.sh", "no-agent.sh", "uninstall.sh"])
def test_scripts_are_as_shellcheck_wants_them(name: str) -> None:
    if shutil.which("shellcheck") is None:
        pytest.skip("shellcheck is not installed")
    process = subprocess.run(
        ["shellcheck", SCRIPTS / name], capture_output=True, text=True, check=False
    )
    assert process.returncode == 0, process.stdout
