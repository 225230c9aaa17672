"""Numbers and units as they are printed: 7.66 GB/s; and the digits of a group's figures."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import cache

from macmeter.charts.figure import Span
from macmeter.schemas.answer import Confidence, Figures, MetricAnswer, PrintedFigure

# Not strftime's, whose words are the server's locale's.
_MONTHS = (
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
    *("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)
# The largest number has 309 digits before its point: any reader's filter can be printed.
_EXACT = Context(prec=400)
THIN = "\u2009"
MINUS = "\u2212"
_RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
# A unit that an article spells out is the one that our columns name by its symbol.
_SPELT = {"second": "s", "seconds": "s"}
# Of a change of fewer percent only the direction is given.
_SMALLEST_CHANGE = 0.05
# Below this a number is a row of zeros, which nobody can read.
_SMALLEST_PLAIN = 1e-4
# Below this a float tells whether it is whole.
_WHOLE = 2.0**53


@dataclass(frozen=True)
class Scale:
    """A unit as printed, and what a value in base units is divided by to stand in it."""

    symbol: str = ""
    divisor: float = 1.0


_LADDERS: dict[str, tuple[tuple[float, str], ...]] = {
    "B/s": ((1e9, "GB/s"), (1e6, "MB/s"), (1e3, "kB/s"), (1, "B/s")),
    "B": ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1, "B")),
    "Hz": ((1e9, "GHz"), (1e6, "MHz"), (1e3, "kHz"), (1, "Hz")),
    "s": ((1, "s"), (1e-3, "ms"), (1e-6, "µs")),
    "W": ((1, "W"), (1e-3, "mW")),
    "J": ((1, "J"), (1e-3, "mJ")),
    "bit/s": ((1e9, "Gbit/s"), (1e6, "Mbit/s"), (1, "bit/s")),
    "1/s": ((1e9, "G/s"), (1e6, "M/s"), (1e3, "k/s"), (1, "/s")),
}


def scale_for(unit: str, values: Iterable[float]) -> Scale:
    """The unit for a whole axis: the one in which its largest value is at least 1."""
    ladder = _LADDERS.get(unit)
    if ladder is None:
        return Scale(unit)
    largest = max((abs(value) for value in values), default=0.0)
    steps = ladder[:1] if largest == 0 else [step for step in ladder if largest >= step[0]]
    divisor, symbol = (steps or ladder[-1:])[0]
    return Scale(symbol, divisor)


def decimals_for(value: float, digits: int = 3) -> int:
    """How many decimals show `digits` significant figures of `value`."""
    size = abs(value)
    # Most are these, and none of them is rounded up to a power of ten.
    if digits >= 3:
        if 1 <= size < 9.9:
            return digits - 1
        if 10 <= size < 99:
            return digits - 2
        if 100 <= size < 990:
            return digits - 3
    if value == 0 or not math.isfinite(value):
        return 0
    # Of a half this rounds to the even digit, which leads to the next magnitude where halves up do.
    magnitude = int(f"{value:.{digits - 1}e}".partition("e")[2])
    return max(0, digits - 1 - magnitude)


def fixed(value: float, decimals: int) -> str:
    """With exactly so many decimals, halves up, grouped in threes by commas."""
    if 0 < (twice := value * 2 * 10**decimals) < _WHOLE and twice % 2 != 1:
        return f"{value:,.{decimals}f}"  # no half, so that Python rounds as we do
    # The exact binary value, so that what looks like a half is only one where it is one.
    rounded = Decimal(abs(value)).quantize(_place_of(decimals), ROUND_HALF_UP, _EXACT)
    return f"{MINUS if value < 0 and rounded else ''}{rounded:,f}"


def significant(value: float, digits: int = 3) -> str:
    if value != 0 and abs(value) < _SMALLEST_PLAIN:
        return _scientific(value, digits)
    return fixed(value, decimals_for(value, digits))


def _scientific(value: float, digits: int) -> str:
    """3.7e-10 as 3.70 × 10⁻¹⁰."""
    decimals = digits - 1
    exponent = Decimal(abs(value)).adjusted()
    mantissa = Decimal(value).scaleb(-exponent, _EXACT)
    rounded = mantissa.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP, _EXACT)
    if abs(rounded) >= 10:
        rounded, exponent = rounded.scaleb(-1).quantize(Decimal(1).scaleb(-decimals)), exponent + 1
    written = f"{rounded:f}".replace("-", MINUS)
    return f"{written}{THIN}×{THIN}10{str(exponent).translate(_RAISED)}"


def in_unit(value: float, scale: Scale) -> str:
    return significant(value / scale.divisor)


def with_unit(digits: str, symbol: str) -> str:
    return f"{digits}{THIN}{symbol}" if symbol else digits


def quantity(value: float, unit: str) -> str:
    """A lone figure with its unit: 7.66 GB/s."""
    scale = scale_for(unit, [value])
    return with_unit(in_unit(value, scale), scale.symbol)


def nominal(value: float, unit: str) -> str:
    """Without needless zeros, for what was chosen and not measured: 2 MB, 40 Gbit/s."""
    scale = scale_for(unit, [value])
    return with_unit(plain(value / scale.divisor), scale.symbol)


def plain(value: float) -> str:
    """A chosen number, as an axis carries it: four significant figures at most, no zeros."""
    text = fixed(value, min(12, decimals_for(value, 4)))
    return text.rstrip("0").rstrip(".") if "." in text else text


def percent(ratio: float) -> str:
    """A ratio in percent, without its sign: an axis or column carries it once."""
    return significant(ratio * 100)


def change_text(ratio: float) -> str:
    """ "+4 %", "−0.3 %", "no change"; a change too small for a tenth says so."""
    if ratio == 1:
        return "no change"
    percent = (ratio - 1) * 100
    sign, size = MINUS if percent < 0 else "+", abs(percent)
    if size < _SMALLEST_CHANGE:
        return with_unit(f"{sign}<0.1", "%")
    tenths = size < 9.95 and size % 1 >= _SMALLEST_CHANGE
    return with_unit(f"{sign}{fixed(size, int(tenths))}", "%")


def whole_percent(ratio: float) -> str:
    return with_unit(fixed(ratio * 100, 0), "%")


def ordinal(value: float) -> str:
    """ "1st", "12th", "23rd"."""
    digits = fixed(value, 0)
    teen = digits[-2:-1] == "1"
    return f"{digits}{'th' if teen else {'1': 'st', '2': 'nd', '3': 'rd'}.get(digits[-1], 'th')}"


def counted(n: int, one: str, many: str | None = None) -> str:
    """ "1 machine", "3 machines"."""
    return f"{fixed(n, 0)} {one if n == 1 else many or one + 's'}"


def printed_parts(printed: str) -> tuple[str, str] | None:
    """A printed figure taken apart: "4,415 MHz" is 4,415 and MHz."""
    match = re.fullmatch(r"(.*\d)\s*(\D*)", printed.strip(), re.DOTALL)
    if match is None:
        return None
    return match[1], _SPELT.get(match[2], match[2])


def printed_in(printed: str, symbol: str) -> str:
    """The digits of a printed figure in `symbol`'s column; with its own unit where that differs."""
    parts = printed_parts(printed)
    if parts is None:
        return printed
    digits, unit = parts
    return digits if unit in (symbol, "") else with_unit(digits, unit)


def day(when: str) -> str:
    """ "21 Nov 2026", of an ISO date or time as written."""
    try:
        found = datetime.fromisoformat(when)
    except ValueError:
        return when
    return f"{found.day} {_MONTHS[found.month - 1]} {found.year}"


@cache
def _place_of(decimals: int) -> Decimal:
    return Decimal(1).scaleb(-decimals)


def shared_scale(results: list[MetricAnswer]) -> Scale:
    """One scale for metrics of one unit, which share an axis: chosen by their medians."""
    scales = [_column_scale(result) for result in results]
    return max(scales, key=lambda scale: scale.divisor, default=Scale())


def _column_scale(result: MetricAnswer) -> Scale:
    values = [group["median"] for group in result["groups"]]
    values += [figure["high"] for figure in result["published"] if figure["kind"] == "range"]
    return scale_for(result["unit"], values)


def median_text(group: Figures, scale: Scale) -> str:
    """The digits of a group's median in `scale`.

    A published figure shows exactly what was printed; of several unlike ones the lowest and the
    highest, since nobody printed what lies between.
    """
    printed = [*dict.fromkeys(group.get("printed") or [])]
    if not any(map(printed_parts, printed)):
        return in_unit(group["median"], scale)
    if len(printed) == 1:
        digits = printed_in(printed[0], scale.symbol)
        return f"{group['qualifier']} {digits}" if group.get("qualifier") else digits
    ascending = [one["printed"] for one in group.get("figures") or [] if "printed" in one]
    told = [printed_in(text, scale.symbol) for text in ascending or printed]
    return f"{told[0]} to {told[-1]}" if len(printed) > 2 and ascending else ", ".join(told)


def middle_of(group: Figures) -> float:
    """Where a group's figure is drawn: several unlike published ones as a range is."""
    several = len(group.get("figures") or []) > 1 or len({*(group.get("printed") or [])}) > 1
    return (group["min"] + group["max"]) / 2 if several else group["median"]


def published_text(figure: PrintedFigure, symbol: str) -> str:
    """A printed ratio or range, with the author's own reservation: "about 98"."""
    digits = printed_in(figure["printed"], symbol)
    qualifier = figure.get("qualifier")
    return f"{qualifier} {digits}" if qualifier and qualifier != "as printed" else digits


def printed_ratio(figure: PrintedFigure) -> str:
    """A printed ratio away from a percent axis, with its sign: "97 %"."""
    digits = published_text(figure, "%")
    if "%" in digits or "%" not in figure["printed"]:
        return digits
    return with_unit(digits, "%")


def with_own_unit(digits: str, symbol: str) -> str:
    """With its unit: digits that were printed in another one carry that already."""
    return digits if digits[-1:].isalpha() or digits.endswith("%") else with_unit(digits, symbol)


def band_of(group: Figures, *, published: bool) -> Span | None:
    """p10 to p90 of the samples; of a handful of published figures, lowest and highest."""
    if "spread" not in group:
        return None
    # Lowest and highest are machines': one machine has but one, and yet samples that differ.
    spread = group["spread"]
    low, high = (group["min"], group["max"]) if published else (spread["p10"], spread["p90"])
    return None if low == high else (low, high)


def interval_of(figures: Confidence) -> Span | None:
    low, high = figures.get("ci_low"), figures.get("ci_high")
    return None if low is None or high is None else (low, high)
