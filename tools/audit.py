#!/usr/bin/env python3
"""Ask pip-audit and npm audit for known vulnerabilities of the locked packages.

Fails if there are any. Without a network, or if a registry doesn't answer, it says so and passes.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from stages import BIN, ROOT

PYTHON = [
    *("backend/requirements-dev.txt", "backend/requirements-spark.txt"),
    "tests/load/requirements-spark.txt",
]
NODE = [".", "tests/load/pages"]
SECONDS = 180.0
UNASKED = "not known: nobody answered what is known of these packages"


class Unasked(Exception):
    """No registry has answered."""


def python_faults(told: str) -> list[str]:
    """Vulnerabilities in pip-audit's JSON; `told` is empty if it could not ask.

    A mirror registry knows no vulnerabilities: pip-audit then skips every package.
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
    """Vulnerabilities in npm's JSON, which lacks the list if the registry refuses to answer."""
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


def output_of(command: list[str], folder: Path) -> str:
    """Output of a command: the exit status is the same for a vulnerability and for no network."""
    try:
        ended = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, check=False, timeout=SECONDS
        )
    except (OSError, subprocess.TimeoutExpired):
        raise Unasked from None
    return ended.stdout


def main() -> int:
    asked = [
        # The hashes in the lock are enough: nothing is installed or resolved.
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
            faults = faults_of(output_of(command, ROOT / folder))
        except Unasked:
            print(f"{lock}: {UNASKED}")
            continue
        failed += bool(faults)
        print(f"{lock}: {len(faults)} known weaknesses", *faults, sep="\n  ")
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
