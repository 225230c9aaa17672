"""A run's rank in sentences, the same on the page and in the agent's last lines."""

from collections.abc import Iterator
from dataclasses import dataclass

from macmeter import catalog
from macmeter.catalog import Role
from macmeter.charts import numbers, words
from macmeter.charts.figure import beside
from macmeter.platform.schema import exact
from macmeter.schemas.machines import Rank, Ranks

_UNRANKED = {
    "published": "A figure from an article has no rank among Macs.",
    "storage": "Only internal storage and drives on Thunderbolt, USB or an SD card have a rank.",
    "sizes": "No rank: this run has no trusted speed of each file size from 40 to 200 MB.",
}


@exact
@dataclass(frozen=True, slots=True, kw_only=True)
class RanksResponse(Ranks):
    """`lines` are sentences: one for each rank, or why there is none."""

    lines: list[str]


def render_ranks(found: Ranks) -> RanksResponse:
    return beside(RanksResponse, found, lines=[*_lines(found)])


def _lines(found: Ranks) -> Iterator[str]:
    if found.flag is not None:
        yield f"No rank: this run {catalog.flag(found.flag).sentence}."
    elif found.unranked is not None:
        yield _UNRANKED[found.unranked]
    for rank in found.ranks:
        yield _sentence(rank)


def _sentence(rank: Rank) -> str:
    storage = words.value_text("storage", rank.storage)
    inside = f"This Mac’s {words.uncapitalised(storage)}"
    drive = f"The drive on {storage}" if rank.among == "link" else inside
    does = "writes" if Role.WRITES in catalog.METRICS[rank.metric].roles else "reads"
    return f"{drive} {does} {numbers.quantity(rank.value, rank.unit)}{_place(rank)}"


def _place(rank: Rank) -> str:
    others = f"other {rank.name}"
    if rank.percentile is None:
        return f". No percentile yet: it needs {rank.minimum} {others}, and {_having(rank.macs)}."
    count = f"{numbers.fixed(rank.macs, 0)} {others}"
    if rank.percentile in (0, 100):
        than = f"{'slower' if rank.percentile == 0 else 'faster'} than all {count}"
    else:
        # Never all or none of them by rounding.
        share = min(max(rank.percentile, 1), 99) / 100
        than = f"faster than {numbers.whole_percent(share)} of {count}"
    return f": {than}.{_of_model(rank)}"


def _having(macs: int) -> str:
    """Format "none has measured this", "4 have measured this"."""
    return f"{macs or 'none'} {'have' if macs > 1 else 'has'} measured this"


def _of_model(rank: Rank) -> str:
    """Say how many are of the run's model, if they were too few."""
    if rank.of_model is None:
        return ""
    count = f"Only {rank.of_model}" if rank.of_model else "None"
    return f" {count} of them {'are' if rank.of_model > 1 else 'is'} {rank.model}."
