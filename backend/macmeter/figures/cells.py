"""The table under a chart: its columns, and what stands in each of them for a group."""

from __future__ import annotations

from collections.abc import Iterable

from macmeter.answers.answer import Confidence, Figures, Group, RatioTold
from macmeter.figures.digits import band_of, interval_of, median_text
from macmeter.figures.figure import Column, Lane, Measure, Span
from macmeter.figures.numbers import Scale, counted, fixed, in_unit, percent, significant, with_unit
from macmeter.figures.words import mixes_in_words
from macmeter.stats.figures import WITHIN_MACHINE

_SPREAD = "p10–p90"


def columns_of(lanes: Iterable[Lane], measure: Measure, unit: str) -> tuple[Column, ...]:
    """Those that any lane has something in; the first is the lanes' own text."""
    value = "Ratio" if measure == "ratio" else "Median"
    columns = (
        Column("value", value, "%" if measure == "ratio" else unit, numeric=True),
        Column("cited", "Source"),
        Column("mixes", "Mixes"),
        Column("spread", "Spread of samples", _SPREAD, numeric=True),
        Column("between", "Spread of Macs", _SPREAD, numeric=True),
        Column("interval", "95% interval", "%" if measure == "ratio" else unit, numeric=True),
        Column("pairing", "Pairing"),
        Column("verdict", "Verdict"),
        Column("median", "Median", unit, numeric=True),
        Column("machines", "Macs", numeric=True),
        Column("runs", "Runs", numeric=True),
        Column("samples", "Samples", numeric=True),
        Column("flags", "Flags"),
        Column("method", "Method"),
    )
    return filled(columns, lanes)


def filled(columns: Iterable[Column], lanes: Iterable[Lane]) -> tuple[Column, ...]:
    """The columns that any lane has something in, and the first."""
    used = {"value"}
    for lane in lanes:
        used |= (lane.cells or {}).keys()
        used |= {"cited"} if lane.dagger else set()
        used |= {"flags"} if lane.flags else set()
    return tuple(column for column in columns if column.id in used)


def cells_of(group: Group, scale: Scale, measure: Measure) -> dict[str, str]:
    """What stands in the columns for a group, empty cells left out."""
    cells = counts_of(group) | {
        "mixes": mixes_in_words([group]).removeprefix("Mixes "),
        "samples": fixed(group["samples"], 0),
        "method": f"{group['method']}\u00a0{group['method_version']}",
    }
    if measure == "ratio":
        ratio = group["ratio"]
        cells |= {
            "interval": ratio_range(ratio),
            "pairing": pairing_of(ratio),
            "verdict": verdict_of(ratio),
            "median": median_text(group, scale),
        }
    else:
        of_macs = group["machines"] > 1 and not group["published"]
        between = (group["p10"], group["p90"]) if of_macs else None
        cells |= {
            "spread": range_text(band_of(group, published=group["published"]), scale),
            "between": range_text(between, scale),
            "interval": interval_text(group, scale),
        }
    return {name: text for name, text in cells.items() if text}


def counts_of(group: Figures) -> dict[str, str]:
    machines = group["machines"]
    return {
        "machines": fixed(machines, 0) if machines else "",
        "runs": fixed(group["runs"], 0),
    }


def interval_text(group: Confidence, scale: Scale) -> str:
    """ "7.41–7.80", and of one machine alone what it tells."""
    ends = interval_of(group)
    within = " within this Mac" if ends and group.get("interval") == WITHIN_MACHINE else ""
    return range_text(ends, scale) + within


def range_text(ends: Span | None, scale: Scale) -> str:
    """ "7.41–7.80"; nothing where there is no range."""
    return "" if ends is None else f"{in_unit(ends[0], scale)}–{in_unit(ends[1], scale)}"


def ratio_range(ratio: Confidence) -> str:
    ends = interval_of(ratio)
    return "" if ends is None else f"{percent(ends[0])}–{percent(ends[1])}"


def pairing_of(ratio: RatioTold) -> str:
    """ "3 pairs", "unpaired"."""
    pairs = ratio.get("pairs")
    return str(ratio["pairing"]) if pairs is None else counted(pairs, "pair")


_VERDICTS = {
    "different": "different",
    "no_evidence": "no evidence of a difference",
    "not_enough": "not enough to tell",
}


def short_verdict(ratio: RatioTold) -> str:
    return _VERDICTS[ratio["verdict"]["answer"]]


def verdict_of(ratio: RatioTold) -> str:
    """Whether a ratio tells anything: never "no difference", only what could have been seen."""
    seen = ratio["verdict"].get("smallest_visible")
    told = short_verdict(ratio)
    if ratio["verdict"]["answer"] != "no_evidence" or seen is None:
        return told
    return f"{told}; {with_unit(significant((seen - 1) * 100), '%')} would have shown"
