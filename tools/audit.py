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


def python_faults(output: str) -> list[str]:
    """Vulnerabilities in pip-audit's JSON; `output` is empty if it could not ask.

    A mirror registry knows no vulnerabilities: pip-audit then skips every package.
    """
    packages = parsed(output).get("dependencies")
    if not packages or all("skip_reason" in package for package in packages):
        raise Unasked
    return [
        f"{package['name']} {package['version']}: {fault['id']}, mended in {versions(fault)}"
        for package in packages
        for fault in package.get("vulns", [])
    ]


def node_faults(output: str) -> list[str]:
    """Vulnerabilities in npm's JSON, which lacks the list if the registry refuses to answer."""
    packages = parsed(output).get("vulnerabilities")
    if packages is None:
        raise Unasked
    return [
        f"{name} {package['range']}: {package['severity']}"
        for name, package in packages.items()
        if any(isinstance(cause, dict) for cause in package["via"])
    ]


def parsed(output: str) -> dict[str, Any]:
    try:
        report = json.loads(output)
    except ValueError:
        raise Unasked from None
    return report if isinstance(report, dict) else {}


def versions(fault: dict[str, Any]) -> str:
    return ", ".join(fault.get("fix_versions", [])) or "no version yet"


def output_of(command: list[str], folder: Path) -> str:
    """Output of a command: the exit status is the same for a vulnerability and for no network."""
    try:
        process = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, check=False, timeout=SECONDS
        )
    except (OSError, subprocess.TimeoutExpired):
        raise Unasked from None
    return process.stdout


def main() -> int:
    audits = [
        # The hashes in the lock are enough: nothing is installed or resolved.
        (
            lock,
            [str(BIN / "pip-audit"), "--disable-pip", "-s", "osv", "-f", "json", "-r", lock],
            ".",
        )
        for lock in PYTHON
    ]
    audits += [
        (f"{folder}/package-lock.json", ["npm", "audit", "--json"], folder) for folder in NODE
    ]
    failed = 0
    for lock, command, folder in audits:
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
