"""tools/commits.py, on temporary repositories."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from macmeter.platform.settings import CHECKOUT

GOOD = "Limit comparison bodies to 64 KB\n\nA larger one filled the memory of a worker."
NOBODY = {
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.com",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.com",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(folder), *arguments], check=True, env=os.environ | NOBODY)


def commit(folder: Path, *messages: str) -> None:
    for message in messages:
        git(folder, "commit", "--quiet", "--allow-empty", "-m", message)


def check(folder: Path) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, CHECKOUT / "tools" / "commits.py", folder],
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.stderr
    return done.returncode, done.stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "--quiet")
    return tmp_path


@pytest.mark.parametrize(
    ("message", "fault"),
    [
        ("Limit " + "bodies " * 10 + "\n\nThey were large.", "72 characters (it has 75)"),
        ("Limit bodies", "say why"),
        ("Limit bodies\n\nSigned-off-by: A <a@example.com>", "say why"),
        ("Limit bodies\nas they were large", "second line blank"),
        ("limit bodies\n\nThey were large.", "capital letter"),
        ("Limit bodies.\n\nThey were large.", "full stop"),
    ],
)
def test_a_message_that_breaks_the_form_is_named(
    repository: Path, message: str, fault: str
) -> None:
    commit(repository, GOOD, message)
    code, printed = check(repository)
    assert (code, printed.count("\n")) == (1, 2), printed
    assert fault in printed


def test_good_messages_pass_and_merges_are_not_asked(repository: Path) -> None:
    commit(repository, GOOD)
    git(repository, "checkout", "--quiet", "-b", "beside")
    commit(repository, GOOD)
    git(repository, "checkout", "--quiet", "-")
    commit(repository, GOOD)
    git(repository, "merge", "--quiet", "--no-ff", "-m", "merge", "beside")
    assert check(repository) == (0, "")


def test_commits_before_the_last_release_are_left_alone(repository: Path) -> None:
    commit(repository, "bad.")
    git(repository, "tag", "-m", "First", "v1.0.0")
    assert check(repository) == (0, "")
    commit(repository, GOOD)
    assert check(repository) == (0, "")
    commit(repository, "Bad")
    assert check(repository)[0] == 1


def test_without_a_release_the_last_thirty_count(repository: Path) -> None:
    commit(repository, "bad.", *[GOOD] * 29)
    assert check(repository)[0] == 1
    commit(repository, GOOD)
    assert check(repository) == (0, "")


def test_a_shallow_clone_is_held_to_what_it_has(repository: Path, tmp_path: Path) -> None:
    commit(repository, "bad.", GOOD, GOOD)
    shallow = tmp_path / "shallow"
    git(tmp_path, "clone", "--quiet", "--depth", "2", repository.as_uri(), str(shallow))
    assert check(shallow) == (0, "")


def test_a_folder_without_history_passes(tmp_path: Path) -> None:
    assert check(tmp_path) == (0, "")


@pytest.mark.parametrize(
    ("message", "status"),
    [
        (f"{GOOD}\n# Please enter the commit message\n", 0),
        ("Merge branch 'x'", 0),
        ("Limit comparison bodies\n\n# only a comment of the editor", 1),
    ],
)
def test_a_message_is_checked_before_it_is_a_commit(
    tmp_path: Path, message: str, status: int
) -> None:
    file = tmp_path / "COMMIT_EDITMSG"
    file.write_text(message)
    command = [sys.executable, str(CHECKOUT / "tools/commits.py"), "--message", str(file)]
    assert subprocess.run(command, capture_output=True, check=False).returncode == status
