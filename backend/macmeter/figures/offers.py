"""What a reader is offered: filters that make sides alike, and the ratios of VMs to their hosts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from urllib.parse import urlencode

from macmeter import catalog
from macmeter.answers.answer import QuestionTold
from macmeter.answers.sides import Row, SideTold, filled_of
from macmeter.figures.figure import Offer, Remark
from macmeter.figures.words import dimension_title, value_text
from macmeter.terms import LIKE, MOST_GROUPED, Op, Term, Value

# A reader chooses among so many values of a dimension; the filters have them all.
_MOST_OFFERED = 3
_HOST = Term("virtual", Op.IS, False)
# A VM's disk is compared with its host's storage, whatever that is.
_DISK_OF_VM = Term("storage", Op.IS, "virtual_disk")


def of_hosts(question: QuestionTold) -> str:
    """The question of each VM's ratio to its host; empty where the grouping has no room for it."""
    by = sorted({*question["by"], _HOST.dimension})
    if question["relative_to"] or len(by) > MOST_GROUPED:
        return ""
    of_disks = all(catalog.METRICS[name].suite == "disk" for name in question["metrics"])
    replaced = {_HOST.dimension, *([_DISK_OF_VM.dimension] if of_disks else [])}
    kept = [
        str(Term(**term | {"op": Op(term["op"])}))
        for term in question["where"]
        if term["dimension"] not in replaced
    ]
    lists = {
        "metric": question["metrics"],
        "by": by,
        "where": [*kept, *([str(_DISK_OF_VM)] if of_disks else [])],
        "relative_to": [str(_HOST)],
        "weight": [question["weight"]] if question["weight"] != "machine" else [],
        "flagged": [question["flagged"]] if question["flagged"] != "exclude" else [],
        "version": [str(LIKE)],
    }
    return urlencode(lists, doseq=True, safe=":!.")


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
