"""The steps of a release, except those that need a Mac, Docker or GitHub."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import subprocess
import tarfile
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from macmeter.platform.release import VERSION
from macmeter.platform.settings import CHECKOUT
from support.releases import STEPS, fake_agent, make_key, step, try_step

ADDRESS = "https://example.org/releases/download/v1"
SCRIPTS = sorted(path for path in STEPS.iterdir() if path.suffix == "" and path.is_file())
NOT_A_MAC = pytest.mark.skipif(platform.system() == "Darwin", reason="this is a Mac")


def archive(folder: Path, name: str) -> Path:
    agent = fake_agent(folder)
    return Path(step("archive.py", "--binary", agent, "--platform", name, "--out", folder / "dist"))


def test_an_archive_has_what_an_installation_has(tmp_path: Path) -> None:
    made = archive(tmp_path, "linux-arm64")
    assert made.name == f"macmeter-{VERSION}-linux-arm64.tar.gz"
    with tarfile.open(made) as packed:
        found = {entry.name: entry.mode for entry in packed}
    inside = {
        "bin/macmeter": 0o755,
        "share/bash-completion/completions/macmeter": 0o644,
        "share/doc/macmeter/LICENSE": 0o644,
        "share/fish/vendor_completions.d/macmeter.fish": 0o644,
        "share/man/man1/macmeter.1": 0o644,
        "share/zsh/site-functions/_macmeter": 0o644,
    }
    assert found == {f"macmeter-{VERSION}/{name}": mode for name, mode in inside.items()}
    before = made.read_bytes()
    assert archive(tmp_path, "linux-arm64").read_bytes() == before, "built again, the same bytes"


def test_an_agent_of_another_version_is_refused(tmp_path: Path) -> None:
    agent = fake_agent(tmp_path)
    agent.write_text(agent.read_text().replace(VERSION, "0.0.1"))
    done = try_step("archive.py", "--binary", agent, "--out", tmp_path)
    assert done.returncode == 1
    assert f"is version 0.0.1, and the sources are {VERSION}" in done.stderr


def test_checksums_are_those_of_every_file(tmp_path: Path) -> None:
    for name in ("b.pkg", "a.tar.gz", ".hidden"):
        (tmp_path / name).write_text(name)
    keys = tmp_path / "keys"
    keys.mkdir()
    private, public = make_key(keys)
    step("checksums.py", tmp_path, RELEASE_KEY=private)
    step("checksums.py", tmp_path, RELEASE_KEY=private)  # again: it doesn't list itself
    listed = (tmp_path / "SHA256SUMS").read_text()
    assert listed.splitlines() == [
        f"{hashlib.sha256(name.encode()).hexdigest()}  {name}" for name in ("a.tar.gz", "b.pkg")
    ]
    verify = ["openssl", "dgst", "-sha256", "-verify", str(public), "-signature", "SHA256SUMS.sig"]
    subprocess.run([*verify, "SHA256SUMS"], cwd=tmp_path, check=True, capture_output=True)
    unsigned = try_step("checksums.py", tmp_path)
    assert unsigned.stderr == "Not signed: RELEASE_KEY is not set.\n"
    assert not (tmp_path / "SHA256SUMS.sig").exists()


def test_the_formula_installs_the_archive_of_the_release(tmp_path: Path) -> None:
    made = archive(tmp_path, "macos-arm64")
    step("formula.py", "--out", made.parent, "--address", ADDRESS, "--homepage", "https://h.org")
    formula = (made.parent / "macmeter.rb").read_text()
    assert f'url "{ADDRESS}/{made.name}"' in formula
    assert f'sha256 "{hashlib.sha256(made.read_bytes()).hexdigest()}"' in formula
    assert f'version "{VERSION}"' in formula
    assert 'homepage "https://h.org"' in formula
    assert "@" not in formula
    if shutil.which("ruby"):
        subprocess.run(["ruby", "-c", made.parent / "macmeter.rb"], check=True, capture_output=True)


def test_without_an_archive_for_macs_there_is_no_formula(tmp_path: Path) -> None:
    done = try_step("formula.py", "--out", tmp_path, "--address", ADDRESS)
    assert done.returncode == 1
    assert "macos-arm64.tar.gz is missing: it is built on a Mac" in done.stderr


def test_notes_are_what_the_changelog_says() -> None:
    notes = step("notes.py", "0.1.0")
    assert notes.startswith("Never published as files.")
    assert "## " not in notes.replace("### ", "")
    done = try_step("notes.py", "99.0.0")
    assert done.returncode == 1
    assert "CHANGELOG.md has no heading `## [99.0.0] - YYYY-MM-DD`" in done.stderr


def test_the_changelog_has_the_form_of_one() -> None:
    lines = (CHECKOUT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    sections = [line for line in lines if line.startswith("## ")]
    assert sections[0] == "## [Unreleased]"
    kinds = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert {line.removeprefix("### ") for line in lines if line.startswith("### ")} <= kinds


def test_what_a_tag_lacks_is_said_at_once() -> None:
    done = try_step("ready.py", "v99.0.0")
    assert done.returncode == 1
    assert f"the tag is v99.0.0, and the sources are {VERSION}: v{VERSION}" in done.stderr
    assert try_step("ready.py").returncode == 1


# Steps for a Mac, Docker and GitHub: their messages elsewhere, and without secrets.


def test_without_certificates_nothing_is_signed() -> None:
    done = try_step("keychain", MACOS_CERTIFICATES="")
    assert (done.returncode, done.stdout) == (0, "")
    assert "Not signed: MACOS_CERTIFICATES is not set." in done.stderr


@NOT_A_MAC
@pytest.mark.parametrize(
    ("name", "arguments", "environment", "words"),
    [
        ("keychain", (), {"MACOS_CERTIFICATES": "eA=="}, "programs for macOS are signed on a Mac"),
        ("package", (), {}, "build-pkg.sh: packages are built on macOS"),
        ("image", ("build", "x"), {"DOCKER_HOST": "unix:///nowhere"}, "Docker doesn't run here"),
        ("publish", ("release", "v1"), {"PATH": os.defpath}, "gh is not installed"),
    ],
)
def test_steps_say_what_they_need(
    tmp_path: Path, name: str, arguments: tuple[str, ...], environment: dict[str, str], words: str
) -> None:
    if name == "publish" and shutil.which("gh", path=os.defpath):
        pytest.skip("gh is installed here")
    done = try_step(name, *arguments, OUTPUT=str(tmp_path), **environment)
    assert done.returncode == 1
    assert words in done.stderr


def test_a_release_says_what_is_not_signed(tmp_path: Path) -> None:
    """Run `publish draft` with a fake gh that records its arguments."""
    shims, files = tmp_path / "shims", tmp_path / "dist"
    for folder in (shims, files):
        folder.mkdir()
    (files / "SHA256SUMS").write_text("")
    called = tmp_path / "called"
    body = f'printf "%s\\n" "$@" >{called}\nwhile [ "$1" != --notes-file ]; do shift; done\n'
    (shims / "gh").write_text(f'#!/bin/sh\n{body}cp "$2" {tmp_path}/notes\n')
    (shims / "gh").chmod(0o755)
    path = f"{shims}:{os.environ['PATH']}"
    step("publish", "draft", "v0.1.0", files, PATH=path, SIGN_APPLICATION="")
    arguments = called.read_text().split("\n")
    assert arguments[:5] == ["release", "create", "v0.1.0", "--draft", "--verify-tag"]
    assert str(files / "SHA256SUMS") in arguments
    notes = (tmp_path / "notes").read_text()
    assert "The checksums of this release are not signed." in notes
    assert "are not signed with a Developer ID" in notes
    (files / "SHA256SUMS.sig").write_text("")
    step("publish", "draft", "v0.1.0", files, PATH=path, SIGN_APPLICATION="Developer ID: X")
    assert "not signed" not in (tmp_path / "notes").read_text()


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_scripts_are_as_shellcheck_wants_them(script: Path) -> None:
    assert os.access(script, os.X_OK)
    if shutil.which("shellcheck") is None:
        pytest.skip("shellcheck is not installed")
    done = subprocess.run(["shellcheck", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


# Pins, from a temporary repository and a fake registry.

INDEX = f"sha256:{'ab' * 32}"


class Registry(BaseHTTPRequestHandler):
    """A registry like Docker's own: without a token it says where to get one."""

    asked: list[str]

    def do_HEAD(self) -> None:
        self.asked.append(self.path)
        host = self.headers["Host"]
        if self.headers.get("Authorization") != "Bearer anonymous":
            self.send_response(401)
            scope = f'service="s",scope="repository:{self.path}:pull"'
            self.send_header("WWW-Authenticate", f'Bearer realm="http://{host}/token",{scope}')
        elif "missing" in self.path:
            self.send_response(404)
        else:
            assert "oci.image.index" in self.headers["Accept"]
            self.send_response(200)
            self.send_header("Docker-Content-Digest", INDEX)
        self.end_headers()

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({"token": "anonymous"}).encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def registry() -> Iterator[ThreadingHTTPServer]:
    Registry.asked = []
    with ThreadingHTTPServer(("127.0.0.1", 0), Registry) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def github(tmp_path: Path) -> dict[str, str]:
    """Commits by repository: each has an annotated tag, like GitHub's actions."""
    commits = {}
    for name in ("checkout", "cache"):
        folder = tmp_path / "github/actions" / name
        folder.mkdir(parents=True)
        own = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
        for command in (
            ["init", "--quiet"],
            [*own, "commit", "--quiet", "--allow-empty", "--message", name],
            [*own, "tag", "--annotate", "v5", "--message", "v5"],
        ):
            subprocess.run(["git", *command], cwd=folder, check=True, capture_output=True)
        head = subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=folder, text=True)
        commits[name] = head.strip()
    return commits


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A working copy with the step and a few files that name actions and images."""
    root = tmp_path / "copy"
    files = {
        ".github/workflows/ci.yml": "- uses: actions/checkout@v5\n- uses: ./.github/actions/own\n",
        ".github/actions/own/action.yml": "- uses: actions/cache/restore@v5\n",
        "backend/Dockerfile": "FROM python:3.13 AS a\nFROM ghcr.io/o/image:1\nCOPY --from=a / /\n",
        "tools/release/agent.Dockerfile": "FROM swift:6\n",
        ".devcontainer/Dockerfile": "FROM swift:6\n",
        "docker-compose.yml": "    image: postgres:18\n    image: macmeter\n",
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    for name in ("pin.py", "project.py"):
        shutil.copy(STEPS / name, root / "tools/release")
    return root


def pin(
    copy: Path, registry: ThreadingHTTPServer, *arguments: str
) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {
        "GITHUB_SERVER_URL": f"file://{copy.parent}/github",
        "REGISTRY": f"http://127.0.0.1:{registry.server_address[1]}",
    }
    return subprocess.run(
        [copy / "tools/release/pin.py", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_actions_and_images_are_pinned(
    copy: Path, registry: ThreadingHTTPServer, github: dict[str, str]
) -> None:
    loose = pin(copy, registry, "--check")
    assert loose.returncode == 1
    assert ".github/workflows/ci.yml: actions/checkout v5" in loose.stderr
    assert "docker-compose.yml: postgres 18" in loose.stderr
    for _ in range(2):  # pinned references are pinned again
        done = pin(copy, registry)
        assert done.returncode == 0, done.stderr
        assert (copy / ".github/workflows/ci.yml").read_text() == (
            f"- uses: actions/checkout@{github['checkout']} # v5\n- uses: ./.github/actions/own\n"
        )
        assert (copy / ".github/actions/own/action.yml").read_text() == (
            f"- uses: actions/cache/restore@{github['cache']} # v5\n"
        )
        assert (copy / "backend/Dockerfile").read_text() == (
            f"FROM python:3.13@{INDEX} AS a\nFROM ghcr.io/o/image:1@{INDEX}\nCOPY --from=a / /\n"
        )
        assert (copy / "docker-compose.yml").read_text() == (
            f"    image: postgres:18@{INDEX}\n    image: macmeter\n"
        )
    assert {"/v2/library/python/manifests/3.13", "/v2/o/image/manifests/1"} <= {*Registry.asked}
    assert pin(copy, registry, "--check").returncode == 0


def test_one_digest_that_is_missing_changes_no_file(
    copy: Path, registry: ThreadingHTTPServer, github: dict[str, str]
) -> None:
    (copy / "docker-compose.yml").write_text("    image: missing:1\n")
    before = (copy / ".github/workflows/ci.yml").read_text()
    done = pin(copy, registry)
    assert done.returncode == 1
    assert "/v2/library/missing/manifests/1: the registry answers 404" in done.stderr
    assert (copy / ".github/workflows/ci.yml").read_text() == before
