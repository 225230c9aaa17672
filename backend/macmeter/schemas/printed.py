"""Published figures of a group, one by one, because nobody printed their median."""

from collections.abc import Iterable, Iterator
from typing import cast

from macmeter import catalog
from macmeter.schemas.answer import Group, PrintedResult

_STATISTICS = ("median", "p10", "p25", "p75", "p90", "min", "max", "mean")


def each_printed(groups: Iterable[Group], most: int | None = None) -> Iterator[Group]:
    """Yield groups, and one for each figure of a published group that has several different ones.

    A group of more than `most` figures stays whole. So does one with a ratio, which is of all of
    it.
    """
    for group in groups:
        figures = group.get("figures") or []
        if not figures or "ratio" in group or (most is not None and len(figures) > most):
            yield group
        else:
            yield from (_alone(group, figure) for figure in figures)


def _alone(group: Group, figure: PrintedResult) -> Group:
    found = {
        **group,
        **dict.fromkeys(_STATISTICS, figure["value"]),
        "printed": [figure["printed"]] if "printed" in figure else [],
        "machines": min(group["machines"], 1),
        "runs": 1,
        "samples": 1,
        "mixes": [],
        "citations": [figure["citation"]] if "citation" in figure else [],
        "run_ids": [figure["run_id"]],
        "flags": [
            {"code": code, "severity": catalog.flag(code).severity, "runs": 1}
            for code in figure["flags"]
        ],
        "figures": [figure],
    }
    for name in ("spread", "ci_low", "ci_high", "interval", "qualifier"):
        found.pop(name, None)
    if "qualifier" in figure:
        found["qualifier"] = figure["qualifier"]
    return cast(Group, found)
