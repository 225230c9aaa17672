"""Derived data of golden documents: a change needs a new DERIVATION_VERSION."""

from __future__ import annotations

import json
from typing import Any

import pytest
from macmeter.documents.derive import DERIVATION_VERSION
from support import derived

VERSION, KNOWN = derived.known()
DOCUMENTS = dict(derived.documents())


def test_the_golden_file_is_of_this_version_and_of_all_documents() -> None:
    assert VERSION == DERIVATION_VERSION, "run support.derived, which writes the golden file again"
    assert KNOWN.keys() == DOCUMENTS.keys()


@pytest.mark.parametrize("name", DOCUMENTS)
def test_figures_flags_and_dimensions_are_those_of_their_version(name: str) -> None:
    found = derived.derived(DOCUMENTS[name])
    assert found == KNOWN[name], "raise DERIVATION_VERSION: stored runs would stay as they were"


def test_every_kind_of_flag_and_suite_is_among_them() -> None:
    flags = {flag for found in KNOWN.values() for flag in found["columns"]["flags"]}
    flags |= {f for found in KNOWN.values() for r in found["results"] for f in r["flags"] or ()}
    assert {"faster_than_link", "host_cache_unknown", "derived", "nearly_full", "quick"} <= flags
    suites = {found["columns"]["suite"] for found in KNOWN.values()}
    assert suites == {"disk", "hash", "compression", "cores", "power", "workload", "score"}
    assert any(found["published"] for found in KNOWN.values())


@pytest.mark.parametrize("change", ["a figure", "a flag", "a dimension"])
def test_the_file_is_not_written_again_without_a_new_version(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any, capsys: pytest.CaptureFixture[str], change: str
) -> None:
    name = "incomplete"
    other: dict[str, Any] = json.loads(json.dumps(KNOWN[name]))
    if change == "a figure":
        other["results"][0]["median"] += 1
    elif change == "a flag":
        other["results"][0]["flags"] = ["doubtful"]
    else:
        other["columns"]["storage"] = "network"
    known = derived.GOLDEN.read_bytes()
    golden = tmp_path / "derived.ndjson"
    golden.write_bytes(known)
    monkeypatch.setattr(derived, "GOLDEN", golden)
    right = derived.derived
    monkeypatch.setattr(
        derived, "derived", lambda content: other if content == DOCUMENTS[name] else right(content)
    )
    assert derived.main() == 1
    assert "raise DERIVATION_VERSION" in capsys.readouterr().out
    assert golden.read_bytes() == known
    monkeypatch.setattr(derived, "DERIVATION_VERSION", DERIVATION_VERSION + 1)
    assert derived.main() == 0
    assert derived.known()[1][name] == other
