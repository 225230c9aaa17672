"""One release: server, package and agent share a version, which older agents learn of."""

from __future__ import annotations

import re

import pytest
from macmeter.platform.release import VERSION, newer_agent
from macmeter.platform.settings import CHECKOUT


@pytest.mark.parametrize(
    ("file", "pattern"),
    [
        ("backend/pyproject.toml", r'^version = "(.+)"'),
        ("agent/Sources/Document/Program.swift", r'static let version = "(.+)"'),
        ("docs/agent.md", r"^Agent +(\S+),"),
    ],
)
def test_whatever_states_the_version_states_the_servers(file: str, pattern: str) -> None:
    text = (CHECKOUT / file).read_text(encoding="utf-8")
    assert re.findall(pattern, text, re.MULTILINE) == [VERSION]


@pytest.mark.parametrize("version", ["0", "0.1", "0.1.0", "0.1.9", "0.1.10-beta", "0.1.0+local"])
def test_an_older_agent_gets_the_newest_version(version: str) -> None:
    assert newer_agent(version) == VERSION


@pytest.mark.parametrize(
    "version", [VERSION, f"{VERSION}-beta", "0.10", "0.10.0", "99", f"{VERSION}.1"]
)
def test_an_agent_as_new_gets_none(version: str) -> None:
    assert newer_agent(version) is None


@pytest.mark.parametrize("version", [None, "", "unknown", "v", "-1", "1" * 400, "0.1.0.0.0", "٠.١"])
def test_any_other_text_is_not_older(version: str | None) -> None:
    assert newer_agent(version) is None
