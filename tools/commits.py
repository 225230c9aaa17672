#!/usr/bin/env python3
"""Check the form of commit messages: a short subject, a blank line, and a body that says why.

Looks at the commits since the last release, or else at the last 30; in a shallow clone or a folder
without history, at what there is. With --message FILE, looks at the message of a commit that is
being made.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

LONGEST = 72  # what git and repository hosts show of a subject without cutting it
FEW = 30
TRAILER = re.compile(r"[A-Z][A-Za-z-]+: .+")


def git(folder: Path, *arguments: str) -> str | None:
    """Output of git; None if it fails, as outside a repository."""
    try:
        process = subprocess.run(
            ["git", "-C", str(folder), *arguments], capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        return None
    return process.stdout if process.returncode == 0 else None


def messages(folder: Path) -> Iterator[tuple[str, str]]:
    """Abbreviated hash and message of each commit to check, newest first, without merges."""
    release = git(folder, "describe", "--tags", "--abbrev=0", "--match", "v*")
    revisions = [f"{release.strip()}..HEAD"] if release else [f"--max-count={FEW}"]
    log = git(folder, "log", "--no-merges", "-z", "--format=%h%n%B", *revisions) or ""
    for entry in filter(None, log.split("\0")):
        commit, _, message = entry.partition("\n")
        yield commit, message.strip()


def faults(message: str) -> Iterator[str]:
    """Faults of a message, each as what to do about it."""
    subject, *body = message.splitlines() or [""]
    if len(subject) > LONGEST:
        yield f"shorten the subject to {LONGEST} characters (it has {len(subject)})"
    if not subject[:1].isupper() or subject.endswith("."):
        yield "start the subject with a capital letter and end it without a full stop"
    if body and body[0]:
        yield "leave the second line blank"
    if not any(line.strip() and not TRAILER.fullmatch(line) for line in body):
        yield "say why in a body below the subject"


def written(file: Path) -> Iterator[tuple[str, str]]:
    """The message that git is about to use, without its editor's comments."""
    lines = file.read_text(encoding="utf-8").splitlines()
    message = "\n".join(line for line in lines if not line.startswith("#")).strip()
    if not message.startswith("Merge "):
        yield "new", message


def main(commits: Iterator[tuple[str, str]]) -> int:
    """Print every fault and return the number of messages that have one."""
    failed = 0
    for commit, message in commits:
        wrong = list(faults(message))
        subject, _, _ = message.partition("\n")
        failed += bool(wrong)
        for fault in wrong:
            print(f"{commit} {subject}\n  {fault}")
    return failed


if __name__ == "__main__":
    if sys.argv[1:2] == ["--message"]:
        sys.exit(min(main(written(Path(sys.argv[2]))), 1))
    sys.exit(min(main(messages(Path(*sys.argv[1:2]))), 1))
