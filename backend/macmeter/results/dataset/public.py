"""Statements over the files of a version, for readers and their own DuckDB.

Filters, and what is never mixed, are worded by what words them for answers; columns are those of
the corpus.
"""

from collections.abc import Sequence
from typing import NamedTuple

from macmeter import catalog
from macmeter.catalog import LABEL_PREFIX
from macmeter.catalog.terms import Flagged, Term
from macmeter.results.dataset.found import SPLIT
from macmeter.results.dataset.wording import holds, literal, matching


class Side(NamedTuple):
    """Results of one metric, named `figure` or `reference`."""

    name: str
    metric: str
    by: tuple[str, ...]
    where: tuple[Term, ...]
    flagged: Flagged


def figures(sides: Sequence[Side], by: Sequence[str], files: str, *, is_by_run: bool) -> str:
    """Return the statement of all sides' groups. Its columns are those of the groups' keys, the
    answer's `machines`, `runs`, `samples` and `median`, and `machine_values` with their `models`.

    `files` is the version's address. With `is_by_run`, medians are over results.
    """
    keys = [*dict.fromkeys(("side", "metric", *map(_quoted, by), *SPLIT))]
    of_each = _lines([*dict.fromkeys([*keys, "machine"])])
    results = "  UNION ALL BY NAME\n".join(_results(side, files) for side in sides)
    of_machine, of_group = "median(p50)", "median(value)"
    if is_by_run:
        of_machine, of_group = "list(p50)", "list_aggregate(flatten(list(value)), 'median')"
    return f"""\
WITH results AS (
{results}),
machines AS (
  SELECT {of_each},
    machine_id IS NOT NULL AS is_named, max(of_model) AS of_model,
    {of_machine} AS value, count(DISTINCT run_id) AS runs, sum(samples) AS samples
  FROM results GROUP BY ALL
),
-- Results without a named machine count only where no machine is named.
counted AS (
  FROM machines
  QUALIFY is_named OR NOT bool_or(is_named) OVER (PARTITION BY {", ".join(keys)})
)
SELECT {_lines(keys)},
  count(*) FILTER (is_named) AS machines,
  sum(runs)::BIGINT AS runs, sum(samples)::BIGINT AS samples,
  {of_group} AS median,
  list(value ORDER BY value, machine) AS machine_values,
  list(of_model ORDER BY value, machine) AS models
FROM counted GROUP BY {", ".join(keys)}
ORDER BY ALL;
"""


def _results(side: Side, files: str) -> str:
    conditions = [f"metric = {literal(side.metric)}"]
    if side.where:
        conditions.append(matching(side.where, _holds))
    if side.flagged == "exclude":
        conditions.append("NOT doubtful")
    columns = {
        "side": literal(side.name),
        "metric": "metric",
        **{_quoted(name): _expression(name) for name in side.by},
        **SPLIT,
        "machine": "machine",
        "of_model": "model",
    }
    told = [of if of == name else f"{of} AS {name}" for name, of in columns.items()]
    return f"""\
  SELECT {_lines(told)},
    machine_id, run_id, samples, p50
  FROM read_parquet({literal(f"{files}/{side.metric}.parquet")})
  WHERE {" AND ".join(conditions)}
"""


def _lines(columns: Sequence[str]) -> str:
    """Separate columns by commas, some to a line."""
    lines = [", ".join(columns[start : start + 5]) for start in range(0, len(columns), 5)]
    return ",\n    ".join(lines)


def _holds(term: Term) -> str:
    return holds(term, _expression(term.dimension))


def _expression(name: str) -> str:
    """Return the column of the corpus that has a dimension."""
    if name.startswith(LABEL_PREFIX):
        key = name.removeprefix(LABEL_PREFIX).replace("~", "~0").replace("/", "~1")
        return f"json_extract_string(labels, {literal(f'/{key}')})"
    return name


def _quoted(name: str) -> str:
    return name if name in catalog.DIMENSIONS else '"' + name.replace('"', '""') + '"'
