"""The Chromium that browser tests drive."""

import os
import shutil
import sys
from pathlib import Path

import debian

NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
# Headless Chromium: a page costs it half the processor time.
SHELL = "chromium-headless-shell"
MAC_APPLICATION = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")


def find_chromium() -> str:
    """Path of the browser: CHROMIUM, an installed one, or, as root with apt, one installed now.

    Exits saying what to install if none of these works: browser tests are never skipped.
    """
    if path := os.environ.get("CHROMIUM"):
        return path
    if chromium := installed():
        return chromium
    debian.install("chromium", "browser tests")
    if chromium := installed():
        return chromium
    sys.exit(
        "browser tests need Chromium: install it (Debian and Ubuntu: apt-get install chromium; "
        "macOS: Google Chrome) or set CHROMIUM to its path"
    )


def find_headless() -> str:
    """Do the same as find_chromium, but prefer Debian's headless Chromium, for tests."""
    if path := os.environ.get("CHROMIUM"):
        return path
    if shutil.which(SHELL) is None:
        debian.install(SHELL, "browser tests")
    return shutil.which(SHELL) or find_chromium()


def installed() -> str | None:
    """Path of a Chromium or Chrome on PATH or in its usual place."""
    if MAC_APPLICATION.exists():
        return str(MAC_APPLICATION)
    return next((path for name in NAMES if (path := shutil.which(name))), None)


if __name__ == "__main__":
    print(find_chromium())
