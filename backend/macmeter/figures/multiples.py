"""Small multiples: too many lines for one plot, as panels with the same axes."""

from __future__ import annotations

from collections.abc import Sequence

from macmeter.answers.answer import Key
from macmeter.figures.colours import FAMILIES
from macmeter.figures.words import case_value
from macmeter.terms import Value

# From seven lines on, colours and dashes repeat and bands lie over one another.
MOST_LINES = 6
_MOST_PANELS = 12


def panels_of(keys: Sequence[Key], rest: Sequence[str], measured: int) -> dict[str, list[int]]:
    """The places of lines under their panels' titles; all of them under "" where one plot will do.

    Panels follow the first dimension that leaves few enough lines in each, else the one that
    leaves fewest. Chips of one family share a panel. `measured` lines count, published points not.
    """
    together = {"": list(range(len(keys)))}
    if measured <= MOST_LINES:
        return together
    choices = [_by(keys, name) for name in rest]
    choices = [found for found in choices if 1 < len(found) <= _MOST_PANELS]
    fitting = (found for found in choices if _most(found) <= MOST_LINES)
    return next(fitting, None) or min(choices, key=_most, default=together)


def _by(keys: Sequence[Key], name: str) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for place, key in enumerate(keys):
        found.setdefault(_title(name, key.get(name)), []).append(place)
    return found


def _most(found: dict[str, list[int]]) -> int:
    return max(map(len, found.values()))


def _title(name: str, value: Value) -> str:
    """ "M4" for every chip of that family, "Performance/high", "USB4"."""
    if name == "chip":
        family = next((word for word in str(value).split() if word in FAMILIES), None)
        if family:
            return family
    return case_value(name, value)
