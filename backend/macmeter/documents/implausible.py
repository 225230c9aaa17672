"""Checks for runs that no Mac can have measured: public ones wait for review.

Doubts about a single result are flags (flags.py), which leave that result out. Here the whole run
is distrusted: if one claim is impossible, the others can't be trusted either.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

from macmeter import catalog
from macmeter.catalog import Role, Unit
from macmeter.catalog.chips import configurations, fastest_storage
from macmeter.documents.derive import DerivedRun

# Clocks are accurate to a few parts in a thousand, and links carry no more than their rate:
# accuracy doesn't explain values beyond these.
_FREQUENCY_SLACK = 1.05
_LINK_SLACK = 1.5
# The fastest published storage need not be the fastest there is.
_STORAGE_SLACK = 2.0
# Two timings hardly ever agree to the last digit.
_ALIKE_FROM = 10
_CONTINUOUS = (Unit.BYTES_PER_SECOND, Unit.SECONDS, Unit.PER_SECOND)


def implausible(run: DerivedRun) -> str | None:
    """Return why this run is implausible, as a sentence for its owner; None if it isn't.

    Checks only runs that a Mac measured; other tools and articles are taken at their word.
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
    """A physical limit, and the factor above it that measurement accuracy allows."""

    limit: float = math.inf  # unknown
    slack: float = 1.0


def _is_beyond(median: float, limit: _Limit) -> bool:
    return median > limit.limit * limit.slack


def _are_all_alike(ascending: list[float]) -> bool:
    return len(ascending) >= _ALIKE_FROM and ascending[0] == ascending[-1]


def _fastest_core(run: DerivedRun) -> _Limit:
    """Return the limit in hertz; infinite unless some configuration's tiers are all known."""
    highest = [
        max(tier.max_frequency or 0 for tier in chip.tiers)
        for chip in configurations(run.columns["chip"] or "")
        if all(tier.max_frequency for tier in chip.tiers)
    ]
    return _Limit(max(highest), _FREQUENCY_SLACK) if highest else _Limit()


def _fastest_storage(run: DerivedRun) -> _Limit:
    """Return the limit of internal storage in B/s; infinite if none is published for the chip."""
    fastest = fastest_storage(run.columns["chip"]) if _storage(run) == "internal" else None
    return _Limit(fastest, _STORAGE_SLACK) if fastest else _Limit()


def _storage(run: DerivedRun) -> str | None:
    """Return the physical storage, beneath a disk image if there is one."""
    storage: str | None = (run.columns["holder"] or {}).get("storage") or run.columns["storage"]
    return storage


def _fastest_link(run: DerivedRun) -> _Limit:
    """Return the limit in bytes per second; infinite if no link is known."""
    limit = catalog.LINK_LIMIT.get(_storage(run) or "")
    return _Limit(limit, _LINK_SLACK) if limit else _Limit()
