"""What stops `install.sh` and `uninstall.sh` before they download or remove anything."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from macmeter.platform.release import VERSION
from macmeter.platform.settings import Settings
from macmeter.server.installing.files import Offer, script, why_no_agents_offered
from support.installing import Home
from support.server import Server

SERVER = "https://macs.example.org"
# Nothing answers there: what is said first was found out before the download.
NOWHERE = "http://127.0.0.1:9"
INSTALL = Offer(VERSION, NOWHERE, None, frozenset(), None, "").installer(SERVER)
UNINSTALL = script("uninstall.sh", SERVER=SERVER)
NOBODY = 65_534


@pytest.fixture
def home() -> Iterator[Home]:
    """An account that isn't root's, in a folder that it may enter."""
    with tempfile.TemporaryDirectory() as folder:
        account = Home(Path(folder))
        account.environment["PATH"] = f"{account.shims}:{os.defpath}"
        if os.geteuid() == 0:
            Path(folder).chmod(0o755)
            for path in (account.folder, account.environment["TMPDIR"]):
                os.chown(path, NOBODY, NOBODY)
        account.shim("sudo", "exit 1")
        yield account


async def test_a_server_without_files_says_so_and_fails(empty_server: Server, home: Home) -> None:
    offer = (await empty_server.client.get("/api/v1/agent")).json()
    nothing = {"files": None, "install": None, "tap": None, "package": None}
    assert offer == {"version": VERSION, **nothing}
    # `curl -f` gives `sh` nothing to run for any other status.
    response = await empty_server.client.get("/install.sh")
    assert response.status_code == 200
    errors = home.refused(response.text)
    assert "offers no agent, so nothing was installed." in errors
    assert "(the setting AGENT_FILES)" in errors
    assert (await empty_server.client.get("/agent/SHA256SUMS")).status_code == 404
    # What an earlier version or release installed can still be removed.
    response = await empty_server.client.get("/uninstall.sh")
    assert response.status_code == 200
    assert "install.sh has installed nothing in" in home.refused(response.text)


def test_a_folder_that_offers_nothing_is_named(tmp_path: Path) -> None:
    assert why_no_agents_offered(Settings(agent_files=tmp_path)) == (
        f"AGENT_FILES: {tmp_path}/SHA256SUMS lists no archive that is there: Macs get no agent"
    )
    assert why_no_agents_offered(Settings(agent_files=NOWHERE)) is None
    assert why_no_agents_offered(Settings()) is None


def test_files_that_cannot_be_reached_are_whose_to_correct(home: Home) -> None:
    errors = home.refused(INSTALL, user=NOBODY)
    assert f"SHA256SUMS could not be downloaded from {NOWHERE}. Nothing was installed." in errors
    assert f"tell the administrator of {SERVER}, whose setting AGENT_FILES names" in errors


def test_a_place_without_permission_is_named_before_the_download(home: Home) -> None:
    errors = home.refused(INSTALL, "--prefix", "/usr/macmeter-of-a-test", user=NOBODY)
    assert "There is no permission to write to /usr. Nothing was installed." in errors
    assert "Choose a folder of yours with --prefix DIR." in errors
    errors = home.refused(INSTALL, "--prefix", "/usr/local/macmeter-of-a-test", user=NOBODY)
    assert "Install for all accounts with --system" in errors


@pytest.mark.parametrize("folder", [".local", ".local/bin", ".local/share/macmeter"])
def test_a_folder_of_the_account_is_corrected_without_sudo(home: Home, folder: str) -> None:
    locked = home.folder / folder
    locked.mkdir(parents=True)
    locked.chmod(0o555)
    if os.geteuid() == 0:  # `mkdir` made all of them root's, as `sudo sh` does
        for path in locked.relative_to(home.folder).parents:
            os.chown(home.folder / path, NOBODY, NOBODY)
        errors = home.refused(INSTALL, user=NOBODY)
        assert f"There is no permission to write to {locked}. Nothing was installed." in errors
        assert "It isn't this account's. Make it so, then try again: sudo chown -R " in errors
        os.chown(locked, NOBODY, NOBODY)
    errors = home.refused(INSTALL, user=NOBODY)
    assert f"Allow it, then try again: chmod u+wx '{locked}'\nOr choose another place" in errors
    locked.chmod(0o755)
    assert "could not be downloaded" in home.refused(INSTALL, user=NOBODY)


def test_a_file_in_the_place_of_a_folder_is_named(home: Home) -> None:
    (home.folder / ".local").write_text("a file")
    errors = home.refused(INSTALL, user=NOBODY)
    assert f"{home.folder}/.local isn't a folder. Nothing was installed." in errors


@pytest.mark.skipif(os.geteuid() != 0, reason="needs another account than root's")
def test_for_all_accounts_without_sudo_is_refused_before_the_download(home: Home) -> None:
    errors = home.refused(INSTALL, "--system", user=NOBODY)
    assert "needs root, but sudo refused. Nothing was installed. Run this as root" in errors
    (home.shims / "sudo").unlink()
    errors = home.refused(INSTALL, "--system", user=NOBODY, PATH=home.only_tools())
    assert "needs root, but sudo isn't installed. Nothing was installed. Run this as root" in errors


def test_what_may_not_be_removed_keeps_all(home: Home) -> None:
    notes = home.folder / ".local/share/macmeter"
    notes.mkdir(parents=True)
    (notes / "installed").write_text("")
    (home.folder / ".local/bin").mkdir(mode=0o555)
    errors = home.refused(UNINSTALL, user=NOBODY)
    assert f"There is no permission to remove files from {home.folder}/.local/bin." in errors
    assert "Make it yours, then try again: sudo chown -R " in errors
