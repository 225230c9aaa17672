"""The release that this server belongs to. Its agent is the newest one that the server knows."""

from __future__ import annotations

import re

# The version is chosen here. tests/backend/server/test_release.py holds the agent, the package and
# the Homebrew formula to it.
VERSION = "0.2.0"
_NUMBERS = re.compile(r"(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(?![\d.])", re.ASCII)


def newer_agent(version: str | None) -> str | None:
    """The version to update to, for an agent of an older release; None for any other text."""
    found, newest = _NUMBERS.match(version or ""), _NUMBERS.match(VERSION)
    return VERSION if found and newest and _numbers(found) < _numbers(newest) else None


def _numbers(version: re.Match[str]) -> tuple[int, ...]:
    """0, 10, 1 of "0.10.1-beta"; a missing number is 0."""
    return tuple(int(part or 0) for part in version.groups())
