"""What a ratio of two groups says: three answers, and never "no difference"."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from macmeter.stats.intervals import MINIMUM

# A comparison that would have missed a quarter more or less tells nobody anything.
LARGEST_USEFUL = 1.25


class Outcome(StrEnum):
    DIFFERENT = "different"
    NO_EVIDENCE = "no_evidence"
    NOT_ENOUGH = "not_enough"
    CONFOUNDED = "confounded"
    """Different, and so is something else that may be why."""


@dataclass(frozen=True)
class Verdict:
    """`smallest_visible` is the margin of error as a ratio over 1: how far 1 may be from the ratio
    that was found. A true difference of that size is seen in about half of the cases.

    None where all values are the same: a difference below their resolution would never be seen.
    """

    answer: Outcome
    smallest_visible: float | None = None


def verdict(value: float, low: float | None, high: float | None, fewest: int) -> Verdict:
    """The verdict on a ratio with its 95% interval; the smaller side has `fewest` units."""
    if fewest < MINIMUM or low is None or high is None:
        return Verdict(Outcome.NOT_ENOUGH)
    if low > 1 or high < 1:
        return Verdict(Outcome.DIFFERENT)
    smallest = max(high / value, value / low)
    if smallest <= 1:
        return Verdict(Outcome.NO_EVIDENCE)
    if smallest > LARGEST_USEFUL:
        return Verdict(Outcome.NOT_ENOUGH, smallest)
    return Verdict(Outcome.NO_EVIDENCE, smallest)
