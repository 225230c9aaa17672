"""A figure as it travels: JSON without what is absent, empty or false."""

from __future__ import annotations

from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any


def travelling(value: Any) -> Any:
    """Dataclasses as objects, what equals its default left out; tuples as lists."""
    if isinstance(value, tuple):
        return [travelling(one) for one in value]
    if not is_dataclass(value):
        return value
    told = {}
    kind: Any = type(value)
    for name, default in _defaults(kind):
        own = getattr(value, name)
        if default is MISSING or own != default:
            told[name] = travelling(own)
    return told


@cache
def _defaults(kind: Any) -> tuple[tuple[str, Any], ...]:
    """The fields of a class of figures, each with its default."""
    return tuple((field.name, field.default) for field in fields(kind))
