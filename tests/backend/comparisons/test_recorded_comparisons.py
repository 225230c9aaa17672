"""Comparisons that 0.1 froze: each opens after an upgrade, with the same figures and digest."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
import rfc8785
from support import recorded
from support.live_server import LiveServer

SAVED = recorded.known()["comparisons"]


def opened(server: LiveServer, saved: dict[str, Any]) -> Any:
    return server.ask(f"/api/v1/comparisons/{saved['slug']}").raise_for_status().json()


def test_both_formats_and_links_of_each_kind_were_frozen() -> None:
    assert {saved["format"] for saved in SAVED.values()} == {1, 2}
    assert {saved["private"] for saved in SAVED.values()} == {True, False}
    assert [name for name, saved in SAVED.items() if saved["fewest_machines"]] == ["of a fleet"]


@pytest.mark.every(3)
@pytest.mark.parametrize("name", SAVED)
def test_it_shows_what_it_showed_and_its_digest_is_right(
    upgraded_server: LiveServer, name: str
) -> None:
    saved, shown = SAVED[name], opened(upgraded_server, SAVED[name])
    same = ("answer", "question", "title", "note", "kind", "format", "created_at", "runs")
    for field in (*same, "content_hash", "runs_hash", "private", "fewest_machines"):
        assert shown[field] == saved[field], field
    answer = {name: value for name, value in shown["answer"].items() if name != "as_of"}
    content = {"format": shown["format"], "question": shown["question"]["canonical"]}
    canonical = rfc8785.dumps({**content, "answer": answer})
    assert hashlib.sha256(canonical).hexdigest() == saved["content_hash"]


@pytest.mark.parametrize("name", SAVED)
def test_its_figures_changed_only_where_they_are_computed_differently(
    upgraded_server: LiveServer, name: str
) -> None:
    comparison = opened(upgraded_server, SAVED[name])
    # Nothing was stored or withdrawn since they were saved.
    assert not comparison["changed"] or comparison["computed_differently"], comparison["change"]
    if comparison["changed"]:
        assert comparison["change"]["text"].startswith("Figures have changed since:")
