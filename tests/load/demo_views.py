"""Every view's default question about a whole demo, compared with what was planted in it."""

from __future__ import annotations

from typing import Any

from demo.fleet import fleet
from macmeter.platform.demo import Scale
from support.planted import Planted
from support.views import Asking, rows_of_questions, table
from support.views_beside import rows_beside_questions

from load.whole_demo import served


def figures() -> list[dict[str, Any]]:
    """Count figures, groups and ratios that differ from the planted ones or pool unlike things."""
    with served(Scale()) as (url, mark):
        asking, planted = Asking(url), Planted(fleet(mark.scale, mark.base))
        rows = rows_of_questions(asking, planted) + rows_beside_questions(asking, planted)
    print(table(rows), flush=True)
    wrong = sum(len(row.wrong) for row in rows)
    groups = sum(row.groups for row in rows)
    return [
        {
            "name": "demo.views.wrong",
            "value": wrong,
            "unit": "figures",
            "reference": 0,
            "ratio": float(wrong),
            "n": groups,
        }
    ]
