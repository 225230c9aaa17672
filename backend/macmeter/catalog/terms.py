"""Filters of questions and values of dimensions, shared by all kinds of queries."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

Value = str | float | bool | None
# The unit that counts once in a figure, and whether doubted runs are included.
Weight = Literal["machine", "run"]
Flagged = Literal["exclude", "include"]
CRUDE = 1
"""Version of questions whose ratios compare groups as they are."""
LIKE_WITH_LIKE = 2
"""Version of questions whose ratios compare like with like."""
# Maximum number of dimensions that a question groups by.
MOST_GROUPED = 3


class Op(StrEnum):
    IS = "is"
    NOT = "not"
    RANGE = "range"
    NOT_RANGE = "not_range"


@dataclass(frozen=True)
class Term:
    """One `where`: a dimension that is, or isn't, a value or within a range (inclusive)."""

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
    """Name an unnamed machine by the start of its id, enough to recognise it."""
    return f"Mac {str(machine_id)[:8]}"


def short_id(name: str) -> str:
    """Shorten an id to its recognisable start; leave other names unchanged."""
    return name[:8] if re.fullmatch(r"[0-9a-f-]{36}", name) else name


@dataclass(frozen=True)
class Filters:
    """Selection of results; without metrics, of all runs."""

    metrics: tuple[str, ...] = ()
    where: tuple[Term, ...] = ()
    flagged: Flagged = "exclude"


def print_value(value: Value) -> str:
    """Format a value in the filter grammar; numbers without a needless fraction."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
    return value


def matches(value: Value, terms: Iterable[Term]) -> bool:
    """Whether a value passes its dimension's filters: one of those wanted, none unwanted.

    None doesn't match an excluded value, so it passes.
    """
    outcomes: list[bool] = []
    for term in terms:
        holds = _CONDITIONS[term.op](value, term)
        if term.op in (Op.NOT, Op.NOT_RANGE):
            if holds:
                return False
        else:
            outcomes.append(holds)
    return any(outcomes) if outcomes else True


def _equals(value: Value, term: Term) -> bool:
    return value == term.value if term.value is not None else value is None


def _within(value: Value, term: Term) -> bool:
    if value is None:
        return False
    number = float(value)
    return (term.low is None or number >= term.low) and (term.high is None or number <= term.high)


_CONDITIONS: dict[Op, Callable[[Value, Term], bool]] = {
    Op.IS: _equals,
    Op.NOT: _equals,
    Op.RANGE: _within,
    Op.NOT_RANGE: _within,
}
