"""SQL over the public files of a version, for readers to run in their own DuckDB.

Filters and groups are made by the functions that make them for answers; columns are those of the
corpus.
"""

from collections.abc import Sequence
from typing import NamedTuple

from macmeter import catalog
from macmeter.catalog import LABEL_PREFIX
from macmeter.catalog.terms import Flagged, Term
from macmeter.results.dataset.selection import SPLIT
from macmeter.results.dataset.sql import filter_condition, literal, term_condition


class MetricSelection(NamedTuple):
    """Selection of results of one metric. Its name is `figure` or `reference`."""

    name: str
    metric: str
    by: tuple[str, ...]
    where: tuple[Term, ...]
    flagged: Flagged


def figures_statement(
    selections: Sequence[MetricSelection], by: Sequence[str], files_url: str, *, is_by_run: bool
) -> str:
    """Return a statement that computes the groups of all `selections`.

    Its columns are those of the groups' keys, the answer's `machines`, `runs`, `samples` and
    `median`, and `machine_values` with their `models`. `files_url` is the version's address.
    With `is_by_run`, medians are over results instead of machines.
    """
    keys = [*dict.fromkeys(("side", "metric", *map(_quoted_name, by), *SPLIT))]
    machine_columns = _column_list([*dict.fromkeys([*keys, "machine"])])
    results = "  UNION ALL BY NAME\n".join(
        _results(selection, files_url) for selection in selections
    )
    machine_value, group_median = "median(p50)", "median(value)"
    if is_by_run:
        machine_value, group_median = "list(p50)", "list_aggregate(flatten(list(value)), 'median')"
    return f"""\
WITH results AS (
{results}),
machines AS (
  SELECT {machine_columns},
    machine_id IS NOT NULL AS is_named, max(of_model) AS of_model,
    {machine_value} AS value, count(DISTINCT run_id) AS runs, sum(samples) AS samples
  FROM results GROUP BY ALL
),
-- Results without a named machine count only where no machine is named.
counted AS (
  FROM machines
  QUALIFY is_named OR NOT bool_or(is_named) OVER (PARTITION BY {", ".join(keys)})
)
SELECT {_column_list(keys)},
  count(*) FILTER (is_named) AS machines,
  sum(runs)::BIGINT AS runs, sum(samples)::BIGINT AS samples,
  {group_median} AS median,
  list(value ORDER BY value, machine) AS machine_values,
  list(of_model ORDER BY value, machine) AS models
FROM counted GROUP BY {", ".join(keys)}
ORDER BY ALL;
"""


def _results(selection: MetricSelection, files_url: str) -> str:
    conditions = [f"metric = {literal(selection.metric)}"]
    if selection.where:
        conditions.append(filter_condition(selection.where, _term_condition))
    if selection.flagged == "exclude":
        conditions.append("NOT doubtful")
    columns = {
        "side": literal(selection.name),
        "metric": "metric",
        **{_quoted_name(name): _corpus_column(name) for name in selection.by},
        **SPLIT,
        "machine": "machine",
        "of_model": "model",
    }
    selected = [of if of == name else f"{of} AS {name}" for name, of in columns.items()]
    return f"""\
  SELECT {_column_list(selected)},
    machine_id, run_id, samples, p50
  FROM read_parquet({literal(f"{files_url}/{selection.metric}.parquet")})
  WHERE {" AND ".join(conditions)}
"""


def _column_list(columns: Sequence[str]) -> str:
    """Join columns with commas, five to a line."""
    lines = [", ".join(columns[start : start + 5]) for start in range(0, len(columns), 5)]
    return ",\n    ".join(lines)


def _term_condition(term: Term) -> str:
    return term_condition(term, _corpus_column(term.dimension))


def _corpus_column(name: str) -> str:
    """Return the expression for a dimension over the columns of the corpus."""
    if name.startswith(LABEL_PREFIX):
        key = name.removeprefix(LABEL_PREFIX).replace("~", "~0").replace("/", "~1")
        return f"json_extract_string(labels, {literal(f'/{key}')})"
    return name


def _quoted_name(name: str) -> str:
    return name if name in catalog.DIMENSIONS else '"' + name.replace('"', '""') + '"'
