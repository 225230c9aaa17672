"""Frequency by residency: a chart for each chip and power mode, its curves, and a table."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import floor

from macmeter.charts.axes import curve_of, fit_text, zero_axis
from macmeter.charts.cases import on_axis
from macmeter.charts.colours import tier_colour
from macmeter.charts.figure import Axis, FittedCurve, KeyEntry, Span, with_fields
from macmeter.charts.numbers import Scale, counted, fixed, plain
from macmeter.charts.words import value_text
from macmeter.platform.schema import exact
from macmeter.schemas.residency import Residency, ResidencyGroup, ResidencyKey
from macmeter.statistics.summary import percentile

_GIGAHERTZ = Scale("GHz", 1e9)
_CORES = Scale("cores")
_NO_FIT = "too few samples for a curve"
_ACROSS = "Active residency of a cluster’s cores together"


@dataclass(frozen=True)
class Bin:
    """Points nearest to a whole number of cores; frequencies are formatted in gigahertz.

    Its mark is `at` the medians of both, in the units of the axes.
    """

    nearest: int
    at: Span
    cores: str
    median: str
    p10: str
    p90: str
    points: int


@dataclass(frozen=True)
class TierWords:
    """A tier of the chip: `group` is its place in the answer's groups."""

    group: int
    tier: str
    colour: str
    key: str
    curve: FittedCurve | None
    fit: str
    bins: tuple[Bin, ...]


@dataclass(frozen=True)
class ChipPanel:
    """A chart; frequencies divided by `divisor` are in `unit`.

    `key` is always empty: release 0.1 explained extrapolated curves there.
    """

    chip: str
    unit: str
    divisor: float
    across: Axis
    up: Axis
    tiers: tuple[TierWords, ...]
    key: tuple[KeyEntry, ...]


@exact
@dataclass(frozen=True, slots=True)
class ResidencyResponse(Residency):
    """`runs` were read; `without` had no trace of cores, `older` were too many to read.

    `panels` present the groups.
    """

    panels: list[ChipPanel]


def render_residency(residency: Residency) -> ResidencyResponse:
    """Add a panel for each chip in one power mode: only its tiers share a chart."""
    chips: dict[str, list[int]] = {}
    for index, group in enumerate(residency.groups):
        if group.samples:
            chips.setdefault(_chip(group.key), []).append(index)
    panels = [_panel(chip, residency.groups, indices) for chip, indices in chips.items()]
    return with_fields(ResidencyResponse, residency, panels=panels)


def _chip(key: ResidencyKey) -> str:
    mode = [value_text("power_mode", key.power_mode)] if key.power_mode else []
    return ", ".join([value_text("chip", key.chip), *mode])


def _panel(chip: str, groups: Sequence[ResidencyGroup], indices: Sequence[int]) -> ChipPanel:
    points = [point for index in indices for point in groups[index].points]
    across = zero_axis((active for active, _ in points), _ACROSS)
    up = zero_axis(
        (frequency / _GIGAHERTZ.divisor for _, frequency in points),
        f"Frequency, {_GIGAHERTZ.symbol} · {chip}",
    )
    tiers = tuple(_tier(index, groups[index], across, up) for index in indices)
    return ChipPanel(chip, _GIGAHERTZ.symbol, _GIGAHERTZ.divisor, across, up, tiers, key=())


def _tier(index: int, group: ResidencyGroup, across: Axis, up: Axis) -> TierWords:
    tier, fit = group.key.tier, group.fit
    basis = f"{counted(group.samples, 'sample')} of {counted(group.machines, 'Mac')}"
    return TierWords(
        group=index,
        tier=tier,
        colour=tier_colour(tier),
        key=f"{tier}: {basis}",
        curve=curve_of(fit, across, up, _GIGAHERTZ) if fit else None,
        fit=fit_text(fit, tier, _CORES, _GIGAHERTZ, plain) if fit else f"{tier}: {_NO_FIT}",
        bins=tuple(_bins(group.points)),
    )


def _bins(points: Iterable[Sequence[float]]) -> Iterable[Bin]:
    """Yield bins: threads fill whole cores, so samples cluster around whole numbers of cores."""
    for nearest, cluster in groupby(sorted(map(tuple, points)), key=_nearest):
        points = list(cluster)
        frequencies = sorted(frequency / _GIGAHERTZ.divisor for _, frequency in points)
        middle, *ends = (percentile(frequencies, share) for share in (0.5, 0.1, 0.9))
        median, p10, p90 = (fixed(frequency, 3) for frequency in (middle, *ends))
        cores = f"about {counted(nearest, 'core')}"
        active = percentile(sorted(active for active, _ in points), 0.5)
        at = on_axis(active, Scale()), on_axis(middle, Scale())
        yield Bin(nearest, at, cores, median, p10, p90, len(frequencies))


def _nearest(point: Sequence[float]) -> int:
    return floor(point[0] + 0.5)
