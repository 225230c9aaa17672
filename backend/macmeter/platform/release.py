"""The server's release, which is also the newest agent that it knows, and the data's licence."""

import re

from typing_extensions import TypedDict

# The source of the version. tests/backend/server/test_release.py checks the agent, the package
# and the Homebrew formula against it.
VERSION = "0.2.0"
_NUMBERS = re.compile(r"(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(?![\d.])", re.ASCII)


def newer_agent(version: str | None) -> str | None:
    """Return the version to update to, for an agent of an older release; otherwise None."""
    match, newest = _NUMBERS.match(version or ""), _NUMBERS.match(VERSION)
    return VERSION if match and newest and _numbers(match) < _numbers(newest) else None


def _numbers(version: re.Match[str]) -> tuple[int, ...]:
    """Parse "0.10.1-beta" as 0, 10, 1; a missing number is 0."""
    return tuple(int(number or 0) for number in version.groups())


class Licence(TypedDict):
    name: str
    text: str


LICENCE: Licence = {
    "name": "CC0-1.0",
    "text": "Public results may be used, copied and published by anybody for any purpose "
    "(CC0 1.0). They carry no name, host name, serial number or hardware UUID.",
}
