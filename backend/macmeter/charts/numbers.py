"""Formatting of numbers and units, such as 7.66 GB/s, and of a group's figures."""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import cache

from macmeter.charts.figure import Span
from macmeter.schemas.answer import Confidence, Figures, MetricAnswer, PrintedFigure

# strftime's names depend on the server's locale.
_MONTHS = (
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
    *("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)
# Enough for the 309 digits of the largest float, which a filter may contain.
_EXACT = Context(prec=400)
THIN = "\u2009"
MINUS = "\u2212"
_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
# Symbols of the units that articles spell out.
_SYMBOLS = {"second": "s", "seconds": "s"}
# Smaller changes in percent show only their direction.
_SMALLEST_CHANGE = 0.05
# Smaller numbers would be an unreadable row of zeros.
_SMALLEST_PLAIN = 1e-4
# Below this, a float can represent fractions.
_WHOLE = 2.0**53


@dataclass(frozen=True)
class Scale:
    """A unit as printed, and the divisor that converts base units to it."""

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
    "1/s": ((1e9, "billion/s"), (1e6, "million/s"), (1e3, "thousand/s"), (1, "/s")),
}


def scale_for(unit: str, values: Iterable[float]) -> Scale:
    """Return the unit for a whole axis, in which its largest value is at least 1."""
    ladder = _LADDERS.get(unit)
    if ladder is None:
        return Scale(unit)
    largest = max((abs(value) for value in values), default=0.0)
    steps = ladder[:1] if largest == 0 else [step for step in ladder if largest >= step[0]]
    divisor, symbol = (steps or ladder[-1:])[0]
    return Scale(symbol, divisor)


def decimals_for(value: float, digits: int = 3) -> int:
    """Return the number of decimals for `digits` significant figures of `value`."""
    size = abs(value)
    # Fast path for common sizes that can't be rounded up to a power of ten.
    if digits >= 3:
        if 1 <= size < 9.9:
            return digits - 1
        if 10 <= size < 99:
            return digits - 2
        if 100 <= size < 990:
            return digits - 3
    if value == 0 or not math.isfinite(value):
        return 0
    # This rounds halves to even, which reaches the next magnitude exactly where rounding up does.
    magnitude = int(f"{value:.{digits - 1}e}".partition("e")[2])
    return max(0, digits - 1 - magnitude)


def fixed(value: float, decimals: int) -> str:
    """Format with exactly `decimals`, halves rounded up, and thousands separators."""
    if 0 < (twice := value * 2 * 10**decimals) < _WHOLE and twice % 2 != 1:
        return f"{value:,.{decimals}f}"  # not a half, so Python's rounding is the same
    # Exact binary value, so that only true halves are rounded up.
    rounded = Decimal(abs(value)).quantize(_quantum(decimals), ROUND_HALF_UP, _EXACT)
    return f"{MINUS if value < 0 and rounded else ''}{rounded:,f}"


def significant(value: float, digits: int = 3) -> str:
    if value != 0 and abs(value) < _SMALLEST_PLAIN:
        return _scientific(value, digits)
    return fixed(value, decimals_for(value, digits))


def _scientific(value: float, digits: int) -> str:
    """Format 3.7e-10 as 3.70 × 10⁻¹⁰."""
    decimals = digits - 1
    exponent = Decimal(abs(value)).adjusted()
    mantissa = Decimal(value).scaleb(-exponent, _EXACT)
    rounded = mantissa.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP, _EXACT)
    if abs(rounded) >= 10:
        rounded, exponent = rounded.scaleb(-1).quantize(Decimal(1).scaleb(-decimals)), exponent + 1
    digits_text = f"{rounded:f}".replace("-", MINUS)
    return f"{digits_text}{THIN}×{THIN}10{str(exponent).translate(_SUPERSCRIPTS)}"


def in_unit(value: float, scale: Scale) -> str:
    return significant(value / scale.divisor)


def with_unit(digits: str, symbol: str) -> str:
    return f"{digits}{THIN}{symbol}" if symbol else digits


def quantity(value: float, unit: str) -> str:
    """Format a single figure with its unit: 7.66 GB/s."""
    scale = scale_for(unit, [value])
    return with_unit(in_unit(value, scale), scale.symbol)


def nominal(value: float, unit: str) -> str:
    """Format a chosen value without trailing zeros: 2 MB, 40 Gbit/s."""
    scale = scale_for(unit, [value])
    return with_unit(plain(value / scale.divisor), scale.symbol)


def plain(value: float) -> str:
    """Format a number for an axis: at most four significant figures, no trailing zeros."""
    text = fixed(value, min(12, decimals_for(value, 4)))
    return text.rstrip("0").rstrip(".") if "." in text else text


def change_text(ratio: float) -> str:
    """Format "+4 %", "−0.3 %", "no change"; a change that rounds to 0 shows as less than 0.1."""
    return "no change" if ratio == 1 else with_unit(difference_text(ratio), "%")


def difference_text(ratio: float) -> str:
    """Format "+4", "−0.3", "0" for an axis or column of percentages."""
    if ratio == 1:
        return "0"
    percent = (ratio - 1) * 100
    sign, size = MINUS if percent < 0 else "+", abs(percent)
    if size < _SMALLEST_CHANGE:
        return f"{sign}<0.1"
    has_tenths = size < 9.95 and size % 1 >= _SMALLEST_CHANGE
    return f"{sign}{fixed(size, int(has_tenths))}"


def printed_difference(figure: PrintedFigure) -> str:
    """Format a printed ratio for a column of differences, as exact as its digits: "about 98 %" is
    "about −2". A ratio that isn't printed in percent keeps its digits.
    """
    text = published_text(figure, "%")
    match = re.fullmatch(r"(|.* )(\d+(?:\.\d+)?)", text)
    if match is None or "%" not in figure["printed"]:
        return text
    percent = Decimal(match[2]) - 100
    return f"{match[1]}{'+' if percent > 0 else ''}{percent}".replace("-", MINUS)


def is_speed(unit: str) -> bool:
    """Whether "faster" and "slower" describe figures in this unit."""
    return unit.endswith("/s") or unit == "s"


def whole_percent(ratio: float) -> str:
    return with_unit(fixed(ratio * 100, 0), "%")


def ordinal(value: float) -> str:
    """Format "1st", "12th", "23rd"."""
    digits = fixed(value, 0)
    is_teen = digits[-2:-1] == "1"
    return f"{digits}{'th' if is_teen else {'1': 'st', '2': 'nd', '3': 'rd'}.get(digits[-1], 'th')}"


def counted(n: int, singular: str, plural: str | None = None) -> str:
    """Format "1 machine", "3 machines"."""
    return f"{fixed(n, 0)} {singular if n == 1 else plural or singular + 's'}"


def printed_parts(printed: str) -> tuple[str, str] | None:
    """Split a printed figure: "4,415 MHz" is 4,415 and MHz."""
    match = re.fullmatch(r"(.*\d)\s*(\D*)", printed.strip(), re.DOTALL)
    if match is None:
        return None
    return match[1], _SYMBOLS.get(match[2], match[2])


def printed_in(printed: str, symbol: str) -> str:
    """Return a printed figure's digits for a column of `symbol`, with its own unit if different."""
    parts = printed_parts(printed)
    if parts is None:
        return printed
    digits, unit = parts
    return digits if unit in (symbol, "") else with_unit(digits, unit)


def day(when: str) -> str:
    """Format an ISO date or time as "21 Nov 2026"; return other text unchanged."""
    try:
        moment = datetime.fromisoformat(when)
    except ValueError:
        return when
    return f"{moment.day} {_MONTHS[moment.month - 1]} {moment.year}"


@cache
def _quantum(decimals: int) -> Decimal:
    return Decimal(1).scaleb(-decimals)


def shared_scale(results: list[MetricAnswer]) -> Scale:
    """Return one scale for metrics that share an axis, chosen by their medians."""
    scales = [_metric_scale(result) for result in results]
    return max(scales, key=lambda scale: scale.divisor, default=Scale())


def _metric_scale(result: MetricAnswer) -> Scale:
    values = [group["median"] for group in result["groups"]]
    values += [figure["high"] for figure in result["published"] if figure["kind"] == "range"]
    return scale_for(result["unit"], values)


def median_text(group: Figures, scale: Scale) -> str:
    """Format a group's median in `scale`.

    A published figure keeps its printed digits; several unlike ones show the lowest and the
    highest, since nobody printed a value between them.
    """
    printed = [*dict.fromkeys(group.get("printed") or [])]
    if not any(map(printed_parts, printed)):
        return in_unit(group["median"], scale)
    if len(printed) == 1:
        digits = printed_in(printed[0], scale.symbol)
        return f"{group['qualifier']} {digits}" if group.get("qualifier") else digits
    ascending = [figure["printed"] for figure in group.get("figures") or [] if "printed" in figure]
    texts = [printed_in(text, scale.symbol) for text in ascending or printed]
    return f"{texts[0]} to {texts[-1]}" if len(printed) > 2 and ascending else ", ".join(texts)


def drawn_value(group: Figures) -> float:
    """Return the value at which a group is drawn: its median, or the middle of unlike figures."""
    is_several = len(group.get("figures") or []) > 1 or len({*(group.get("printed") or [])}) > 1
    return (group["min"] + group["max"]) / 2 if is_several else group["median"]


def published_text(figure: PrintedFigure, symbol: str) -> str:
    """Format a printed ratio or range with the author's qualifier: "about 98"."""
    digits = printed_in(figure["printed"], symbol)
    qualifier = figure.get("qualifier")
    return f"{qualifier} {digits}" if qualifier and qualifier != "as printed" else digits


def printed_ratio(figure: PrintedFigure) -> str:
    """Format a printed ratio outside a percent axis, with its sign: "97 %"."""
    digits = published_text(figure, "%")
    if "%" in digits or "%" not in figure["printed"]:
        return digits
    return with_unit(digits, "%")


def with_own_unit(digits: str, symbol: str) -> str:
    """Add the unit, unless the digits already have one of their own."""
    return digits if digits[-1:].isalpha() or digits.endswith("%") else with_unit(digits, symbol)


def band_of(group: Figures, *, published: bool) -> Span | None:
    """Return a group's band: p10 to p90 of its samples, or its lowest and highest figure."""
    if "spread" not in group:
        return None
    # `min` and `max` are over machines: a single machine has equal ones, but varying samples.
    spread = group["spread"]
    low, high = (group["min"], group["max"]) if published else (spread["p10"], spread["p90"])
    return None if low == high else (low, high)


def interval_of(figures: Confidence) -> Span | None:
    low, high = figures.get("ci_low"), figures.get("ci_high")
    return None if low is None or high is None else (low, high)
