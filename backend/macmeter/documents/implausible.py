"""What no Mac can have measured: a public run of that kind waits for somebody to look at it.

Doubts about a single result are flags (flags.py), which leave that result out. Here a whole run is
not believed: what claims the impossible once is not to be trusted with the rest.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from macmeter import catalog
from macmeter.catalog import Role, Unit
from macmeter.catalog.chips import configurations, fastest_storage
from macmeter.documents.derive import DerivedRun

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
    storage, chip = _fastest_storage(run), run.columns["chip"]
    for result in run.results:
        metric, median = catalog.METRICS[result.metric], result.median
        if metric.unit is Unit.HERTZ and _is_beyond(median, fastest_core):
            most = f"{fastest_core.limit / 1e6:,.0f} MHz"
            yield (
                f"{metric.title}: {median / 1e6:,.0f} MHz, "
                f"but no core of an {chip} goes beyond {most}."
            )
        if Role.CROSSES_LINK in metric.roles:
            speed = f"{metric.title}: {median / 1e9:.3g} GB/s, but"
            if _is_beyond(median, fastest_link):
                yield f"{speed} its link carries {fastest_link.limit / 1e9:.3g} GB/s at most."
            if _is_beyond(median, storage):
                most = f"{storage.limit / 1e9:.3g} GB/s"
                yield f"{speed} no storage beside an {chip} is known to exceed {most}."
        if metric.unit in _CONTINUOUS and _are_all_alike(result.samples):
            yield (
                f"{metric.title}: all {len(result.samples)} samples are the same to the last digit."
            )


class _Limit(NamedTuple):
    """What is possible, and how many times as much could still be a matter of accuracy."""

    limit: float = math.inf  # nothing is known
    slack: float = 1.0


def _is_beyond(median: float, limit: _Limit) -> bool:
    return median > limit.limit * limit.slack


def _are_all_alike(samples: list[float]) -> bool:
    return len(samples) >= _ALIKE_FROM and samples[0] == samples[-1]


def _fastest_core(run: DerivedRun) -> _Limit:
    """In hertz; infinite where no configuration's tiers are all known."""
    highest = [
        max(tier.max_frequency or 0 for tier in chip.tiers)
        for chip in configurations(run.columns["chip"] or "")
        if all(tier.max_frequency for tier in chip.tiers)
    ]
    return _Limit(max(highest), _FREQUENCY_SLACK) if highest else _Limit()


def _fastest_storage(run: DerivedRun) -> _Limit:
    """In bytes a second, of internal storage; infinite where nothing is published of its chip's."""
    fastest = fastest_storage(run.columns["chip"]) if _storage(run) == "internal" else None
    return _Limit(fastest, _STORAGE_SLACK) if fastest else _Limit()


def _storage(run: DerivedRun) -> str | None:
    """The storage itself, beneath a disk image."""
    found: str | None = (run.columns["holder"] or {}).get("storage") or run.columns["storage"]
    return found


def _fastest_link(run: DerivedRun) -> _Limit:
    """In bytes a second; infinite where no link is known."""
    limit = catalog.LINK_LIMIT.get(_storage(run) or "")
    return _Limit(limit, _LINK_SLACK) if limit else _Limit()
