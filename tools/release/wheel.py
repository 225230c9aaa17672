#!/usr/bin/env python3
"""Build the server's wheel with everything it serves inside: dashboard, migrations, licence.

    tools/release/wheel.py [--out DIR] [--files ADDRESS] [--tap OWNER/TAP]

--out    where the wheel goes (dist)
--files  the address of the release's files, where the server sends Macs for the agent
--tap    the Homebrew tap that has the agent

Prints the wheel's path. Needs frontend/dist (`make wheel` builds it) and uv, and fetches nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import tempfile
from pathlib import Path

from project import DIST, ROOT, Refused, run, step, version

BACKEND = ROOT / "backend"
# Belongs to a checkout, or was left by running it.
NOT_PACKED = shutil.ignore_patterns("__pycache__", "*.pyc", ".stamp", "README")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=DIST)
    parser.add_argument("--files")
    parser.add_argument("--tap")
    options = parser.parse_args()
    dashboard = ROOT / "frontend/dist"
    if not (dashboard / "index.html").is_file():
        raise Refused("frontend/dist has no built dashboard: run `make wheel`")
    with tempfile.TemporaryDirectory() as directory:
        source = Path(directory)
        shutil.copy(BACKEND / "pyproject.toml", source)
        package = source / "macmeter"
        shutil.copytree(BACKEND / "macmeter", package, ignore=NOT_PACKED)
        shutil.copy(ROOT / "LICENSE", package)
        shutil.copytree(ROOT / "migrations", package / "migrations", ignore=NOT_PACKED)
        shutil.copytree(dashboard, package / "dashboard", ignore=NOT_PACKED)
        if options.files:
            released = {"files": options.files, "tap": options.tap}
            (package / "server/installing/released.json").write_text(json.dumps(released))
        options.out.mkdir(parents=True, exist_ok=True)
        build = [str(uv()), "build", "--quiet", "--wheel", "--no-create-gitignore"]
        run(*build, "--out-dir", options.out.resolve(), source)
    print(options.out.resolve() / f"macmeter-{version()}-py3-none-any.whl")


def uv() -> Path:
    """The working copy's uv, which includes the build backend."""
    path = ROOT / ".venv/bin/uv"
    if not path.exists():
        raise Refused(f"{os.path.relpath(path)} is missing: run `make wheel`")
    return path


if __name__ == "__main__":
    step(main)
