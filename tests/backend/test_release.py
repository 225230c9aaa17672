"""One release: server, package and agent have one version, which older agents get to know."""

from __future__ import annotations

import re
import tomllib

import pytest
from macmeter.release import VERSION, newer_agent
from macmeter.settings import CHECKOUT


def test_package_and_agent_have_the_version_of_the_server() -> None:
    package = tomllib.loads((CHECKOUT / "backend/pyproject.toml").read_text(encoding="utf-8"))
    program = (CHECKOUT / "agent/Sources/Document/Program.swift").read_text(encoding="utf-8")
    agent = re.search(r'static let version = "([^"]+)"', program)
    assert agent is not None
    assert (package["project"]["version"], agent[1]) == (VERSION, VERSION)


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
