"""What figures meant before: since which derivation a metric, or all of them, means something else.

Saved comparisons keep the derivation that their figures are of, and say what was redefined since. A
list that only grows; an entry for each new DERIVATION_VERSION, for no metric where only flags,
dimensions or rows changed. A statistic that is computed another way raises the version as well.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from macmeter.catalog.metrics import METRICS
from macmeter.catalog.traits import Role


@dataclass(frozen=True)
class Redefinition:
    """`text` is a sentence for readers of older figures; `metrics` None: all of them."""

    derivation_version: int
    text: str
    metrics: frozenset[str] | None = None

    def concerns(self, metrics: Collection[str]) -> bool:
        """Whether figures of one of these metrics mean something else since."""
        return self.metrics is None or not self.metrics.isdisjoint(metrics)


_POWER = ("power.cpu_total", "power.cpu_max", "power.core_max", "power.per_added_thread")
_SPEEDS = tuple(name for name, metric in METRICS.items() if Role.CROSSES_LINK in metric.roles)
_TIMES = ("workload.user_time", "workload.system_time")
# Since 0.1, whose derivation was 3.
REDEFINITIONS: tuple[Redefinition, ...] = (
    Redefinition(
        4,
        "Results with values too small to be measured are left out.",
        frozenset({*_POWER, *_TIMES}),
    ),
    Redefinition(
        5,
        "Speeds beyond a chip’s storage, and small writes that macOS cached, are left out.",
        frozenset({*_SPEEDS, "disk.latency"}),
    ),
    Redefinition(
        6,
        "Speeds beyond what is published of the chip’s own storage are left out.",
        frozenset(_SPEEDS),
    ),
    Redefinition(
        7, "The spread of samples is that within runs, no longer that of all samples together."
    ),
    Redefinition(
        8,
        "Confidence intervals know where Macs of one model are alike, and a single Mac’s needs 20 "
        "runs. Fits compare points within Macs. Unlike published figures are shown one by one.",
    ),
)


def redefined_since(derivation_version: int, metrics: Collection[str]) -> list[Redefinition]:
    """What was redefined after that derivation, of these metrics, in its order."""
    return [
        one
        for one in REDEFINITIONS
        if one.derivation_version > derivation_version and one.concerns(metrics)
    ]
