"""Verdicts on the sides of a comparison, in people's words."""

import re
from dataclasses import dataclass

from macmeter import catalog
from macmeter.catalog import Better, Trait
from macmeter.charts import numbers, words
from macmeter.schemas.answer import Figures, Ratio, RatioResponse
from macmeter.schemas.sides import FilledCell, Row, SideRatio
from macmeter.statistics.intervals import MINIMUM
from macmeter.statistics.verdict import detectable

# With fewer pairs or Macs, that all go one way is chance too often to be a finding.
_UNANIMOUS = 3
# A larger detectable difference tells readers nothing.
_MOST_DETECTABLE = 3.0


@dataclass(frozen=True)
class Said:
    """A verdict, what else is known, and the basis; `clear` if it establishes a difference."""

    verdict: str
    more: str = ""
    based_on: str = ""
    clear: bool = False


def adjective(metric: str, *, above: bool) -> str:
    """Return "faster" for a higher speed or a shorter time, else "higher" or "lower"."""
    entry = catalog.METRICS.get(metric)
    if entry is not None and entry.unit.endswith("/s") and entry.better is Better.HIGHER:
        return "faster" if above else "slower"
    if entry is not None and entry.unit == "s":
        return "slower" if above else "faster"
    return "higher" if above else "lower"


def by_percent(metric: str, *, above: bool) -> str:
    """Return the word after a percentage: half of a time is "50 % shorter", but not 50 % faster."""
    entry = catalog.METRICS.get(metric)
    is_time = entry is not None and entry.unit == "s"
    return (direction if is_time else adjective)(metric, above=above)


def direction(metric: str, *, above: bool) -> str:
    """Return the word for a metric's own value: "longer" for a time, "higher" for a speed."""
    entry = catalog.METRICS.get(metric)
    if entry is not None and entry.unit == "s":
        return "longer" if above else "shorter"
    return "higher" if above else "lower"


def is_unanimous(row: Row, cell: FilledCell, baseline: FilledCell) -> bool:
    """Whether all pairs, or all Macs of either side, go one way, and are more than chance's few.

    Then something is the cause: not if the sides differ in something else as well.
    """
    ratio = cell["ratio"]
    if "pairs" in ratio:
        return pairs_agree(ratio)
    fewest = min(cell["machines"], baseline["machines"])
    is_apart = not row["published"] and fewest >= _UNANIMOUS and _are_apart(cell, baseline)
    return is_apart and not _differs_otherwise(ratio)


def pairs_agree(ratio: Ratio | SideRatio) -> bool:
    """Whether all pairs go one way, are more than chance's few, and differ in nothing else."""
    tally = ratio.get("agreement")
    if "pairs" not in ratio or tally is None or _differs_otherwise(ratio):
        return False
    return tally["same"] == tally["of"] >= _UNANIMOUS


def _differs_otherwise(ratio: Ratio | SideRatio) -> bool:
    unlike = ratio.get("unlike", [])
    return any(not catalog.has(entry["dimension"], Trait.BY_NATURE) for entry in unlike)


def is_established(ratio: Ratio) -> bool:
    """Whether a difference is seen, and nothing else that differs may be its cause."""
    answer = ratio["verdict"]["answer"]
    return answer == "different" or (answer == "not_enough" and pairs_agree(ratio))


def said(
    row: Row, cell: FilledCell, baseline: FilledCell, names: tuple[str, str], *, named: bool = True
) -> Said:
    """Return the verdict on a ratio; `names` are those of the side and of the baseline.

    It is `named` beside the baseline, not in a column of its own.
    """
    ratio = cell["ratio"]
    answer = ratio["verdict"]["answer"]
    if row["published"]:
        return _published_verdict(cell, baseline)
    if answer == "confounded":
        basis = _basis(ratio, cell, baseline)
        return Said(f"Confounded by {causes_of(ratio)}.", _turned(cell, baseline), basis)
    pairwise = _pairs_text(row, ratio) if "pairs" in ratio else ""
    basis = "" if pairwise else _basis(ratio, cell, baseline)
    if answer == "different":
        if pairwise:
            return Said(pairwise, clear=True)
        how = adjective(row["metric"], above=ratio["value"] > 1)
        verdict = f"{names[0]} {how}." if named else f"{how.capitalize()}."
        apart = _apart(row, cell, baseline, names) or _turned(cell, baseline)
        return Said(verdict, apart, basis, clear=True)
    if answer == "no_evidence":
        basis = basis or numbers.counted(ratio.get("pairs", 0), "pair")
        return Said("No difference seen.", _would_have_shown(ratio), basis)
    if is_unanimous(row, cell, baseline):
        apart = pairwise or _apart(row, cell, baseline, names)
        return Said(apart, based_on=basis, clear=True)
    return _undecided(row, cell, baseline, pairwise, basis)


def causes_of(ratio: Ratio | SideRatio) -> str:
    """Name what may cause a confounded difference: "encryption and macOS version"."""
    names = causes(ratio)
    return words.listed([words.uncapitalised(words.dimension_title(name)) for name in names])


def causes(ratio: Ratio | SideRatio) -> list[str]:
    """Return the dimensions of what may be the cause, without what always differs if others do."""
    names = [entry["dimension"] for entry in ratio.get("unlike", [])]
    return [name for name in names if not catalog.has(name, Trait.BY_NATURE)] or names


def _undecided(row: Row, cell: FilledCell, baseline: FilledCell, pairwise: str, basis: str) -> Said:
    """Say what little a few machines or pairs tell."""
    ratio = cell["ratio"]
    over, under = _machines(ratio, cell, baseline)
    if pairwise and ratio.get("pairs", 0) < MINIMUM:
        return Said(pairwise)
    if over == under == 1:
        return Said("")
    if (placed := _single_mac_text(row, ratio, over, under)) and not pairwise:
        return Said(placed)
    if min(over, under) < MINIMUM and not pairwise:
        counts = f"{numbers.fixed(under, 0)} and {numbers.fixed(over, 0)}"
        return Said(f"Inconclusive: n = {counts}.", f"{MINIMUM} needed on each side.")
    basis = basis or _basis(ratio, cell, baseline)
    least = _detectable(ratio)
    if least is None or least > _MOST_DETECTABLE:
        return Said("Inconclusive: they vary too much.", based_on=basis)
    return Said("Inconclusive.", f"Only a difference of {_size(least)} would have shown.", basis)


def _pairs_text(row: Row, ratio: SideRatio) -> str:
    """Format "7 of 7 pairs slower."; saved answers of older versions say only how many."""
    tally, pairs = ratio.get("agreement"), ratio.get("pairs", 0)
    how = adjective(row["metric"], above=ratio["value"] > 1)
    if tally is None or ratio["value"] == 1:
        return f"{numbers.counted(pairs, 'pair')}{f', {how}' * (ratio['value'] != 1)}."
    if pairs == 1:
        return f"One pair, {how}."
    return f"{numbers.fixed(tally['same'], 0)} of {numbers.counted(tally['of'], 'pair')} {how}."


def _single_mac_text(row: Row, ratio: SideRatio, over: int, under: int) -> str:
    """Format "Faster than 44 of 46 Macs." if either side is a single Mac."""
    tally = ratio.get("agreement")
    # Its own runs may be on both sides: it isn't compared with itself.
    if tally is None or min(over, under) != 1 or not 0 <= max(over, under) - tally["of"] <= 1:
        return ""
    if 2 * tally["same"] <= tally["of"]:
        return f"In the middle of {numbers.counted(tally['of'], 'Mac')}."
    how = adjective(row["metric"], above=ratio["value"] > 1)
    share = f"{numbers.fixed(tally['same'], 0)} of {numbers.counted(tally['of'], 'Mac')}"
    return f"{how.capitalize()} than {share}." if over == 1 else f"{share} {how}."


def _are_apart(cell: Figures, other: Figures) -> bool:
    return cell["min"] > other["max"] or cell["max"] < other["min"]


def _apart(row: Row, cell: FilledCell, baseline: FilledCell, names: tuple[str, str]) -> str:
    """Format "Every M4 beats every M1."; empty if values overlap."""
    if not _are_apart(cell, baseline):
        return ""
    better = adjective(row["metric"], above=cell["min"] > baseline["max"])
    if not all(re.fullmatch(r"M\d+( \w+)?", name) for name in names):
        return "The two don’t overlap."
    best, worst = names if better in ("faster", "higher") else names[::-1]
    beats = "beats" if better in ("faster", "slower") else "is above"
    return f"Every {best} {beats} every {worst}."


def _turned(cell: FilledCell, baseline: FilledCell) -> str:
    """Say why the medians shown may seem to contradict the ratio."""
    medians, ratio = cell["median"] / baseline["median"], cell["ratio"]["value"]
    return "" if (medians > 1) == (ratio > 1) else "Like with like; the medians pool unlike Macs."


def _would_have_shown(ratio: SideRatio) -> str:
    least = _detectable(ratio)
    return "" if least is None else f"{_article(_size(least))} difference would have shown."


def _detectable(ratio: RatioResponse) -> float | None:
    """Return the detectable difference; that of older saved answers from their interval."""
    least = ratio["verdict"].get("detectable")
    ends = numbers.interval_of(ratio)
    return least if least is not None or ends is None else detectable(*ends)


def detectable_text(ratio: RatioResponse) -> tuple[float, str] | None:
    """Return the detectable difference as a ratio over 1, and as text: "14 %"."""
    least = _detectable(ratio)
    return None if least is None else (least, _size(least))


def _size(ratio: float) -> str:
    return numbers.change_text(ratio).lstrip("+")


def _article(text: str) -> str:
    """Prefix with the article that its number is spoken with: "An 8 %"."""
    number = text.split("\u2009")[0]
    vowel = number.startswith("8") or number.split(".")[0] in ("11", "18")
    return f"{'An' if vowel else 'A'} {text}"


def _machines(ratio: SideRatio, cell: FilledCell, baseline: FilledCell) -> tuple[int, int]:
    """Return the machines of the side and of the baseline that count in the ratio."""
    likeness = ratio.get("likeness", {})
    over = likeness.get("machines", cell["machines"])
    return over, likeness.get("reference_machines", baseline["machines"])


def _basis(ratio: SideRatio, cell: FilledCell, baseline: FilledCell) -> str:
    """Format "31 and 28 Macs" in the order of the columns, "43 of 46 and 7 Macs" if others have
    nothing alike to be compared with, or "11 pairs".
    """
    if "pairs" in ratio:
        return numbers.counted(ratio["pairs"], "pair")
    over, under = _machines(ratio, cell, baseline)
    texts = [
        numbers.fixed(count, 0) + f" of {numbers.fixed(all_, 0)}" * (count < all_)
        for count, all_ in ((under, baseline["machines"]), (over, cell["machines"]))
    ]
    return f"{' and '.join(texts)} Mac{'s' * (cell['machines'] != 1)}"


def _published_verdict(cell: FilledCell, baseline: FilledCell) -> Said:
    counts = [side["runs"] for side in (baseline, cell)]
    cited = [{item["article"] for item in side.get("citations") or []} for side in (baseline, cell)]
    articles = (
        "one article" if cited[0] == cited[1] and len(cited[0]) == 1 else "different articles"
    )
    if max(counts) == 1:
        return Said(f"One figure each, {articles}.")
    return Said(f"{counts[0]} and {numbers.counted(counts[1], 'figure')}, {articles}.")
