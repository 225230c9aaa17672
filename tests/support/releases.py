"""A small release of the agent: real archives and checksums of a dummy program."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
from pathlib import Path

from macmeter.platform.release import VERSION
from macmeter.platform.settings import CHECKOUT

STEPS = CHECKOUT / "tools" / "release"
# Stands in for the agent in scripts and packages. With BROKEN set it fails to start.
AGENT = f"""#!/bin/sh
[ -z "${{BROKEN:-}}" ] || {{ echo 'version GLIBC_2.38 not found' >&2; exit 1; }}
case $1 in
  --version) echo '{VERSION} (a test)' ;;
  uninstall) shift; echo "$*" >>"$HOME/uninstalled"; [ -z "${{UNSENT:-}}" ] ;;
  *) echo "$*" ;;
esac
"""


def step(name: str, *arguments: str | Path, **environment: str) -> str:
    """Run a release step that must succeed and return its output."""
    process = try_step(name, *arguments, **environment)
    assert process.returncode == 0, process.stderr
    return process.stdout.strip()


def try_step(
    name: str, *arguments: str | Path, **environment: str
) -> subprocess.CompletedProcess[str]:
    program = STEPS / name
    command = [sys.executable, program] if program.suffix == ".py" else [program]
    return subprocess.run(
        [*command, *arguments],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def fake_agent(folder: Path) -> Path:
    program = folder / "macmeter"
    program.write_text(AGENT)
    program.chmod(0o755)
    return program


def pack_newer(version: str, files: Path, platform: str, key: str = "") -> Path:
    """Add a later version of the dummy program to a release's files, and sign them again."""
    archive = files / f"macmeter-{version}-{platform}.tar.gz"
    program = AGENT.replace(VERSION, version).encode()
    with tarfile.open(archive, "w:gz") as packed:
        for name, content in (("bin/macmeter", program), ("share/man/man1/macmeter.1", b"")):
            entry = tarfile.TarInfo(f"macmeter-{version}/{name}")
            entry.size, entry.mode = len(content), 0o755
            packed.addfile(entry, io.BytesIO(content))
    step("checksums.py", files, RELEASE_KEY=key)
    return archive


def make_key(folder: Path) -> tuple[str, Path]:
    """Make a private key in PEM, and the file of its public half."""
    private, public = folder / "private.pem", folder / "public.pem"
    curve = ["-name", "prime256v1", "-noout", "-genkey"]
    subprocess.run(["openssl", "ecparam", *curve, "-out", private], check=True, capture_output=True)
    public_half = ["-in", str(private), "-pubout", "-out", str(public)]
    subprocess.run(["openssl", "ec", *public_half], check=True, capture_output=True)
    return private.read_text(), public
