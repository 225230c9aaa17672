#!/usr/bin/env python3
"""Asks for known weaknesses of the packages that are locked here: pip-audit and npm audit.

Fails where there is one. Without a network, or where a registry doesn't tell, it says so and
passes.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from stages import BIN, ROOT

PYTHON = ["backend/requirements-dev.txt", "tests/load/requirements-spark.txt"]
NODE = [".", "tests/load/pages"]
SECONDS = 180.0
UNASKED = "not known: nobody answered what is known of these packages"


class Unasked(Exception):
    """Nobody has answered."""


def python_faults(told: str) -> list[str]:
    """`told` is pip-audit's JSON; nothing at all where it could not ask.

    A registry that only copies packages knows nothing of weaknesses: pip-audit then skips each.
    """
    found = parsed(told).get("dependencies")
    if not found or all("skip_reason" in one for one in found):
        raise Unasked
    return [
        f"{one['name']} {one['version']}: {fault['id']}, mended in {versions(fault)}"
        for one in found
        for fault in one.get("vulns", [])
    ]


def node_faults(told: str) -> list[str]:
    """`told` is npm's JSON, which has no such list where its registry refuses to tell."""
    found = parsed(told).get("vulnerabilities")
    if found is None:
        raise Unasked
    return [
        f"{name} {one['range']}: {one['severity']}"
        for name, one in found.items()
        if any(isinstance(cause, dict) for cause in one["via"])
    ]


def parsed(told: str) -> dict[str, Any]:
    try:
        found = json.loads(told)
    except ValueError:
        raise Unasked from None
    return found if isinstance(found, dict) else {}


def versions(fault: dict[str, Any]) -> str:
    return ", ".join(fault.get("fix_versions", [])) or "no version yet"


def told_by(command: list[str], folder: Path) -> str:
    """What it prints: the exit status is the same for a weakness and for no network."""
    try:
        ended = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, check=False, timeout=SECONDS
        )
    except (OSError, subprocess.TimeoutExpired):
        raise Unasked from None
    return ended.stdout


def main() -> int:
    asked = [
        # The hashes in the lock are all that is needed: nothing is installed or resolved.
        (
            lock,
            [str(BIN / "pip-audit"), "--disable-pip", "-s", "osv", "-f", "json", "-r", lock],
            ".",
        )
        for lock in PYTHON
    ]
    asked += [
        (f"{folder}/package-lock.json", ["npm", "audit", "--json"], folder) for folder in NODE
    ]
    failed = 0
    for lock, command, folder in asked:
        faults_of = node_faults if command[0] == "npm" else python_faults
        try:
            faults = faults_of(told_by(command, ROOT / folder))
        except Unasked:
            print(f"{lock}: {UNASKED}")
            continue
        failed += bool(faults)
        print(f"{lock}: {len(faults)} known weaknesses", *faults, sep="\n  ")
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
