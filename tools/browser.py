"""The Chromium that browser tests drive."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
MAC_APPLICATION = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")


def find_chromium() -> str:
    """The browser's path: CHROMIUM, one that is installed, or, as root with apt, installed now.

    Exits saying what to install where none of these does: browser tests are never skipped.
    """
    if chosen := os.environ.get("CHROMIUM"):
        return chosen
    if found := installed():
        return found
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        print("browser tests: installing Debian's chromium", file=sys.stderr, flush=True)
        apt = ["apt-get", "-qq", "-o", "Dpkg::Use-Pty=0"]
        environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run([*apt, "update"], check=False, env=environment, stdout=sys.stderr)
        subprocess.run(
            [*apt, "install", "--yes", "--no-install-recommends", "chromium"],
            check=False,
            env=environment,
            stdout=sys.stderr,
        )
        if found := installed():
            return found
    sys.exit(
        "browser tests need Chromium: install it (Debian and Ubuntu: apt-get install chromium; "
        "macOS: Google Chrome) or set CHROMIUM to its path"
    )


def installed() -> str | None:
    """A Chromium or Chrome on PATH or in its usual place."""
    if MAC_APPLICATION.exists():
        return str(MAC_APPLICATION)
    return next((path for name in NAMES if (path := shutil.which(name))), None)
