"""A figure as it travels: JSON without what is absent, empty or false."""

from __future__ import annotations

from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")

# Most values are: nothing is looked for in them.
_PLAIN = frozenset((str, float, int, bool, type(None), dict))


def travelling(value: Any) -> Any:
    """Dataclasses as objects, what equals its default left out; tuples as lists."""
    kind: Any = type(value)
    if kind is tuple:
        return [travelling(one) for one in value]
    defaults = _defaults(kind)
    if defaults is None:
        return value
    told = {}
    for name, default in defaults:
        own = getattr(value, name)
        # Most are their very default.
        if own is not default and (default is MISSING or own != default):
            told[name] = own if type(own) in _PLAIN else travelling(own)
    return told


def beside(kind: type[T], found: Any, **told: Any) -> T:
    """An answer as the kind that has its words as well; nothing within it is copied."""
    own = {field.name: getattr(found, field.name) for field in fields(found)}
    return kind(**own | told)


@cache
def _defaults(kind: Any) -> tuple[tuple[str, Any], ...] | None:
    """The fields of a class of figures, each with its default; None of what is none."""
    if not is_dataclass(kind):
        return None
    return tuple((field.name, field.default) for field in fields(kind))
