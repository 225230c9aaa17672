"""The Chromium that browser tests drive."""

import os
import shutil
import sys
from pathlib import Path

import debian

NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
# Chromium without windows: a page costs it half the processor's time.
SHELL = "chromium-headless-shell"
MAC_APPLICATION = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")


def find_chromium() -> str:
    """The browser's path: CHROMIUM, one that is installed, or, as root with apt, installed now.

    Exits saying what to install where none of these does: browser tests are never skipped.
    """
    if chosen := os.environ.get("CHROMIUM"):
        return chosen
    if found := installed():
        return found
    debian.install("chromium", "browser tests")
    if found := installed():
        return found
    sys.exit(
        "browser tests need Chromium: install it (Debian and Ubuntu: apt-get install chromium; "
        "macOS: Google Chrome) or set CHROMIUM to its path"
    )


def find_headless() -> str:
    """As find_chromium, for tests: Debian's Chromium without windows where there is one."""
    if chosen := os.environ.get("CHROMIUM"):
        return chosen
    if shutil.which(SHELL) is None:
        debian.install(SHELL, "browser tests")
    return shutil.which(SHELL) or find_chromium()


def installed() -> str | None:
    """A Chromium or Chrome on PATH or in its usual place."""
    if MAC_APPLICATION.exists():
        return str(MAC_APPLICATION)
    return next((path for name in NAMES if (path := shutil.which(name))), None)


if __name__ == "__main__":
    print(find_chromium())
