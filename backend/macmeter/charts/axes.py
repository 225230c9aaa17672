"""Axes, and what is drawn along them: boundaries, bends and fitted curves."""

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

import numpy as np

from macmeter.catalog.chips import Chip, ChipTier, configurations
from macmeter.catalog.terms import Value
from macmeter.charts.figure import Axis, Boundary, FittedCurve, Measure, Series, Tick
from macmeter.charts.numbers import Scale, counted, plain, significant
from macmeter.charts.words import system_text, value_text
from macmeter.schemas.answer import Answer, Curve, Key, QuestionResponse
from macmeter.schemas.runs import RunMachine
from macmeter.statistics.fit import equation, evaluate

_ZERO_AXIS_STEPS = 5
# Smaller values count as zero in any unit: a fifth of one underflows. Such values are refused now,
# but older ones are stored.
_SMALLEST = 1e-100
# The axis of a dimension is logarithmic if its last value is this many times the first.
_LOG_SPAN = 50


def axis_of_values(values: Iterable[float], measure: Measure, title: str) -> Axis:
    """Return the axis of a measure: figures start at zero, ratios are differences around 0."""
    return difference_axis(values, title) if measure == "ratio" else zero_axis(values, title)


def zero_axis(values: Iterable[float], title: str = "") -> Axis:
    """Return an axis from zero to a round number above the largest, in steps of 1, 2 or 5 × 10ⁿ."""
    largest = max(values, default=0.0)
    top = largest if _SMALLEST <= largest < math.inf else 1.0
    step = round_step(top / _ZERO_AXIS_STEPS)
    ticks = [float(f"{index * step:.12g}") for index in range(math.ceil(top / step * 0.9999) + 1)]
    return Axis(title, 0.0, ticks[-1], _formatted(_halving_order(ticks), plain))


def round_step(least: float) -> float:
    """Return 1, 2 or 5 times a power of ten, approximately `least` or more."""
    power = 10.0 ** math.floor(math.log10(least))
    factor = next((factor for factor in (1, 2, 5) if factor * power >= least * 0.999), 10)
    return float(f"{factor * power:.12g}")


_DIFFERENCE_STEPS = 6
# Room beyond the outermost value, and the least of an axis on either side of 0, as shares of its
# longer side.
_MARGIN, _SHORTER_SIDE = 0.08, 0.4
# With at least this range on either side, differences of a percent don't look like cliffs.
_SMALLEST_RANGE = 0.1


def difference_axis(values: Iterable[float], title: str = "%") -> Axis:
    """Return a linear axis of ratios, labelled as differences in percent around a round 0.

    Both sides of 0 have room, so that lower and higher differ at first sight. It spans at
    least −10 % to +10 %, and never less than −100 %.
    """
    differences = [value - 1 for value in values]
    below = max(_SMALLEST_RANGE, *(-difference for difference in differences), _SMALLEST_RANGE)
    above = max(_SMALLEST_RANGE, *differences, _SMALLEST_RANGE)
    longer = (1 + _MARGIN) * max(below, above)
    below = min(1.0, max((1 + _MARGIN) * below, _SHORTER_SIDE * longer))
    above = max((1 + _MARGIN) * above, _SHORTER_SIDE * longer)
    step = round_step((below + above) / _DIFFERENCE_STEPS)
    multiples = range(-math.floor(below / step), math.floor(above / step) + 1)
    ticks = [float(f"{1 + multiple * step:.12g}") for multiple in sorted(multiples, key=abs)]
    return Axis(title, 1 - below, 1 + above, _formatted(ticks, _difference), base=1.0)


def _difference(ratio: float) -> str:
    percent = float(f"{(ratio - 1) * 100:.9g}")
    return f"+{plain(percent)}" if percent > 0 else plain(percent)


def dimension_axis(values: Iterable[float], title: str, render: Callable[[float], str]) -> Axis:
    """Return the axis of a numeric dimension, with a tick at each of its values."""
    ticks = sorted(set(values))
    low, high = ticks[0], ticks[-1]
    if low == high:  # a single value still needs an axis with two ends
        ends = low - (abs(low) / 2 or 1), high + (abs(high) / 2 or 1)
        return Axis(title, *ends, _formatted(ticks, render), base=low)
    if low > 0 and high / low >= _LOG_SPAN:
        return Axis(
            title, low, high, _formatted(_roundness_order(ticks), render), log=True, base=low
        )
    return Axis(title, low, high, _formatted(_halving_order(ticks), render), base=low)


def _formatted(ticks: Iterable[float], render: Callable[[float], str]) -> tuple[Tick, ...]:
    return tuple(Tick(tick, render(tick)) for tick in ticks)


def _halving_order(ticks: Sequence[float]) -> list[float]:
    """Order by importance: every eighth tick, then the midpoints between these, and so on."""

    def distance(index: int) -> int:
        return 8 if index % 8 == 0 else index & -index

    return [ticks[index] for index in sorted(range(len(ticks)), key=distance, reverse=True)]


def _roundness_order(values: Sequence[float]) -> list[float]:
    """Put both ends first, then decades of the first (2, 20, 200), then other round values."""
    first, last = values[0], values[-1]

    def roundness(value: float) -> int:
        digit = _digit(value)
        return 0 if digit == _digit(first) else 1 if digit in (1, 2, 5) else 2

    return [first, last, *sorted(values[1:-1], key=roundness)]


def _digit(value: float) -> float:
    return float(f"{value:e}".split("e")[0])


MONTH = "month"
THREADS = "threads"
_CORE_CONTEXT = "core_context"


def boundaries_of(
    answer: Answer, axis: str, keys: Sequence[Key], across: Axis
) -> tuple[Boundary, ...]:
    """Return a chip's boundaries on an axis of threads, and macOS updates on one of months."""
    if axis == MONTH:
        return tuple(_updates(answer, across))
    return _chip_boundaries(answer, keys, across) if axis == THREADS else ()


def month_position(month: str) -> float:
    """Parse "2026-11" to an axis position; months are equally spaced."""
    year, number = month.split("-")
    return float(int(year) * 12 + int(number) - 1)


def _updates(answer: Answer, across: Axis) -> Iterable[Boundary]:
    for update in answer.get("updates") or []:
        position = month_position(update["month"])
        if across.low <= position <= across.high:
            yield Boundary(position, position, system_text(update["os_version"]))


def _chip_boundaries(answer: Answer, keys: Sequence[Key], across: Axis) -> tuple[Boundary, ...]:
    """Return the boundaries of one chip on its hosts; a VM's threads run on virtual CPUs."""
    question = answer["question"]
    hosts = [key for key in keys if not _values_of(question, key, "virtual") & {True}]
    chips = {chip for key in hosts for chip in _host_chips(question, key)}
    if len(chips) != 1:
        return ()
    chip = chips.pop()
    measured = (g["key"] for r in answer["results"] for g in r["groups"] if not g["published"])
    chip_keys = [key for key in measured if key.get("chip", chip) == chip]
    options = [option for option in configurations(chip) if not _is_refuted(option, chip_keys)]
    background = {_is_background(_values_of(question, key, _CORE_CONTEXT)) for key in hosts}
    return _tier_boundaries([option.tiers for option in options], background, across)


def machine_boundaries(
    machine: RunMachine, contexts: Iterable[Value], across: Axis
) -> tuple[Boundary, ...]:
    """Return the boundaries of one Mac, whose cores are known, for the contexts of its threads."""
    tiers = [
        ChipTier(tier["name"], tier["cores"], None, None, None)
        for tier in machine.get("core_tiers") or []
    ]
    background = {_is_background({context}) for context in contexts}
    return _tier_boundaries([tiers], background, across) if tiers else ()


def _tier_boundaries(
    options: Sequence[Sequence[ChipTier]], background: set[bool], across: Axis
) -> tuple[Boundary, ...]:
    """Return the thread counts at which tiers of these configurations are full, fastest first."""
    fast = (_tier_label(options, 0), {tiers[0].cores for tiers in options})
    slow = (_tier_label(options, -1), {tiers[-1].cores for tiers in options})
    all_cores = ("cores", {sum(tier.cores for tier in tiers) for tiers in options})
    counts = [fast, all_cores] * (False in background) + [slow] * (True in background)
    labels: dict[tuple[int, int], list[str]] = {}
    for label, cores in counts:
        if label and cores and across.low < min(cores) and max(cores) <= across.high:
            labels.setdefault((min(cores), max(cores)), []).append(label)
    return tuple(
        Boundary(*span, f"{_range_text(*span)} {' or '.join(labels[span])}")
        for span in sorted(labels, key=max)
    )


def _values_of(question: QuestionResponse, key: Key, name: str) -> set[Value]:
    """Return a group's values of a dimension, from its key or else from the filters."""
    if name in key:
        return {key[name]}
    terms = (term for term in question["where"] if term["dimension"] == name)
    return {term["value"] for term in terms if term["op"] == "is"}


def _host_chips(question: QuestionResponse, key: Key) -> Iterable[str]:
    """Yield the chips of hosts: a filter for a chip also names that of its VMs."""
    chips = map(str, _values_of(question, key, "chip"))
    return (chip for chip in chips if not chip.endswith("(Virtual)"))


def _is_refuted(chip: Chip, keys: Sequence[Key]) -> bool:
    """Whether no Mac has this configuration: more threads than its fast cores stayed on them."""
    fast = chip.tiers[0]
    on_fast_tier, spilled = _threads(keys, f"{fast.name}/high"), _threads(keys, "+")
    most = max(on_fast_tier, default=0.0)
    return most > fast.cores and not any(fast.cores < threads <= most for threads in spilled)


def _threads(keys: Sequence[Key], context: str) -> set[float]:
    """Return the thread counts of groups with that text in their context."""
    matching = (key for key in keys if context in str(key.get(_CORE_CONTEXT)))
    return {threads for key in matching if isinstance(threads := key.get(THREADS), (int, float))}


def _is_background(contexts: set[Value]) -> bool:
    """Whether all threads stay on the lowest tier."""
    return bool(contexts) and all(str(context).endswith("/background") for context in contexts)


def _tier_label(options: Sequence[Sequence[ChipTier]], position: int) -> str:
    """Return a tier's short name: "P cores"."""
    names = {tiers[position].name for tiers in options}
    return f"{names.pop()[0]} cores" if len(names) == 1 else ""


def _range_text(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}–{high}"


FILE_SIZE = "file_size"
# Share of a line's top speed; with a higher share, noise would choose the size.
_NEAR_TOP = 0.9
# With fewer sizes, only two would show the bend.
_FEWEST_POINTS = 4


def bends_of(lines: Iterable[Series]) -> tuple[Boundary, ...]:
    """Return one bend for a panel, as wide as its lines differ; ignores published points."""
    sizes = [size for line in lines if (size := _bend(line)) is not None]
    if not sizes:
        return ()
    low, high = min(sizes), max(sizes)
    ends = " to ".join(value_text(FILE_SIZE, size) for size in sorted({low, high}))
    return (Boundary(low, high, f"90 % of top speed at {ends}"),)


def _bend(line: Series) -> float | None:
    """Return the smallest size near the top speed; None for a line without a bend."""
    points = sorted(line.points, key=lambda point: point.x)
    if line.hollow or len(points) < _FEWEST_POINTS:
        return None
    top = max(point.y for point in points)
    size = next(point.x for point in points if point.y >= _NEAR_TOP * top)
    return None if size == points[0].x else size


# Number of segments of a curve.
_SEGMENTS = 64
_DRAWN_DIGITS = 5
_MODELS = {"theil_sen": "Theil-Sen"}


def curve_values(fit: Curve) -> list[float]:
    """Return the curve's values within its range, in base units."""
    xs = np.linspace(fit["low"], fit["high"], _SEGMENTS + 1)
    return [float(y) for y in evaluate(fit["model"], fit["coefficients"], xs)]


def curve_of(fit: Curve, across: Axis, up: Axis, scale: Scale) -> FittedCurve:
    """Return the visible stretches of the curve, between its first point and its last.

    It doesn't go on: a VM with five processors has no rate at fourteen threads.
    """
    low, high = fit["low"], fit["high"]
    xs = (np.geomspace if across.log else np.linspace)(low, high, _SEGMENTS + 1)
    ys = evaluate(fit["model"], fit["coefficients"], xs) / scale.divisor
    points = [(_rounded(x), _rounded(y)) for x, y in zip(xs, ys, strict=True)]
    stretches = groupby(points, key=lambda point: up.low <= point[1] <= up.high)
    return FittedCurve(tuple(tuple(stretch) for visible, stretch in stretches if visible))


def _rounded(value: float) -> float:
    return float(f"{value:.{_DRAWN_DIGITS}g}")


def fit_text(
    fit: Curve, name: str, across: Scale, up: Scale, render: Callable[[float], str]
) -> str:
    """Format "Host: power fit y = 49.9 x^−0.912 in s and threads, r² 0.998, 5 points from …"."""
    model = _MODELS.get(fit["model"], fit["model"])
    written = equation(fit["model"], fit["coefficients"], across.divisor, up.divisor)
    units = " and ".join(filter(None, (up.symbol, across.symbol)))
    return (
        f"{name}: {model} fit {written.replace('-', '−')} in {units}, r² {significant(fit['r2'])}, "
        f"{counted(fit['points'], 'point')} from {render(fit['low'])} to {render(fit['high'])}"
    )
