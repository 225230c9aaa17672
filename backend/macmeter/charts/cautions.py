"""Cautions on a comparison of sides, in three grades, with filters that resolve them; and on an
answer's ratios.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from macmeter import catalog
from macmeter.catalog import Trait
from macmeter.catalog.terms import CRUDE
from macmeter.charts import numbers, words
from macmeter.charts.figure import Remark
from macmeter.charts.figure_sides import Caution
from macmeter.charts.filters import offers_in_common, refusal_remarks
from macmeter.charts.side_verdicts import by_percent, causes, causes_of, is_established
from macmeter.schemas.answer import Ratio, Unlike
from macmeter.schemas.sides import Compared, Row, SideRatio, filled_cells

# Longer lists of values become a number.
_MOST_VALUES = 3


def cautions_of(compared: Compared, rows: Sequence[Row], names: dict[int, str]) -> list[Caution]:
    """Return the cautions on these rows, most serious first."""
    question = compared["comparison"]
    # Rows of published figures say what they are themselves.
    measured = [row for row in rows if not row["published"]] or rows
    ratios = [cell["ratio"] for row in measured for cell in filled_cells(row) if "ratio" in cell]
    refusals = refusal_remarks(rows, question["sides"])
    return [
        *_confounded(rows, names, names[question["baseline"]]),
        *(
            Caution("mixed", "No ratio.", item.text.removeprefix("No ratio. "), offers=item.offers)
            for item in refusals
        ),
        *_matched(compared, ratios),
        *_one_mac_each(measured),
        *_mixed(measured),
    ]


def _confounded(
    rows: Sequence[Row], names: dict[int, str], baseline_name: str
) -> Iterator[Caution]:
    """Yield a caution for each set of possible causes."""
    by_causes: dict[tuple[str, ...], list[tuple[Row, int, SideRatio]]] = {}
    for row in rows:
        for cell in filled_cells(row):
            if "ratio" in cell and cell["ratio"]["verdict"]["answer"] == "confounded":
                dimensions = tuple(causes(cell["ratio"]))
                by_causes.setdefault(dimensions, []).append((row, cell["side"], cell["ratio"]))
    for dimensions, group in by_causes.items():
        titles = [words.uncapitalised(words.dimension_title(name)) for name in dimensions]
        differences = dict.fromkeys(
            _difference_text(names[side], baseline_name, entry)
            for _, side, ratio in group
            for entry in ratio["unlike"]
            if entry["dimension"] in dimensions
        )
        biases = dict.fromkeys(_bias_text(row, ratio, names[side]) for row, side, ratio in group)
        offers = offers_in_common([row for row, _, _ in group], dimensions)
        advice = "" if offers else "No value is on both sides: choose sides that share one."
        text = " ".join(filter(None, [*differences, *list(biases)[:1], advice]))
        yield Caution("confounded", f"Confounded by {words.listed(titles)}.", text, offers=offers)


def _difference_text(name: str, baseline_name: str, entry: Unlike) -> str:
    """Format "Encryption: M4 FileVault, M1 not encrypted."."""
    title = words.dimension_title(entry["dimension"])
    ours, theirs = (
        _values_text(entry["dimension"], values) for values in (entry["of"], entry["to"])
    )
    if ours == theirs:
        return f"{title}: in other proportions."
    return f"{title}: {name} {ours}, {baseline_name} {theirs}."


def _values_text(name: str, values: Sequence[Any]) -> str:
    if len(values) > _MOST_VALUES:
        return f"{len(values)} values"
    texts = (
        "not stated" if value is None else words.uncapitalised(words.value_text(name, value))
        for value in values
    )
    return " or ".join(texts)


def _bias_text(row: Row, ratio: SideRatio, name: str) -> str:
    """Format "Elsewhere that alone makes 2 % slower, so M4 without it ..."; empty if unknown."""
    bias = ratio.get("bias")
    if bias is None:
        return ""
    size = numbers.change_text(bias["value"]).lstrip(f"+{numbers.MINUS}")
    how = by_percent(row["metric"], above=bias["value"] > 1)
    change = numbers.change_text(ratio["value"] / bias["value"])
    return f"Elsewhere that alone makes {size} {how}, so {name} without it would be about {change}."


def _matched(compared: Compared, ratios: Sequence[SideRatio]) -> Iterator[Caution]:
    """Yield what is held equal and how much that changes, or that nothing is held equal."""
    question = compared["comparison"]
    if not ratios:
        return
    lead = f"The sides may differ in more than {_chosen_difference(compared)}."
    if question["version"] == CRUDE:
        yield Caution("matched", lead, "Nothing else is held equal.", "crude")
        return
    held = dict.fromkeys(
        name for ratio in ratios for name in ratio.get("likeness", {}).get("held", [])
    )
    if held:
        titles = [words.uncapitalised(words.dimension_title(name)) for name in held]
        lead = f"The sides differ in more than {_chosen_difference(compared)}."
        text = f"Compared within the same {words.listed(titles)}{_effect_of_matching(ratios)}."
        yield Caution("matched", lead, text, "held")


def _effect_of_matching(ratios: Iterable[SideRatio]) -> str:
    """Format ", which moves no difference by more than 0.9 points"; empty without ratios."""
    moves = [
        abs(ratio["value"] - ratio["crude"]["value"]) * 100 for ratio in ratios if "crude" in ratio
    ]
    if not moves:
        return ""
    most = max(moves)
    if most < 1:
        return f", which moves no difference by more than {max(0.1, most):.1f} points"
    return f", which moves differences by up to {numbers.plain(round(most, int(most < 10)))} points"


def _chosen_difference(compared: Compared) -> str:
    """Format the dimension by which the sides are chosen: "the chip"."""
    names = {
        term["dimension"] for side in compared["comparison"]["sides"] for term in side["where"]
    }
    if len(names) != 1:
        return "what you chose"
    return f"the {words.uncapitalised(words.dimension_title(*names))}"


def _one_mac_each(rows: Sequence[Row]) -> Iterator[Caution]:
    """Yield a caution if each side has one Mac, which says little about others."""
    counts = [[cell["machines"] for cell in filled_cells(row)] for row in rows]
    if any(counts) and all(count == 1 for row_counts in counts for count in row_counts):
        text = "Two Macs of one model can differ by a few percent; more Macs would tell."
        yield Caution("mixed", "One Mac on each side.", text)


def _mixed(rows: Sequence[Row]) -> Iterator[Caution]:
    """Yield what else differs without being the cause of a difference, and what is pooled."""
    ratios = [cell["ratio"] for row in rows for cell in filled_cells(row) if "ratio" in cell]
    unlike = dict.fromkeys(
        entry["dimension"]
        for ratio in ratios
        if ratio["verdict"]["answer"] != "confounded"
        for entry in ratio["unlike"]
        if not catalog.has(entry["dimension"], Trait.BY_NATURE)
    )
    if unlike:
        titles = [words.uncapitalised(words.dimension_title(name)) for name in unlike]
        text = "They could not be held equal in every row."
        lead = f"Sides also differ in {words.listed(titles)}."
        yield Caution("mixed", lead, text, offers=offers_in_common(rows, unlike))
    cells = [cell for row in rows for cell in filled_cells(row)]
    if pooled := words.mixes_in_words(cells, "Includes"):
        held_ratios = [ratio for ratio in ratios if ratio.get("likeness", {}).get("held")]
        effect = _effect_of_matching(held_ratios)
        text = (
            "Each side’s own figure pools them; the differences don’t."
            if effect
            else ("Each side’s figure pools them.")
        )
        yield Caution("mixed", f"{pooled}.", text)


def ratio_remarks(ratios: Collection[Ratio]) -> Iterator[Remark]:
    """Yield remarks on ratios with another possible cause, and with another sign than the crude."""
    total = numbers.counted(len(ratios), "ratio")
    confounded = Counter(
        causes_of(ratio) for ratio in ratios if ratio["verdict"]["answer"] == "confounded"
    )
    for names, count in confounded.items():
        text = (
            f"Confounded by {names} in {count} of {total}: that may be the cause of the difference."
        )
        yield Remark("confounded", text)
    # Signs of what is unclear both ways are chance.
    opposite = sum(
        "crude" in ratio
        and (ratio["value"] - 1) * (ratio["crude"]["value"] - 1) < 0
        and (is_established(ratio) or ratio["crude"]["verdict"]["answer"] == "different")
        for ratio in ratios
    )
    if opposite:
        lead = f"Crude and matched differences have opposite signs in {opposite} of {total}"
        yield Remark("opposite", f"{lead}: the crude ones compare unlike Macs.")
