"""What no Mac can have measured: a public run of that kind waits for somebody to look at it.

Doubts about a single result are flags (flags.py), which leave that result out. Here a whole run is
not believed: what claims the impossible once is not to be trusted with the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from macmeter import catalog
from macmeter.catalog import Role, Unit
from macmeter.chips import configurations, fastest_storage
from macmeter.documents.derive import DerivedResult, DerivedRun

# Clocks are read to a few parts in a thousand, links carry no more than their rate: what lies
# beyond these isn't explained by accuracy.
_FREQUENCY_SLACK = 1.05
_LINK_SLACK = 1.5
# The fastest storage that a source prints need not be the fastest there is.
_STORAGE_SLACK = 2.0
# Two measurements of something that takes time hardly ever agree to the last digit.
_ALIKE_FROM = 10
_CONTINUOUS = (Unit.BYTES_PER_SECOND, Unit.SECONDS, Unit.PER_SECOND)


def implausible(run: DerivedRun) -> str | None:
    """Why nobody should believe this run, in a sentence for its owner; None where nothing is wrong.

    Only of runs that a Mac measured: what other tools and articles say is as they say it.
    """
    if run.columns["source"] != "measured":
        return None
    return next(_reasons(run), None)


def _reasons(run: DerivedRun) -> Iterator[str]:
    fastest_core, fastest_link = _fastest_core(run), _fastest_link(run)
    storage = _fastest_storage(run)
    for result in run.results:
        metric = catalog.METRICS[result.metric]
        if fastest_core and metric.unit is Unit.HERTZ and _is_beyond(result, fastest_core):
            most = f"{fastest_core.limit / 1e6:,.0f} MHz"
            yield (
                f"{metric.title}: {result.median / 1e6:,.0f} MHz, "
                f"but no core of an {run.columns['chip']} goes beyond {most}."
            )
        if fastest_link and Role.CROSSES_LINK in metric.roles and _is_beyond(result, fastest_link):
            yield (
                f"{metric.title}: {result.median / 1e9:.3g} GB/s, "
                f"but its link carries {fastest_link.limit / 1e9:.3g} GB/s at most."
            )
        if storage and Role.CROSSES_LINK in metric.roles and _is_beyond(result, storage):
            most = f"{storage.limit / 1e9:.3g} GB/s"
            yield (
                f"{metric.title}: {result.median / 1e9:.3g} GB/s, "
                f"but no storage beside an {run.columns['chip']} is known to exceed {most}."
            )
        if metric.unit in _CONTINUOUS and _are_all_alike(result.samples):
            yield (
                f"{metric.title}: all {len(result.samples)} samples are the same to the last digit."
            )


class _Limit(NamedTuple):
    """What is possible, and how many times as much could still be a matter of accuracy."""

    limit: float
    slack: float


def _is_beyond(result: DerivedResult, limit: _Limit) -> bool:
    return result.median > limit.limit * limit.slack


def _are_all_alike(samples: list[float]) -> bool:
    return len(samples) >= _ALIKE_FROM and samples[0] == samples[-1]


def _fastest_core(run: DerivedRun) -> _Limit | None:
    """In hertz; None where no configuration's tiers are all known."""
    highest = [
        max(tier.max_frequency or 0 for tier in chip.tiers)
        for chip in configurations(run.columns["chip"] or "")
        if all(tier.max_frequency for tier in chip.tiers)
    ]
    return _Limit(max(highest), _FREQUENCY_SLACK) if highest else None


def _fastest_storage(run: DerivedRun) -> _Limit | None:
    """In bytes a second, of internal storage; None where nothing is published of its chip's."""
    fastest = fastest_storage(run.columns["chip"]) if _storage(run) == "internal" else None
    return _Limit(fastest, _STORAGE_SLACK) if fastest else None


def _storage(run: DerivedRun) -> str | None:
    """The storage itself, beneath a disk image."""
    found: str | None = (run.columns["holder"] or {}).get("storage") or run.columns["storage"]
    return found


def _fastest_link(run: DerivedRun) -> _Limit | None:
    """In bytes a second; None where no link is known."""
    limit = catalog.LINK_LIMIT.get(_storage(run) or "")
    return _Limit(limit, _LINK_SLACK) if limit else None
