"""Every view's default question, and 60 random ones, about a whole demo: the answer's statement
gives its digits, run by DuckDB on the downloaded files.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
from macmeter import catalog
from macmeter.platform.demo import Scale
from support.statements import Get, differences
from support.views import default_questions

from load.whole_demo import served

RANDOM = 60
_TIMES = 10


def figures() -> list[dict[str, Any]]:
    """Count questions whose statement gives other groups, counts or medians."""
    with served(Scale()) as (url, _):
        wrong, count = compared(url)
    return [
        {
            "name": "demo.statements.wrong",
            "value": wrong,
            "unit": "questions",
            "reference": 0,
            "ratio": float(wrong),
            "n": count,
        }
    ]


def compared(url: str) -> tuple[int, int]:
    """Print each question with its differences; return how many have any, of how many."""

    def get(path: str) -> bytes:
        for _ in range(_TIMES):
            response = httpx.get(url + path, timeout=120)
            if response.status_code != 503:  # busy
                break
            time.sleep(2)
        response.raise_for_status()
        return response.content

    defaults = default_questions()
    all_questions = [view["question"] for view in defaults["views"]] + [*random_questions(get)]
    wrong = 0
    with tempfile.TemporaryDirectory() as directory:
        for question in all_questions:
            faults = differences(get, question, Path(directory))
            wrong += bool(faults)
            print(f"{question}: {'; '.join(faults) or 'the same'}", flush=True)
    return wrong, len(all_questions)


def random_questions(get: Get, seed: int = 1) -> Iterator[str]:
    """Questions that the server accepts and that have an answer, of what it knows."""
    dice, count = random.Random(seed), 0
    while count < RANDOM:
        question = _question(get, dice)
        try:
            answer = json.loads(get(f"/api/v1/answer?{question}"))
        except httpx.HTTPStatusError as error:
            if error.response.status_code != 422:
                raise
            continue
        if any(result["groups"] for result in answer["results"]):
            count += 1
            yield question


def _question(get: Get, dice: random.Random) -> str:
    metrics = dice.sample([*catalog.METRICS], dice.choice((1, 1, 1, 2)))
    required = {name for metric in metrics for name in catalog.METRICS[metric].required}
    query = "&".join(f"metric={metric}" for metric in metrics)
    facets = json.loads(get(f"/api/v1/facets?{query}"))["dimensions"]
    values = {
        facet["name"]: [value["value"] for value in facet["values"]]
        for facet in facets
        if facet["name"] != "fleet" and facet["values"]
    }
    by = {*required, *dice.sample([*values], min(len(values), dice.choice((0, 1, 1, 2))))}
    query += "".join(f"&by={quote(name)}" for name in sorted(by))
    for name in dice.sample([*values], min(len(values), dice.choice((0, 1, 1, 2)))):
        value, sign = dice.choice(values[name]), dice.choice(("", "", "!"))
        written = "" if value is None else str(value).lower() if isinstance(value, bool) else value
        query += f"&where={quote(f'{name}{sign}:{written}')}"
    if "storage" in by and dice.random() < 0.3:
        query += "&relative_to=storage:internal"
    if dice.random() < 0.2:
        query += "&flagged=include"
    return query + ("&weight=run" if dice.random() < 0.2 else "")


if __name__ == "__main__":
    print(compared(sys.argv[1]))
