"""The table under a chart: its columns, and what stands in each of them for a group."""

from __future__ import annotations

from collections.abc import Iterable

from macmeter.answers.answer import Confidence, Figures, Group, RatioTold, Unlike
from macmeter.figures.digits import band_of, interval_of, median_text
from macmeter.figures.figure import Column, Lane, Measure, Span
from macmeter.figures.numbers import Scale, counted, fixed, in_unit, percent, significant, with_unit
from macmeter.figures.words import dimension_title, listed, mixes_in_words, uncapitalised
from macmeter.stats.figures import WITHIN_MACHINE

_SPREAD = "p10–p90"
# A cell has room for the names of so many dimensions.
_MOST_HELD = 3


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
        Column("crude", "Crude ratio", "%", numeric=True),
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
            "verdict": verdict_of(ratio, ratio.get("unlike", [])),
            "crude": crude_text(ratio),
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


def crude_text(ratio: RatioTold) -> str:
    """The ratio of the medians as they are, with its interval: "124 (98–157)"."""
    if (crude := ratio.get("crude")) is None:
        return ""
    ends = ratio_range(crude)
    return f"{percent(crude['value'])} ({ends})" if ends else percent(crude["value"])


def pairing_of(ratio: RatioTold) -> str:
    """ "3 pairs", "same chip and model", "unpaired"."""
    if (pairs := ratio.get("pairs")) is not None:
        return counted(pairs, "pair")
    likeness = ratio.get("likeness")
    if likeness is None or not likeness["held"]:
        return str(ratio["pairing"])
    names = [uncapitalised(dimension_title(name)) for name in likeness["held"]]
    if len(names) > _MOST_HELD:
        names[_MOST_HELD - 1 :] = [f"{len(names) - _MOST_HELD + 1} more"]
    return f"same {listed(names)}"


_VERDICTS = {
    "different": "different",
    "no_evidence": "no evidence of a difference",
    "not_enough": "not enough to tell",
    "confounded": "confounded",
}


def short_verdict(ratio: RatioTold, unlike: Iterable[Unlike] = ()) -> str:
    """The verdict, which names what else differs where that may be why."""
    verdict = _VERDICTS[ratio["verdict"]["answer"]]
    if ratio["verdict"]["answer"] != "confounded":
        return verdict
    names = listed([uncapitalised(dimension_title(one["dimension"])) for one in unlike])
    return f"{verdict} by {names}"


def verdict_of(ratio: RatioTold, unlike: Iterable[Unlike] = ()) -> str:
    """Whether a ratio tells anything: never "no difference", only how exact it is."""
    seen = ratio["verdict"].get("smallest_visible")
    told = short_verdict(ratio, unlike)
    if ratio["verdict"]["answer"] != "no_evidence" or seen is None:
        return told
    return f"{told}; {with_unit(significant((seen - 1) * 100), '%')} margin of error"
