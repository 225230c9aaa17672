#!/usr/bin/env python3
"""Bring the working copy to what its lock files say; quick if it is there already.

    tools/setup.py PART...      parts: run, dev, node, frontend, fio, lighthouse, spark

run       .venv with the server's packages (hash-locked) and the server itself
dev       the same and what tests and checks need
node      node_modules
frontend  the built dashboard in frontend/dist (node included)
fio       fio, with which the agent's disk speeds are compared
rscript   R with jsonlite, which runs the documentation's R example
lighthouse  what measures the built pages, in its own node_modules
spark     Spark, in its own .venv, and the Java that it runs on

A part is done when its stamp holds the digest of everything it was made from, so that a fresh
checkout, a switch of branches and an interrupted run all differ from a finished one. Only the
standard library is used here: nothing else is installed yet.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import debian

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BACKEND = ROOT / "backend"
FRONTEND = ROOT / "frontend"
OLDEST_PYTHON = (3, 11)
OLDEST_NODE = 20

UV_LOCK = BACKEND / "requirements-uv.txt"
# A compiler for macOS.
ZIG_LOCK = BACKEND / "requirements-zig.txt"
LOCKS = {"run": BACKEND / "requirements.txt", "dev": BACKEND / "requirements-dev.txt"}
# Only one measurement needs it, and it is half a gigabyte.
SPARK = ROOT / "build/spark"
SPARK_CLIENT_LOCK = BACKEND / "requirements-spark.txt"
SPARK_LOCK = ROOT / "tests/load/requirements-spark.txt"
# Only measurements need it, and it is larger than everything else together.
LIGHTHOUSE = ROOT / "tests/load/pages"
NODE_LOCKS = [
    ROOT / "package-lock.json",
    ROOT / "package.json",
    FRONTEND / "package.json",
    ROOT / "codegen/package.json",
]
# Files that the frontend's build reads besides its packages.
FRONTEND_SOURCES = ["src", "public", "index.html", "vite.config.ts", "tsconfig.json"]


class Refused(Exception):
    """Setup can't go on; the message says what to do about it."""


def main(parts: list[str]) -> None:
    os.chdir(ROOT)
    with single_setup(), ThreadPoolExecutor() as pool:
        # Python and Node packages don't depend on each other: install them in parallel.
        jobs = []
        if {"run", "dev"} & set(parts):
            jobs.append(pool.submit(python_packages, "dev" if "dev" in parts else "run"))
        if {"node", "frontend"} & set(parts):
            jobs.append(pool.submit(node_side, "frontend" in parts))
        if "lighthouse" in parts:
            jobs.append(pool.submit(lighthouse))
        if "spark" in parts:
            jobs.append(pool.submit(spark))
        for job in jobs:
            job.result()
        if "spark" in parts:
            spark_client()
        if "spark" in parts and shutil.which("java") is None:
            debian.install("default-jre-headless", "Spark")
        if "fio" in parts and shutil.which("fio") is None:
            debian.install("fio", "disk measurements")
        if "rscript" in parts and shutil.which("Rscript") is None:
            debian.install("r-cran-jsonlite", "the documentation's R example")


class single_setup:  # noqa: N801 - reads as the statement it is used in
    """Hold the working copy's setup lock: concurrent `make` commands take turns."""

    def __enter__(self) -> None:
        lock = ROOT / "build" / "setup.lock"
        lock.parent.mkdir(exist_ok=True)
        self.file = lock.open("w")
        fcntl.flock(self.file, fcntl.LOCK_EX)

    def __exit__(self, *_: object) -> None:
        self.file.close()


def python_packages(mode: str) -> None:
    """Install the locked packages of `mode` ("run" or "dev") and the server into .venv."""
    stamps = {name: VENV / f"{name}.stamp" for name in LOCKS}
    if stamps["dev"].exists():
        mode = "dev"  # once installed, tests' packages stay: serve and test share one .venv
    environment = virtual_environment()
    digests = {
        name: digest([lock, BACKEND / "pyproject.toml"], environment)
        for name, lock in LOCKS.items()
    }
    if read(stamps[mode]) == digests[mode]:
        if mode == "dev":
            zig()
        return
    for stamp in stamps.values():
        stamp.unlink(missing_ok=True)
    say(f"Python: packages of {LOCKS[mode].name}")
    uv = [str(VENV / "bin/uv"), "pip"]
    target = ["--quiet", "--python", str(VENV / "bin/python")]
    # Compile now: a start that compiles every package takes twice as long.
    variables = {"UV_PYTHON_DOWNLOADS": "never", "UV_COMPILE_BYTECODE": "1"}
    run([*uv, "sync", *target, "--require-hashes", str(LOCKS[mode])], variables)
    run([*uv, "install", *target, "--no-deps", "--editable", str(BACKEND)], variables)
    stamps["run"].write_text(digests["run"])
    if mode == "dev":
        zig()
        stamps["dev"].write_text(digests["dev"])


def zig() -> None:
    """Install Zig, whose C compiler has macOS's headers."""
    if any(VENV.glob("lib/python*/site-packages/ziglang")):
        return
    say("Python: Zig, which compiles C for macOS (100 MB)")
    uv = [str(VENV / "bin/uv"), "pip", "install", "--quiet", "--python", str(VENV / "bin/python")]
    run([*uv, "--no-deps", "--require-hashes", "-r", str(ZIG_LOCK)])


def virtual_environment() -> str:
    """Create .venv with uv in it if none works; return its identity.

    A .venv that was moved, or whose Python is gone or was upgraded, does not work. Another PYTHON
    alone doesn't need a new one.
    """

    def identity() -> str:
        return digest([UV_LOCK], str(VENV), str((VENV / "bin/python").resolve()))

    stamp = VENV / "uv.stamp"
    if read(stamp) != identity() or not (VENV / "bin/python").exists():
        if sys.version_info < OLDEST_PYTHON:
            raise Refused(
                f"Python 3.11 or newer is needed, this is {sys.version.split()[0]}. "
                "Name another one with PYTHON=python3.11"
            )
        say("Python: a new .venv (some seconds)")
        shutil.rmtree(VENV, ignore_errors=True)
        run(
            [sys.executable, "-m", "venv", str(VENV)],
            hint="On Debian and Ubuntu: apt-get install python3-venv",
        )
        pip = [str(VENV / "bin/python"), "-m", "pip", "--quiet", "--disable-pip-version-check"]
        run([*pip, "install", "--require-hashes", "-r", str(UV_LOCK)])
        stamp.write_text(identity())
    return identity()


def node_side(build: bool) -> None:
    """Install node_modules and, if asked, build the dashboard."""
    node_packages()
    if build:
        frontend()


def node_packages() -> None:
    """Run `npm ci` if the lock or a package.json changed."""
    npm_packages(ROOT, NODE_LOCKS, "packages of package-lock.json (about half a minute)")


def lighthouse() -> None:
    """Do the same for the packages that measure pages."""
    locks = [LIGHTHOUSE / "package.json", LIGHTHOUSE / "package-lock.json"]
    npm_packages(LIGHTHOUSE, locks, "Lighthouse (about half a minute)")


def spark() -> None:
    """Install Spark's Python packages, hash-locked like ours."""
    stamp, current = SPARK / "setup.stamp", digest([SPARK_LOCK], str(SPARK))
    if read(stamp) == current:
        return
    say("Spark (about a minute)")
    shutil.rmtree(SPARK, ignore_errors=True)
    run([sys.executable, "-m", "venv", str(SPARK)])
    pip = [str(SPARK / "bin/python"), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    run([*pip, "install", "--require-hashes", "-r", str(SPARK_LOCK)])
    stamp.write_text(current)


def spark_client() -> None:
    """Add what a server needs to use a cluster."""
    uv = [str(VENV / "bin/uv"), "pip", "install", "--quiet", "--python", str(VENV / "bin/python")]
    run([*uv, "--require-hashes", "-r", str(SPARK_CLIENT_LOCK)])


def npm_packages(folder: Path, locks: list[Path], what: str) -> None:
    """Run `npm ci` in `folder`, unless its node_modules was made from these locks."""
    modules = folder / "node_modules"
    stamp = modules / "setup.stamp"
    current = digest(locks, str(modules))
    if read(stamp) == current:
        return
    if shutil.which("npm") is None:
        raise Refused(f"npm was not found: install Node.js {OLDEST_NODE} or newer (nodejs.org)")
    say(f"Node: {what}")
    stamp.unlink(missing_ok=True)
    run(["npm", "ci", "--prefix", str(folder), "--loglevel=error", "--no-progress"])
    stamp.write_text(current)


def frontend() -> None:
    """Build frontend/dist if one of its sources changed."""
    stamp = FRONTEND / "dist" / ".stamp"
    sources = (path for name in FRONTEND_SOURCES for path in files_under(FRONTEND / name))
    current = digest([*sources, ROOT / "docs/api.md", *NODE_LOCKS])  # a page shows it
    if read(stamp) == current:
        return
    say("Frontend: build")
    run(["npm", "run", "--silent", "build", "--workspace", "frontend"])
    stamp.write_text(current)


def digest(files: Iterable[Path], *more: str) -> str:
    """SHA-256 over the files' names and contents and over `more`, as hex."""
    total = hashlib.sha256("\0".join(more).encode())
    for path in sorted(files):
        total.update(f"\0{path.relative_to(ROOT)}\0".encode())
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def files_under(path: Path) -> Iterable[Path]:
    """The file itself, or every file below the directory; none if it does not exist."""
    if path.is_file():
        return [path]
    return (file for file in path.rglob("*") if file.is_file())


def read(stamp: Path) -> str | None:
    """Content of a stamp, or None if it was never written."""
    return stamp.read_text() if stamp.exists() else None


def run(command: list[str], environment: dict[str, str] | None = None, hint: str = "") -> None:
    """Run a command; raise Refused with its output if it fails."""
    process = subprocess.run(
        command,
        env=os.environ | (environment or {}),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if process.returncode:
        raise Refused(f"{' '.join(command)}\n{process.stdout}\n{hint}".rstrip())


def say(message: str) -> None:
    """Print progress to stderr, so that a command's own output stays clean."""
    print(f"setup: {message}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except Refused as refused:
        sys.exit(f"setup: {refused}")
    except KeyboardInterrupt:
        sys.exit(130)
