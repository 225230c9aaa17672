"""Every derivation since 0.1 says which figures changed their meaning."""

from __future__ import annotations

from macmeter import catalog
from macmeter.catalog import REDEFINITIONS
from macmeter.documents.derive import DERIVATION_VERSION

OF_0_1 = 3


def test_each_new_derivation_has_an_entry() -> None:
    versions = [entry.derivation_version for entry in REDEFINITIONS]
    assert sorted({*versions}) == list(range(OF_0_1 + 1, DERIVATION_VERSION + 1))
    assert versions == sorted(versions)


def test_an_entry_is_a_sentence_on_known_metrics() -> None:
    for entry in REDEFINITIONS:
        assert entry.text.endswith("."), entry
        assert (entry.metrics or set()) <= catalog.METRICS.keys()
