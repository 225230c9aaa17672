"""Debian and Ubuntu packages that tests and measurements need besides the lock files."""

import os
import shutil
import subprocess
import sys


def install(package: str, reason: str) -> None:
    """Install a package if this is root with apt; otherwise do nothing: the caller says what is
    missing. Apt's output goes to standard error.
    """
    if not hasattr(os, "geteuid") or os.geteuid() != 0 or shutil.which("apt-get") is None:
        return
    print(f"{reason}: installing Debian's {package}", file=sys.stderr, flush=True)
    apt = ["apt-get", "-qq", "-o", "Dpkg::Use-Pty=0"]
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    for command in (["update"], ["install", "--yes", "--no-install-recommends", package]):
        subprocess.run([*apt, *command], check=False, env=environment, stdout=sys.stderr)
