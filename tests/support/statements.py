"""An answer's statement, run by DuckDB on downloaded files, against the answer."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
from macmeter.catalog.terms import CRUDE

Json = dict[str, Any]
Figures = dict[tuple[Any, ...], tuple[Any, ...]]
Get = Callable[[str], bytes]
"""Content of an address below the server's."""

_COUNTS = ("machines", "runs", "samples", "median")
_KEYS = ("published", "method", "method_version")
_FILE = re.compile(r"read_parquet\('https?://[^/]+(/api/v1/dataset/[^']+)'\)")


def differences(get: Get, question: str, directory: Path) -> list[str]:
    """Say in what the statement differs from the answer: nothing, unless something is wrong."""
    answer = json.loads(get(f"/api/v1/answer?{question}"))
    sql = get(f"/api/v1/answer.sql?{question}").decode()
    rows = rows_of(downloaded(sql, get, directory))
    answer_figures, sql_figures = by_answer(answer), by_statement(answer, rows)
    wrong = [
        f"{key}: {answer_figures.get(key)}, {sql_figures.get(key)}"
        for key in answer_figures.keys() | sql_figures.keys()
        if answer_figures.get(key) != sql_figures.get(key)
    ]
    if "-- 0 runs were newer" not in sql:
        wrong.append("files are older than the answer")
    return wrong + wrong_ratios(answer, rows)


def files_of(sql: str) -> list[str]:
    """Return the paths of the files that a statement names."""
    return _FILE.findall(sql)


def downloaded(sql: str, get: Get, directory: Path) -> str:
    """Download the files that a statement names; return it with their paths instead."""

    def path_of(match: re.Match[str]) -> str:
        path = directory / match[1].replace("/", "-")
        if not path.exists():
            path.write_bytes(get(match[1]))
        return f"read_parquet('{path}')"

    return _FILE.sub(path_of, sql)


def rows_of(sql: str) -> list[Json]:
    with duckdb.connect() as connection:
        result = connection.execute(sql)
        names = [name for name, *_ in result.description or ()]
        return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def by_answer(answer: Json) -> Figures:
    """Counts and medians of an answer's groups."""
    return {
        _key(answer, result["metric"], group["key"], group): tuple(group[name] for name in _COUNTS)
        for result in answer["results"]
        for group in result["groups"]
    }


def by_statement(answer: Json, rows: list[Json]) -> Figures:
    own = [row for row in rows if row["side"] == "figure"]
    figures = {_key(answer, row["metric"], row, row): tuple(row[n] for n in _COUNTS) for row in own}
    assert len(figures) == len(own)
    return figures


def _key(answer: Json, metric: str, by: Json, group: Json) -> tuple[Any, ...]:
    values = (by[name] for name in answer["question"]["by"])
    # True is 1, and text is never a number.
    return (metric, *map(repr, map(_plain, values)), *(group[name] for name in _KEYS))


def _plain(value: Any) -> Any:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return float(value) if is_number else value


def wrong_ratios(answer: Json, rows: list[Json]) -> list[str]:
    """Return the unpaired crude ratios that the medians of the statement don't make."""
    if answer["question"]["version"] != CRUDE:
        return []
    medians = [(row, row["median"]) for row in rows if row["side"] == "reference"]
    wrong = []
    for result in answer["results"]:
        for group in result["groups"]:
            ratio = group.get("ratio")
            if ratio is None or ratio["pairing"] != "unpaired":
                continue
            reference = ratio["reference_key"] | {"metric": result["metric"]}
            reference |= {name: group[name] for name in _KEYS}
            bases = [m for row, m in medians if all(row.get(n) == v for n, v in reference.items())]
            if [group["median"] / m for m in bases] != [ratio["value"]]:
                wrong.append(f"{reference}: {ratio['value']}")
    return wrong
