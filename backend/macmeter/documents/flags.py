"""Reasons to doubt a run or one of its results, derived from what its document says.

Pure: a document in, codes of the catalogue out. What the agent itself noticed comes in as
`warnings`; what follows from the facts is added here, so that it holds for every sender.
"""

from __future__ import annotations

from collections.abc import Callable

from macmeter import catalog
from macmeter.catalog import Role
from macmeter.documents.document import Environment, RunDocument, Target

# Warnings that speak of reads only leave the same run's writes alone.
_READS_ONLY = {"reads_may_be_cached", "host_cache_unknown"}
# Asks for a speed to be computed; it holds for that speed alone.
DERIVED = "derived"
# Looked up for each series of each upload.
_OF_READS, _CROSSING_LINKS = (
    frozenset(name for name, metric in catalog.METRICS.items() if role in metric.roles)
    for role in (Role.READS, Role.CROSSES_LINK)
)
_NEARLY_FULL = 0.10


def flags_of_run(document: RunDocument) -> list[str]:
    """Codes that hold for everything the run measured, in the catalogue's order."""
    codes = _warned(document) - _READS_ONLY
    environment = document.environment or Environment()
    if document.state == "incomplete":
        codes.add("incomplete")
    if document.simulated:
        codes.add("simulated")
    if document.method.name.endswith("-quick"):
        codes.add("quick")
    if environment.power_source == "battery":
        codes.add("on_battery")
    if environment.power_mode == "low":
        codes.add("low_power_mode")
    if environment.thermal_state not in (None, "nominal"):
        codes.add("hot")
    if environment.busy:
        codes.add("busy_system")
    if environment.rosetta:
        codes.add("rosetta")
    if document.target is not None and _nearly_full(document.target):
        codes.add("nearly_full")
    return in_order(codes)


FlagsOfSeries = Callable[[str, list[float], float], list[str]]
"""The codes that hold for a series alone, by its metric, samples and median."""


def flags_of_series(document: RunDocument) -> FlagsOfSeries:
    of_reads = _warned(document) & _READS_ONLY
    # A guest cannot see its host's cache; only a VM that we measured can say more.
    environment = document.environment or Environment()
    if environment.virtual_machine and document.source == "measured":
        of_reads.add("host_cache_unknown")
    limit = _link_limit(document.target)

    def flags(metric: str, samples: list[float], median: float) -> list[str]:
        codes = set(of_reads) if metric in _OF_READS else set()
        if limit is not None and median > limit and metric in _CROSSING_LINKS:
            codes.add("faster_than_link")
        if not catalog.METRICS[metric].is_possible(samples):
            codes.add(catalog.OUT_OF_RANGE)
        return in_order(codes) if codes else []

    return flags


def in_order(codes: set[str]) -> list[str]:
    """`codes` in the catalogue's order, those it does not know after it."""
    known = [code for code in catalog.FLAGS if code in codes]
    return known + sorted(codes - set(known))


def _warned(document: RunDocument) -> set[str]:
    """The codes that a document may give itself: its withdrawal is not one of them."""
    return document.warned - {DERIVED, catalog.WITHDRAWN}


def _nearly_full(target: Target) -> bool:
    if target.capacity_bytes is None or target.free_bytes is None:
        return False
    return target.free_bytes < _NEARLY_FULL * target.capacity_bytes


def _link_limit(target: Target | None) -> float | None:
    """Bytes a second that the target's link can carry; None where no link is known."""
    if target is None:
        return None
    image_host = target.image.host if target.image else None
    storage = image_host.storage if image_host and image_host.storage else target.storage
    speed = image_host.link_speed if image_host and image_host.link_speed else target.link_speed
    limits = [limit for limit in (catalog.LINK_LIMIT.get(storage or ""),) if limit is not None]
    if speed is not None:
        limits.append(speed / 8)
    return min(limits, default=None)
