"""Known vulnerabilities of packages: reported, excluded, or unknown."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

audit: Any = importlib.import_module("audit")
Unasked: type[Exception] = audit.Unasked

CLEAN = {"name": "idna", "version": "3.20", "vulns": []}
WEAK = {
    "name": "idna",
    "version": "3.6",
    "vulns": [{"id": "PYSEC-2024-60", "fix_versions": ["3.7"], "aliases": []}],
}
SKIPPED = {"name": "idna", "skip_reason": "Dependency not found on PyPI and could not be audited"}


def of_python(*dependencies: object) -> list[str]:
    return list(audit.python_faults(json.dumps({"dependencies": dependencies, "fixes": []})))


def test_a_weak_package_of_python_is_named_with_what_mends_it() -> None:
    assert of_python(CLEAN, WEAK) == ["idna 3.6: PYSEC-2024-60, mended in 3.7"]
    assert of_python(CLEAN) == []


def test_a_weak_package_of_node_is_named_and_not_all_that_need_it() -> None:
    vulnerabilities = {
        "ms": {"range": "<2.0.0", "severity": "moderate", "via": [{"title": "ReDoS"}]},
        "debug": {"range": "*", "severity": "moderate", "via": ["ms"]},
    }
    assert audit.node_faults(json.dumps({"vulnerabilities": vulnerabilities})) == [
        "ms <2.0.0: moderate"
    ]
    assert audit.node_faults(json.dumps({"vulnerabilities": {}})) == []


@pytest.mark.parametrize("told", ["", "Traceback", "[]", '{"message": "405", "statusCode": 405}'])
def test_no_answer_is_no_all_clear(told: str) -> None:
    for faults in (audit.python_faults, audit.node_faults):
        with pytest.raises(Unasked):
            faults(told)


def test_a_registry_that_knows_of_no_weakness_gives_no_all_clear() -> None:
    """A mirror makes pip-audit report "no known vulnerabilities" and exit with 0."""
    with pytest.raises(Unasked):
        of_python(SKIPPED, SKIPPED)


@pytest.mark.thorough
def test_without_a_network_it_passes_and_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # A proxy that does not exist: no request gets an answer.
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("npm_config_fetch_retries", "0")
    monkeypatch.setattr(audit, "PYTHON", audit.PYTHON[1:2])
    monkeypatch.setattr(audit, "NODE", audit.NODE[1:2])
    assert audit.main() == 0
    assert capsys.readouterr().out.count("not known") == 2
