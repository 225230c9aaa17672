"""A run's rank in sentences, the same on the page and in the agent's last lines."""

from collections.abc import Iterator
from dataclasses import dataclass

from macmeter import catalog
from macmeter.catalog import Role
from macmeter.charts import numbers, words
from macmeter.charts.figure import with_fields
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


def render_ranks(ranks: Ranks) -> RanksResponse:
    return with_fields(
        RanksResponse,
        ranks,
        lines=[*_lines(ranks)],
        basis=_basis() if ranks.ranks else None,
        full_test=_full_test() if ranks.quick else None,
    )


def _lines(ranks: Ranks) -> Iterator[str]:
    if ranks.flag is not None and not ranks.ranks:
        yield f"No rank: this run {catalog.flag(ranks.flag).sentence}."
    elif ranks.unranked == "sizes":
        yield f"No rank: this run has no trusted speed of each file size from {_ranked_files()}."
    elif ranks.unranked is not None:
        yield _UNRANKED[ranks.unranked]
    for rank in ranks.ranks:
        yield _sentence(rank)
    if ranks.flag is not None and ranks.ranks:
        other = "reads" if _writes(ranks.ranks[0]) else "writes"
        yield f"No rank of how it {other}: this run {catalog.flag(ranks.flag).sentence}."


def _basis() -> str:
    return (
        f"By the median over files of {_ranked_files()}, among public runs. Each Mac counts once."
    )


def _ranked_files() -> str:
    """Format "40 to 200 MB"."""
    scale = numbers.scale_for("B", RANKED_SIZES)
    low, high = (numbers.plain(bound(RANKED_SIZES) / scale.divisor) for bound in (min, max))
    return f"{low} to {numbers.with_unit(high, scale.symbol)}"


def _full_test() -> str:
    largest, written = (numbers.nominal(size, "B") for size in (max(FULL.sizes), FULL.written))
    return (
        f"The full test adds files up to {largest}, {FULL.sets} of each size, and averages over "
        f"all of them. It writes {written}."
    )


def _sentence(rank: Rank) -> str:
    lead = f"{ranked_drive(rank, 'This Mac’s')} {measured_speed(rank)}"
    than = faster_than(rank)
    if than:
        return f"{lead}: {than}.{model_sentence(rank)}"
    others, measured = f"other {rank.name}", macs_measured(rank.macs)
    return f"{lead}. No percentile yet: it needs {rank.minimum} {others}, and {measured}."


def _writes(rank: Rank) -> bool:
    return Role.WRITES in catalog.METRICS[rank.metric].roles


def measured_speed(rank: Rank) -> str:
    """Format "writes 2.30 GB/s with files of 40 to 200 MB", not to be taken for the whole run's."""
    verb, speed = "writes" if _writes(rank) else "reads", numbers.quantity(rank.value, rank.unit)
    return f"{verb} {speed} with files of {_ranked_files()}"


def ranked_drive(rank: Rank, owner: str) -> str:
    """Format "This Mac’s internal SSD", "The drive on USB4"."""
    storage = words.value_text("storage", rank.storage)
    if rank.among == "link":
        return f"The drive on {storage}"
    return f"{owner} {words.uncapitalised(storage)}"


def faster_than(rank: Rank) -> str:
    """Format "faster than 62 % of 41 other Macs with M2"; empty if there are too few."""
    if rank.percentile is None:
        return ""
    count = f"{numbers.fixed(rank.macs, 0)} other {rank.name}"
    return comparison(rank.percentile / 100, count, ("faster than", "slower than"))


def comparison(share: float, count: str, sides: tuple[str, str]) -> str:
    """Format "faster than 62 % of 41 other Macs", "slower than all 41 other Macs"."""
    if share in (0, 1):
        return f"{sides[share == 0]} all {count}"
    # Never all or none of them by rounding.
    return f"{sides[0]} {numbers.whole_percent(min(max(share, 0.01), 0.99))} of {count}"


def macs_measured(macs: int) -> str:
    """Format "none has measured this", "4 have measured this"."""
    return f"{macs or 'none'} {'have' if macs > 1 else 'has'} measured this"


def model_sentence(rank: Rank) -> str:
    """Format " Only 3 of them are Mac16,11."; empty if there were enough of the run's model."""
    if rank.of_model is None:
        return ""
    count = f"Only {rank.of_model}" if rank.of_model else "None"
    return f" {count} of them {'are' if rank.of_model > 1 else 'is'} {rank.model}."
