"""What one question may cost: beyond it, it is refused with what to narrow.

The same question would be too large tomorrow, too, so it is 422 and no "try again".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from macmeter.errors import Problem, too_costly

# Of one metric: no table of more is read by anybody, and each takes half a millisecond.
MAX_GROUPS = 2_000
# Of one metric: a machine's measurements under one set of conditions.
MAX_CELLS = 100_000
# In one picture: it would be higher than any viewer shows.
MAX_DRAWN = 1_000


def require_few(by: Sequence[str], rows: Sequence[Sequence[Any]], key_length: int) -> None:
    """422 where `rows`, each beginning with the values of `by`, are of too many groups or cells.

    A group's key is the first `key_length` values. `rows` may be one more than MAX_CELLS.
    """
    if len(rows) > MAX_CELLS:
        raise _refused(by, rows, f"more than {MAX_CELLS:,} machines and setups")
    groups = len({tuple(row[:key_length]) for row in rows})
    if groups > MAX_GROUPS:
        raise _refused(by, rows, f"{groups:,} groups; at most {MAX_GROUPS:,} are answered at once")


def require_drawable(found: dict[str, Any]) -> None:
    """422 where an answer, or sides beside one another, has more figures than a picture shows."""
    figures = sum(len(result["groups"]) for result in found.get("results", ()))
    figures += sum(len(row["cells"]) for row in found.get("rows", ()))
    if figures > MAX_DRAWN:
        detail = (
            f"A picture shows at most {MAX_DRAWN:,} figures, not {figures:,}: add a filter, "
            "or ask for the answer as JSON or CSV."
        )
        raise too_costly(detail, "?where")


def _refused(by: Sequence[str], rows: Sequence[Sequence[Any]], what: str) -> Problem:
    if not by:
        return too_costly(f"This covers {what}: add a filter.", "?where")
    counts = {name: len({row[place] for row in rows}) for place, name in enumerate(by)}
    widest = max(counts, key=lambda name: counts[name])
    advice = f"{widest} has {counts[widest]:,} values: filter by it, or group by less."
    return too_costly(f"This covers {what}. {advice}", "?by")
