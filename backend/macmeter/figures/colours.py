"""The names of a group's colour, mark and dash; palettes say what each name looks like.

A storage kind keeps its hue everywhere. Colour is never the only code: mark, dash and position
tell the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from macmeter import catalog
from macmeter.catalog import Role
from macmeter.figures.figure import Mark

PLAIN = "ink-2"
FAMILIES = ("M1", "M2", "M3", "M4", "M5")
TIERS = {
    "Super": "super",
    "Performance": "performance",
    "Efficiency": "efficiency",
    "Performance+Efficiency": "performance-efficiency",
}
MARKS: tuple[Mark, ...] = ("square", "circle", "triangle", "diamond")
# Dashes tell lines of one colour apart; the first is a full line.
DASHES = ("", "6 3", "2 2.5", "9 3 2 3")


def coloured_by(key: Mapping[str, Any]) -> str | None:
    """The dimension that a group's colour follows: storage, else core tier, else chip."""
    if "storage" in key:
        return "storage"
    names = ("core_context", "tier", "chip_family", "chip")
    return next((name for name in names if key.get(name) is not None), None)


def colour_of(key: Mapping[str, Any]) -> str:
    """ "storage-usb4", "tier-performance", "family-m4"; what we don't know is "…-other"."""
    name = coloured_by(key)
    if name is None:
        return PLAIN
    value = str(key[name])
    if name == "storage":
        known = value in catalog.DIMENSIONS["storage"].values
        return f"storage-{value.replace('_', '-') if known else 'other'}"
    if name in ("core_context", "tier"):
        return tier_colour(value.split("/")[0])
    family = next((word for word in value.split() if word in FAMILIES), None)
    return f"family-{family.lower()}" if family else PLAIN


def tier_colour(tier: str) -> str:
    return f"tier-{TIERS.get(tier, 'other')}"


def marks_of(metrics: Sequence[str]) -> dict[str, Mark]:
    """A mark for each metric of one chart: writes square, reads round, no two alike up to four.

    The others, and a second write or read, take what is left in their order.
    """
    marks: dict[str, Mark] = {}
    for metric in metrics:
        own = _own(metric)
        if own and own not in marks.values():
            marks[metric] = own
    left = [mark for mark in MARKS if mark not in marks.values()] or list(MARKS)
    others = [metric for metric in dict.fromkeys(metrics) if metric not in marks]
    return marks | {metric: left[place % len(left)] for place, metric in enumerate(others)}


def _own(metric: str) -> Mark | None:
    found = catalog.METRICS.get(metric)
    roles = found.roles if found else frozenset[Role]()
    return "square" if Role.WRITES in roles else "circle" if Role.READS in roles else None
