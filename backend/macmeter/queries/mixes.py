"""What a group pools that is unlike: the determinants of its metric with several values in it.

A setting is one value of each determinant that a question leaves open. Only what is stated counts,
but for the dimensions of which nothing stated is a value of its own.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, case

from macmeter import catalog
from macmeter.catalog import ANY_LABEL, DETERMINES_WHERE, LABEL_PREFIX
from macmeter.models import Run
from macmeter.queries.question import Value
from macmeter.queries.sql import column

Json = dict[str, Any]
Setting = Mapping[str, Value]
# Values by determinant, in the catalogue's order.
Values = dict[str, set[Value]]


def open_determinants(metric: str, by: Sequence[str]) -> tuple[str, ...]:
    """Those that groups by these dimensions may pool several values of."""
    return tuple(name for name in catalog.METRICS[metric].determinants if name not in by)


def setting_columns(names: Sequence[str]) -> list[ColumnElement[Any]]:
    """A column for each of `names`, labels all in one; null where it does not matter."""
    return [_column(name).label(f"setting_{i}") for i, name in enumerate(names)]


def _column(name: str) -> ColumnElement[Any]:
    if name == ANY_LABEL:
        return Run.labels.expression
    if name in DETERMINES_WHERE:
        other, value = DETERMINES_WHERE[name]
        return case((column(other) == value, column(name)))
    return column(name)


def setting_of(names: Sequence[str], cells: Sequence[Any], by: Sequence[str] = ()) -> Setting:
    """The values of `setting_columns`; each label is a dimension, but those asked for in `by`."""
    found = dict(zip(names, cells, strict=True))
    labels = found.pop(ANY_LABEL, None) or {}
    told = {LABEL_PREFIX + key: labels[key] for key in sorted(labels)}
    return found | {name: value for name, value in told.items() if name not in by}


def values_of(settings: Iterable[Setting]) -> Values:
    """The values that count, by determinant; one without any is left out."""
    found: Values = {}
    for setting in settings:
        for name, value in setting.items():
            if value is not None or _is_value_absent(name):
                found.setdefault(name, set()).add(value)
    return found


def _is_value_absent(name: str) -> bool:
    dimension = catalog.dimension(name)
    return dimension is not None and dimension.absent


def mixes_of(values: Values) -> list[Json]:
    """`[{"dimension", "count"}]` of the determinants with several values."""
    return [
        {"dimension": name, "count": len(found)} for name, found in values.items() if len(found) > 1
    ]


def digest_of(values: Values) -> str:
    """Eight characters that are equal where the same values are pooled: a line may join those."""
    told = [[name, sorted(map(json.dumps, found))] for name, found in sorted(values.items())]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:8]


def in_words(mixes: Iterable[Json]) -> str:
    """ "12 chips, 2 image formats and 2 power modes"."""
    parts = [f"{mix['count']} {_counted(mix['dimension'])}" for mix in mixes]
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)


def _counted(name: str) -> str:
    dimension = catalog.dimension(name)
    return dimension.counted if dimension else name
