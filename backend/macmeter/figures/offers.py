"""Filters that make sides alike, offered where they differ unasked or have no ratio."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from macmeter.answers.sides import Row, SideTold, filled_of
from macmeter.figures.figure import Offer, Remark
from macmeter.figures.words import dimension_title, value_text
from macmeter.terms import Op, Term, Value

# A reader chooses among so many values of a dimension; the filters have them all.
_MOST_OFFERED = 3


def offers_of_unlike(rows: Iterable[Row]) -> tuple[Offer, ...]:
    """One value for all sides, of those that they have in common."""
    both: dict[str, list[Value]] = {}
    for row in rows:
        for cell in filled_of(row):
            for one in cell["ratio"]["unlike"] if "ratio" in cell else ():
                common = [value for value in one["of"] if value in one["to"]]
                both.setdefault(one["dimension"], []).extend(common)
    return tuple(_offers(both))


def refused(rows: Iterable[Row], sides: Iterable[SideTold]) -> list[Remark]:
    """Each refusal that a filter mends, once, with the filters.

    What a side is filtered by itself is left to its reader: a filter on all sides would clash.
    """
    meant = {term["dimension"] for side in sides for term in side["where"]}
    found: dict[tuple[str, str], dict[str, list[Value]]] = {}
    for row in rows:
        for cell in filled_of(row):
            refusal = cell.get("no_ratio")
            name = refusal.get("dimension") if refusal else None
            if refusal and name and name not in meant and (values := refusal.get("values")):
                same = found.setdefault((refusal["code"], refusal["text"]), {})
                same.setdefault(name, []).extend(values)
    return [
        Remark(code, f"No ratio. {text}", offers=tuple(_offers(values)))
        for (code, text), values in found.items()
    ]


def _offers(values: dict[str, list[Value]]) -> Iterator[Offer]:
    """Filters to one value each, the commonest first."""
    for name, found in values.items():
        counts = Counter(value for value in found if value is not None)
        for value, _ in counts.most_common(_MOST_OFFERED):
            text = f"{dimension_title(name)}: {value_text(name, value)}"
            yield Offer(text, str(Term(name, Op.IS, value)))
