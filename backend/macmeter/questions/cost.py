"""Limits on the cost of a question; refusals say what to narrow.

A retry would fail too, so the status is 422.
"""

from collections.abc import Collection, Sequence
from typing import Any

from macmeter.platform.errors import too_costly
from macmeter.schemas.answer import Answer
from macmeter.schemas.sides import Compared, compares_sides

# Per metric: nobody reads longer tables, and each group takes half a millisecond.
MAX_GROUPS = 2_000
# Per metric: more would exceed the time limit.
MAX_RESULTS = 60_000_000
# Per picture: more would be taller than viewers can show.
MAX_DRAWN = 1_000


def require_few_groups(by: Sequence[str], keys: Collection[Sequence[Any]]) -> None:
    """Raise 422 if an answer has too many groups; each key begins with the values of `by`."""
    if len(keys) <= MAX_GROUPS:
        return
    what = f"This covers {len(keys):,} groups; an answer has at most {MAX_GROUPS:,}."
    if not by:
        raise too_costly(f"{what} Add a filter.", "?where")
    counts = {name: len({key[index] for key in keys}) for index, name in enumerate(by)}
    widest = max(counts, key=lambda name: counts[name])
    advice = f"{widest} has {counts[widest]:,} values: filter it, or group by fewer dimensions."
    raise too_costly(f"{what} {advice}", "?by")


def require_few_results(results: int) -> None:
    """Raise 422 if an answer needs more results than the limit."""
    if results > MAX_RESULTS:
        detail = f"This covers about {results:,} results; an answer looks at {MAX_RESULTS:,}."
        raise too_costly(f"{detail} Add a filter, such as one file size.", "?where")


def require_drawable(response: Answer | Compared) -> None:
    """Raise 422 if an answer, or a comparison of sides, has too many figures for a picture."""
    if compares_sides(response):
        figures = sum(len(row["cells"]) for row in response["rows"])
    else:
        figures = sum(len(result["groups"]) for result in response["results"])
    if figures > MAX_DRAWN:
        detail = (
            f"A picture shows at most {MAX_DRAWN:,} figures, not {figures:,}. Add a filter, "
            "or request the answer as JSON or CSV."
        )
        raise too_costly(detail, "?where")
