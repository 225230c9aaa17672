"""What a group pools that is unlike: the determinants of its metric with several values in it.

A setting is one value of each determinant that a question leaves open. Only what is stated counts,
except for the dimensions of which nothing stated is a value of its own.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from macmeter import catalog
from macmeter.answers.answer import Mix
from macmeter.catalog import Trait
from macmeter.terms import Value

_ABSENCE_COUNTS = frozenset(catalog.having(Trait.ABSENCE_COUNTS))
# One value of each determinant that a question leaves open.
Setting = Mapping[str, Value]
# Values by determinant, in the catalogue's order.
Values = dict[str, set[Value]]


def open_determinants(metric: str, by: Sequence[str]) -> tuple[str, ...]:
    """Those that groups by these dimensions may pool several values of."""
    return tuple(name for name in catalog.METRICS[metric].determinants if name not in by)


def values_of(settings: Iterable[Setting]) -> Values:
    """The values that count, by determinant; one without any is left out."""
    found: Values = {}
    for setting in settings:
        for name, value in setting.items():
            found.setdefault(name, set()).add(value)
    return stated(found)


def stated(values: Values) -> Values:
    """The values that count, in the same order; a determinant without any is left out."""
    found = {
        name: of_name if name in _ABSENCE_COUNTS else of_name - {None}
        for name, of_name in values.items()
    }
    return {name: of_name for name, of_name in found.items() if of_name}


def mixes_of(values: Values) -> list[Mix]:
    """`[{"dimension", "count"}]` of the determinants with several values."""
    return [
        {"dimension": name, "count": len(found)} for name, found in values.items() if len(found) > 1
    ]


def digest_of(values: Values) -> str:
    """Eight characters that are equal where the same values are pooled: a line may join those."""
    return _digest(
        tuple((name, tuple(sorted(map(_written, found)))) for name, found in sorted(values.items()))
    )


@lru_cache(maxsize=1024)
def _digest(told: tuple[tuple[str, tuple[str, ...]], ...]) -> str:
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:8]


@lru_cache(maxsize=1024, typed=True)
def _written(value: Value) -> str:
    return json.dumps(value)


def in_words(mixes: Iterable[Mix]) -> str:
    """ "12 chips, 2 image formats and 2 power modes"."""
    parts = [f"{mix['count']} {_counted(mix['dimension'])}" for mix in mixes]
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)


def _counted(name: str) -> str:
    dimension = catalog.dimension(name)
    return dimension.counted if dimension else name
