"""Read a figure as an article prints it: the printed characters are the only source of a value.

"6.57 GB/s" is 6570000000 B/s, "97%" the ratio 0.97, "9.2-9.7 seconds" a range of two values.
Arithmetic is decimal, so that no digit is gained or lost in the conversion to SI units.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

RATIO = "ratio"
# A number printed without a unit: a score, or a plain count.
BARE = ""

_UNITS: dict[str, tuple[str, Decimal]] = {
    "GB/s": ("B/s", Decimal(10**9)),
    "MB/s": ("B/s", Decimal(10**6)),
    "Gb/s": ("bit/s", Decimal(10**9)),
    "Gbps": ("bit/s", Decimal(10**9)),
    "GB": ("B", Decimal(10**9)),
    "MB": ("B", Decimal(10**6)),
    "hours": ("s", Decimal(3600)),
    "seconds": ("s", Decimal(1)),
    "second": ("s", Decimal(1)),
    "s": ("s", Decimal(1)),
    "GHz": ("Hz", Decimal(10**9)),
    "MHz": ("Hz", Decimal(10**6)),
    "mW": ("W", Decimal("0.001")),
    "W": ("W", Decimal(1)),
    "J": ("J", Decimal(1)),
    "loops/s": ("1/s", Decimal(1)),
    "IOPS": ("1/s", Decimal(1)),
    "%": (RATIO, Decimal("0.01")),
    "percent": (RATIO, Decimal("0.01")),
    "times": (RATIO, Decimal(1)),
}
_WORDS = {
    "half": Decimal("0.5"),
    "two": Decimal(2),
    "four": Decimal(4),
    "six": Decimal(6),
}
_NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?: x 10\^\d+)?|" + "|".join(_WORDS)
_UNIT = "|".join(re.escape(unit) for unit in sorted(_UNITS, key=len, reverse=True))
_FIGURE = re.compile(
    rf"(?P<factor>factor of )?(?P<low>{_NUMBER})(?: ?(?P<low_unit>{_UNIT}))?"
    rf"(?:(?:-| to | and | up to almost )(?P<high>{_NUMBER})(?: ?(?P<unit>{_UNIT}))?)?"
)


@dataclass(frozen=True)
class Printed:
    """One value (`low` equals `high`) or the two ends of a range, in SI units."""

    low: float
    high: float
    unit: str

    @property
    def single(self) -> bool:
        return self.low == self.high


def read_printed(text: str) -> Printed | None:
    """Return the figure that `text` prints; None if it is words without a number."""
    match = _FIGURE.fullmatch(text)
    if match is None:
        return None
    unit = match["unit"] or match["low_unit"]
    low = _value(match["low"], match["low_unit"] or unit)
    high = _value(match["high"], unit) if match["high"] else low
    measure = _UNITS[unit][0] if unit else BARE
    return Printed(low, high, RATIO if match["factor"] else measure)


def _value(number: str, unit: str | None) -> float:
    mantissa, _, exponent = number.replace(",", "").partition(" x 10^")
    value = _WORDS[mantissa] if mantissa in _WORDS else Decimal(mantissa)
    scale = _UNITS[unit][1] if unit else Decimal(1)
    return float(value * scale * Decimal(10) ** int(exponent or 0))
