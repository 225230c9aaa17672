"""A run's rank in sentences, the same on the page and in the agent's last lines."""

from collections.abc import Iterator
from dataclasses import dataclass

from macmeter import catalog
from macmeter.catalog import Role
from macmeter.charts import numbers, words
from macmeter.charts.figure import beside
from macmeter.documents.methods import FULL, RANKED_SIZES
from macmeter.platform.schema import exact
from macmeter.schemas.machines import Rank, Ranks

_UNRANKED = {
    "published": "A figure from an article has no rank among Macs.",
    "storage": "Only internal storage and drives on Thunderbolt, USB or an SD card have a rank.",
}


@exact
@dataclass(frozen=True, slots=True, kw_only=True)
class RanksResponse(Ranks):
    """`lines` are sentences: one for each rank, or why there is none. `basis` says what the
    ranks compare, and `full_test` what the full test adds to a quick one.
    """

    lines: list[str]
    basis: str | None
    full_test: str | None


def render_ranks(found: Ranks) -> RanksResponse:
    return beside(
        RanksResponse,
        found,
        lines=[*_lines(found)],
        basis=_basis() if found.ranks else None,
        full_test=_full_test() if found.quick else None,
    )


def _lines(found: Ranks) -> Iterator[str]:
    if found.flag is not None:
        yield f"No rank: this run {catalog.flag(found.flag).sentence}."
    elif found.unranked == "sizes":
        yield f"No rank: this run has no trusted speed of each file size from {_ranked_files()}."
    elif found.unranked is not None:
        yield _UNRANKED[found.unranked]
    for rank in found.ranks:
        yield _sentence(rank)


def _basis() -> str:
    return (
        f"By the median over files of {_ranked_files()}, among public runs. Each Mac counts once."
    )


def _ranked_files() -> str:
    """Format "40 to 200 MB"."""
    scale = numbers.scale_for("B", RANKED_SIZES)
    low, high = (numbers.plain(of(RANKED_SIZES) / scale.divisor) for of in (min, max))
    return f"{low} to {numbers.with_unit(high, scale.symbol)}"


def _full_test() -> str:
    largest, written = (numbers.nominal(size, "B") for size in (max(FULL.sizes), FULL.written))
    return (
        f"The full test adds files up to {largest}, {FULL.sets} of each size, and averages over "
        f"all of them. It writes {written}."
    )


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
