"""Every result that somebody may read, a line each: what downloads hold, as SQL over the data set.

Lines come in the order in which results lie in files: whoever looks for one metric reads little.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from macmeter import catalog
from macmeter.dataset.frozen import OF_SAMPLES
from macmeter.dataset.relations import SETUP
from macmeter.dataset.wording import listed, literal
from macmeter.plain_text import DISARMED, FORMULA

# Names this list of columns: another meaning of a column, or one less, is another version.
VERSION = "macmeter.corpus/2"

Type = Literal["text", "number", "boolean", "time"]
Source = Literal["setups", "series", "found"]
"""What a column is worked out from: once for all lines with the same setup or series."""

MONTH = "format('{:04d}-{:02d}', found.month // 100, found.month % 100)"
"""As documents write it; NULL: not stated."""

_TYPES: dict[Type, str] = {
    "text": "VARCHAR",
    "number": "DOUBLE",
    "boolean": "BOOLEAN",
    "time": "TIMESTAMPTZ",
}


@dataclass(frozen=True)
class Column:
    """`type` is text, number, boolean or time (RFC 3339, UTC); `sql` its value among `of`."""

    name: str
    type: Type
    unit: str | None
    about: str
    of: Source
    sql: str

    @property
    def typed(self) -> str:
        return f"({self.sql})::{_TYPES[self.type]}"

    @property
    def written(self) -> str:
        """Format a cell of CSV: numbers as short as they are, and no text that is a formula."""
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


def _dimension(name: str, of: Source, about: str = "") -> Column:
    dimension = catalog.DIMENSIONS[name]
    about = about or dimension.title
    sql = MONTH if name == "month" else f'{of}."{name}"'
    return Column(name, dimension.kind.value, dimension.unit, about, of, sql)


# The fleet's name is its members' business, and the machine has a column of its own.
_OF_RUNS = [
    _dimension(name, "setups" if name in SETUP else "found", dimension.about or "")
    for name, dimension in catalog.DIMENSIONS.items()
    if dimension.of == "run" and name not in ("fleet", "machine")
]


def _cited(name: str, about: str) -> Column:
    return Column(f"citation_{name}", "text", None, about, "found", f"cited.citation->>'$.{name}'")


def _of_result(said: str, name: str) -> str:
    """What a JSON object of a setup or run has by series."""
    return f"CASE WHEN {said} IS NOT NULL THEN {said}->>('$.\"' || found.series || '\"{name}') END"


def _printed(name: str, about: str) -> Column:
    return Column(name, "text", None, about, "found", _of_result("cited.printed", f".{name}"))


def _figure(name: str, about: str, of_several: str) -> Column:
    """Where a fleet keeps medians alone nothing else is known of several samples."""
    sql = f"if(found.samples = 1, found.value, if(found.mean IS NOT NULL, {of_several}, NULL))"
    return Column(name, "number", "as in unit", about, "found", sql)


def _rounded(name: str) -> str:
    """To the four digits of `stats.spread`: samples are stored in steps of their logarithm."""
    of = f"found.{name}::DOUBLE"
    return f"if(found.{name} > 0, round({of}, 3 - floor(log10({of}))::INTEGER), {of})"


def _below(name: str) -> str:
    """Rounding puts nothing beyond the median, which is exact."""
    return f"least({_rounded(name)}, found.value)"


def _above(name: str) -> str:
    return f"greatest({_rounded(name)}, found.value)"


_FLAGS = "array_to_string((flags_of->('$.\"' || found.series || '\"'))::VARCHAR[], ' ')"

COLUMNS = (
    Column("run_id", "text", None, "The run: /api/v1/runs/ID.", "found", "found.run_id"),
    Column(
        "machine_id",
        "text",
        None,
        "One Mac or VM; empty where an article does not name its machine.",
        "found",
        "if(unspecified, NULL, machines.id)",
    ),
    Column("started_at", "time", None, "Empty if unknown.", "found", "runs.started_at"),
    Column(
        "received_at", "time", None, "When the server received it.", "found", "runs.received_at"
    ),
    *_OF_RUNS,
    Column(
        "method_version",
        "number",
        None,
        "Version of the method.",
        "setups",
        "setups.method_version",
    ),
    Column("labels", "text", None, "A JSON object.", "setups", "to_json(setups.labels)"),
    _cited("author", "Of a published figure: the article's author."),
    _cited("title", "Of a published figure: the article's title."),
    _cited("publisher", "Of a published figure: the article's publisher."),
    _cited("published", "Of a published figure: the article's date."),
    _cited("row", "Of a published figure: where in the article it is."),
    Column(
        "run_flags",
        "text",
        None,
        "Flags of the whole run, separated by spaces. /api/v1/catalog explains each.",
        "setups",
        "array_to_string(setups.flags, ' ')",
    ),
    Column(
        "metric", "text", None, "The metric's name in /api/v1/catalog.", "series", "series.metric"
    ),
    Column(
        "unit",
        "text",
        None,
        "The unit of this row's figures, in SI base units.",
        "series",
        "series.unit",
    ),
    *(_dimension(name, "series") for name in OF_SAMPLES),
    Column(
        "samples", "number", None, "Number of values behind the figures.", "found", "found.samples"
    ),
    _figure("mean", "Arithmetic mean, to 0.1 %.", _rounded("mean")),
    _figure("min", "Smallest value, to 0.1 %.", _below("least")),
    _figure(
        "p10",
        "10th percentile, interpolated as PostgreSQL's percentile_cont does, to 0.1 %.",
        _below("low"),
    ),
    _figure("p25", "25th percentile, to 0.1 %.", _below("p25")),
    Column(
        "p50",
        "number",
        "as in unit",
        "Median, with every digit: the run's value in answers.",
        "found",
        "found.value",
    ),
    _figure("p75", "75th percentile, to 0.1 %.", _above("p75")),
    _figure("p90", "90th percentile, to 0.1 %.", _above("high")),
    _figure("max", "Largest value, to 0.1 %.", _above("greatest")),
    Column(
        "doubtful",
        "boolean",
        None,
        "Left out of answers unless a question includes flagged results.",
        "found",
        "found.doubtful",
    ),
    Column(
        "flags",
        "text",
        None,
        "Flags of this result alone.",
        "found",
        f"CASE WHEN flags_of IS NULL THEN '' ELSE coalesce({_FLAGS}, '') END",
    ),
    _printed("printed", "A published figure as printed."),
    _printed("qualifier", "The author's reservation, such as about."),
)


def lines(*, as_csv: bool, where: str = "true") -> str:
    """The statement over the views of `frozen.opened`, which joins as it is written here: what is
    there for each run first and narrow, as a million are held in memory.

    `where` may name MONTH and `setups.suite`.
    """

    def of(source: Source) -> str:
        return listed(
            f'{column.written if as_csv else column.typed} AS "{column.name}"'
            for column in COLUMNS
            if column.of == source
        )

    own = {
        column.name: column.written if as_csv else column.typed
        for column in COLUMNS
        if column.of == "found"
    }
    told = listed(
        f"{own.get(column.name, column.of + '.' + _quoted(column.name))} AS {_quoted(column.name)}"
        for column in COLUMNS
    )
    return f"""
        SELECT {told} FROM results AS found
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


def _quoted(name: str) -> str:
    return f'"{name}"'
