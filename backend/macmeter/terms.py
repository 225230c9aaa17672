"""Filters of questions and values of dimensions, as every kind of query uses them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

Value = str | float | bool | None
# What counts once in a figure, and whether doubted runs enter it.
Weight = Literal["machine", "run"]
Flagged = Literal["exclude", "include"]
# Dimensions that a question groups by at most.
MOST_GROUPED = 3


class Op(StrEnum):
    IS = "is"
    NOT = "not"
    RANGE = "range"
    NOT_RANGE = "not_range"


@dataclass(frozen=True)
class Term:
    """One `where`: a dimension that is, or is not, a value or within a range (both ends in)."""

    dimension: str
    op: Op
    value: Value = None
    low: float | None = None
    high: float | None = None

    def __str__(self) -> str:
        colon = "!:" if self.op in (Op.NOT, Op.NOT_RANGE) else ":"
        if self.op in (Op.RANGE, Op.NOT_RANGE):
            return f"{self.dimension}{colon}{print_value(self.low)}..{print_value(self.high)}"
        return f"{self.dimension}{colon}{print_value(self.value)}"


def machine_name(machine_id: object) -> str:
    """What a machine is called that has no name: enough of its id to know it again."""
    return f"Mac {str(machine_id)[:8]}"


def short_id(name: str) -> str:
    """Enough of an id to know it again; of anything else, all of it."""
    return name[:8] if re.fullmatch(r"[0-9a-f-]{36}", name) else name


@dataclass(frozen=True)
class Filters:
    """Which results something is of; no metric stands for all runs."""

    metrics: tuple[str, ...] = ()
    where: tuple[Term, ...] = ()
    flagged: Flagged = "exclude"


def print_value(value: Value) -> str:
    """As the grammar writes it; numbers without a needless fraction."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
    return value
