"""The corpus: every readable result as a row for downloads, in SQL over the data set.

Rows are in the order of the files, so that a reader of one metric reads little.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from macmeter import catalog
from macmeter.platform.plain_text import DISARMED, FORMULA
from macmeter.results.dataset.relations import SETUP
from macmeter.results.dataset.sql import listed, literal

# Version of the columns: changing a column's meaning or removing one needs a new version.
VERSION = "macmeter.corpus/2"

Type = Literal["text", "number", "boolean", "time"]
Source = Literal["setups", "series", "found"]
"""Relation that a column is computed from: once for all rows with the same setup or series."""

MONTH = "format('{:04d}-{:02d}', found.month // 100, found.month % 100)"
"""Month as in documents; NULL if not stated."""

OF_SAMPLES = {
    name: "DOUBLE" if dimension.kind is catalog.Kind.NUMBER else "VARCHAR"
    for name, dimension in catalog.DIMENSIONS.items()
    if dimension.of == "sample"
}
"""SQL types of the dimensions of samples."""

_TYPES: dict[Type, str] = {
    "text": "VARCHAR",
    "number": "DOUBLE",
    "boolean": "BOOLEAN",
    "time": "TIMESTAMPTZ",
}


@dataclass(frozen=True)
class Column:
    """`type` is text, number, boolean or time (RFC 3339, UTC); `sql` gives its value from `of`."""

    name: str
    about: str
    sql: str
    of: Source = "found"
    type: Type = "text"
    unit: str | None = None

    @property
    def typed(self) -> str:
        return f"({self.sql})::{_TYPES[self.type]}"

    @property
    def csv_cell(self) -> str:
        """Format a CSV cell: shortest form of numbers, no text that could be a formula."""
        if self.type == "text":
            formula, disarmed = literal(FORMULA), literal(DISARMED)
            return f"nullif(regexp_replace({self.typed}, {formula}, {disarmed}, 'g'), '')"
        if self.type == "number" and self.of != "found":
            whole = f"TRY_CAST({self.sql} AS BIGINT)"
            return f"if({self.sql} = {whole}, {whole}::VARCHAR, ({self.typed})::VARCHAR)"
        if self.type == "time":
            at = f"strftime(make_timestamp(epoch_us({self.sql})), '%Y-%m-%dT%H:%M:%S.%f')"
            return f"replace({at}, '.000000', '') || '+00:00'"
        return self.sql


def _dimension(name: str, source: Source, about: str = "") -> Column:
    dimension = catalog.DIMENSIONS[name]
    sql = MONTH if name == "month" else f'{source}."{name}"'
    return Column(name, about or dimension.title, sql, source, dimension.kind.value, dimension.unit)


# The fleet's name is private to its members, and the machine has a column of its own.
_OF_RUNS = [
    _dimension(name, "setups" if name in SETUP else "found", dimension.about or "")
    for name, dimension in catalog.DIMENSIONS.items()
    if dimension.of == "run" and name not in ("fleet", "machine")
]


def _cited(name: str, about: str) -> Column:
    return Column(f"citation_{name}", about, f"cited.citation->>'$.{name}'")


def _printed(name: str, about: str) -> Column:
    """Look up the result's entry in the run's JSON object of printed figures."""
    entry = f"cited.printed->>('$.\"' || found.series || '\".{name}')"
    return Column(name, about, f"CASE WHEN cited.printed IS NOT NULL THEN {entry} END")


def _number(name: str, about: str, sql: str) -> Column:
    return Column(name, about, sql, type="number", unit="as in unit")


def _figure(name: str, about: str, several_sql: str) -> Column:
    """Describe a statistic of samples; NULL for several samples if a fleet keeps medians only."""
    sql = f"if(found.samples = 1, found.value, if(found.mean IS NOT NULL, {several_sql}, NULL))"
    return _number(name, about, sql)


def _rounded(name: str) -> str:
    """Round to four digits, since samples are stored as steps of their logarithm."""
    value = f"found.{name}::DOUBLE"
    return f"if(found.{name} > 0, round({value}, 3 - floor(log10({value}))::INTEGER), {value})"


def _below(name: str) -> str:
    """Keep a rounded value from exceeding the median, which is exact."""
    return f"least({_rounded(name)}, found.value)"


def _above(name: str) -> str:
    return f"greatest({_rounded(name)}, found.value)"


_FLAGS = "array_to_string((flags_of->('$.\"' || found.series || '\"'))::VARCHAR[], ' ')"

COLUMNS = (
    Column("run_id", "The run: /api/v1/runs/ID.", "found.run_id"),
    Column(
        "machine_id",
        "One Mac or VM; empty where an article does not name its machine.",
        "if(unspecified, NULL, machines.id)",
    ),
    Column("started_at", "Empty if unknown.", "runs.started_at", type="time"),
    Column("received_at", "When the server received it.", "runs.received_at", type="time"),
    *_OF_RUNS,
    Column(
        "method_version",
        "Version of the method.",
        "setups.method_version",
        of="setups",
        type="number",
    ),
    Column("labels", "A JSON object.", "to_json(setups.labels)", of="setups"),
    _cited("author", "Of a published figure: the article's author."),
    _cited("title", "Of a published figure: the article's title."),
    _cited("publisher", "Of a published figure: the article's publisher."),
    _cited("published", "Of a published figure: the article's date."),
    _cited("row", "Of a published figure: where in the article it is."),
    Column(
        "run_flags",
        "Flags of the whole run, separated by spaces. /api/v1/catalog explains each.",
        "array_to_string(setups.flags, ' ')",
        of="setups",
    ),
    Column("metric", "The metric's name in /api/v1/catalog.", "series.metric", of="series"),
    Column("unit", "The unit of this row's figures, in SI base units.", "series.unit", of="series"),
    *(_dimension(name, "series") for name in OF_SAMPLES),
    Column("samples", "Number of values behind the figures.", "found.samples", type="number"),
    _figure("mean", "Arithmetic mean, to 0.1 %.", _rounded("mean")),
    _figure("min", "Smallest value, to 0.1 %.", _below("least")),
    _figure(
        "p10",
        "10th percentile, interpolated as PostgreSQL's percentile_cont does, to 0.1 %.",
        _below("low"),
    ),
    _figure("p25", "25th percentile, to 0.1 %.", _below("p25")),
    _number("p50", "Median, with every digit: the run's value in answers.", "found.value"),
    _figure("p75", "75th percentile, to 0.1 %.", _above("p75")),
    _figure("p90", "90th percentile, to 0.1 %.", _above("high")),
    _figure("max", "Largest value, to 0.1 %.", _above("greatest")),
    Column(
        "doubtful",
        "Left out of answers unless a question includes flagged results.",
        "found.doubtful",
        type="boolean",
    ),
    Column(
        "flags",
        "Flags of this result alone.",
        f"CASE WHEN flags_of IS NULL THEN '' ELSE coalesce({_FLAGS}, '') END",
    ),
    _printed("printed", "A published figure as printed."),
    _printed("qualifier", "The author's reservation, such as about."),
)


# As machine_id, with an id for those that an article doesn't name, too.
EVERY_MACHINE = Column("machine", "As machine_id, never empty.", "machines.id")


def rows_statement(
    *, as_csv: bool, where: str = "true", columns: Sequence[Column] = COLUMNS
) -> str:
    """Return the statement over the views of `downloads.open_copy`. Its join order matters: the
    relation with a row per run comes first and is narrow, since a million rows are held in memory.

    `where` may use MONTH, `setups.suite`, `series.metric` and `found.series`.
    """
    cells = {column: column.csv_cell if as_csv else column.typed for column in columns}

    def of(source: Source) -> str:
        selected = (column for column in columns if column.of == source)
        return listed(f'{cells[column]} AS "{column.name}"' for column in selected)

    select_list = listed(
        (cells[column] if column.of == "found" else f'{column.of}."{column.name}"')
        + f' AS "{column.name}"'
        for column in columns
    )
    return f"""
        SELECT {select_list} FROM results AS found
        JOIN (SELECT run_id, started_at, received_at FROM runs) AS runs
            ON runs.run_id = found.run_id
        JOIN (SELECT machine, any_value(machine_id) AS id FROM runs GROUP BY machine) AS machines
            ON machines.machine = found.machine
        LEFT JOIN (
            SELECT run_id, citation, printed FROM runs
            WHERE citation IS NOT NULL OR printed IS NOT NULL
        ) AS cited ON cited.run_id = found.run_id
        JOIN (
            SELECT setup, unspecified, flags_of, {of("setups")} FROM setups
        ) AS setups ON setups.setup = found.setup
        JOIN (SELECT series, {of("series")} FROM series) AS series ON series.series = found.series
        WHERE {where}
    """
