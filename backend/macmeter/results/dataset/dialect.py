"""Runs DuckDB's statements on a Spark cluster: SQLGlot translates them into Spark's dialect.

Tables and results are passed between the two. In Spark, ids are bytes.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from duckdb import DuckDBPyConnection

from macmeter.platform import spark
from macmeter.platform.spark import Cluster, View
from macmeter.results.dataset.relations import RESULTS, RUNS
from macmeter.results.dataset.sql import listed

_COLUMNS = RUNS | RESULTS


class ParquetFiles(NamedTuple):
    """Parquet files, and the schema of the columns that a statement reads from them."""

    paths: tuple[str, ...]
    schema: str

    def read(self, session: Any) -> Any:
        """Return the files' DataFrame."""
        return session.read.schema(self.schema).parquet(*self.paths)


class SparkStatement(NamedTuple):
    """A statement in Spark's dialect."""

    sql: str
    tables: frozenset[str]
    """Tables and registered relations that it reads."""
    files: Mapping[str, ParquetFiles]
    """Parquet files that it reads, by their name in the statement."""


def translate(statement: str) -> SparkStatement:
    """Translate a statement for DuckDB over the data set's relations."""
    import sqlglot
    from sqlglot import exp

    tree = sqlglot.parse_one(statement, read="duckdb")
    ctes = {cte.alias for cte in tree.find_all(exp.CTE)}
    tables = frozenset({table.name for table in tree.find_all(exp.Table) if table.name} - ctes)
    files: dict[str, ParquetFiles] = {}
    for read in [*tree.find_all(exp.ReadParquet)]:
        select, table = read.find_ancestor(exp.Select), read.parent
        assert select is not None
        assert table is not None
        paths = tuple(path.name for path in read.find_all(exp.Literal))
        schema = _schema({name: _COLUMNS[name] for name in select.named_selects})
        name = f"files_{len(files)}"
        files[name] = ParquetFiles(paths, schema)
        table.replace(exp.to_table(name))
    return SparkStatement(tree.transform(_spark_node).sql(dialect="spark"), tables, files)


def _schema(columns: Mapping[str, str]) -> str:
    """Return Spark's schema for columns of DuckDB's types."""
    from sqlglot.expressions import DataType

    # Spark reads ids as they are in files only if they are asked for as bytes.
    types = {name: "BLOB" if kind == "UUID" else kind for name, kind in columns.items()}
    return listed(
        f"{name} {DataType.build(kind, dialect='duckdb').sql('spark')}"
        for name, kind in types.items()
    )


def _spark_node(node: Any) -> Any:
    from sqlglot import exp

    if isinstance(node, exp.Cast) and node.to.is_type("uuid"):
        digits = exp.func("replace", node.this, exp.Literal.string("-"), exp.Literal.string(""))
        return exp.func("unhex", digits)
    if isinstance(node, exp.Anonymous) and node.name.lower() == "hash":
        return exp.func("xxhash64", *node.expressions)
    return node


_UUIDS_TO_BYTES = {"UUID": "unhex(replace({}::VARCHAR, '-', ''))"}
_BYTES_TO_UUIDS = {
    "BLOB": "hex({})::UUID",
    "BLOB[]": "list_transform({}, lambda one: hex(one)::UUID)",
}


def ask_cluster(
    cluster: Cluster,
    cursor: DuckDBPyConnection,
    statement: str,
    sent_views: dict[str, View],
    until: float,
) -> DuckDBPyConnection:
    """Run a statement on the cluster, by `until` of the monotonic clock; return its rows in DuckDB.

    Tables that the cursor's transaction has are sent once, and then kept in `sent_views`.
    """
    sql, tables, files = translate(statement)
    sent_views |= {name: _view_of(cursor, name) for name in tables - sent_views.keys()}
    views = {name: sent_views[name] for name in tables}
    views |= {name: View(parquet, parquet.read) for name, parquet in files.items()}
    cursor.register("received", spark.ask(cluster, sql, views, until))
    return cursor.execute(_converting_select(cursor, "received", _BYTES_TO_UUIDS))


def _view_of(cursor: DuckDBPyConnection, name: str) -> View:
    relation = cursor.sql(_converting_select(cursor, name, _UUIDS_TO_BYTES))
    rows = relation.to_arrow_table()
    schema = _schema(dict(zip(relation.columns, map(str, relation.types), strict=True)))

    def make_frame(session: Any) -> Any:
        # The client can't infer a schema from no rows.
        return session.createDataFrame(*([rows] if len(rows) else [[], schema]))

    return View(object(), make_frame)


def _converting_select(
    cursor: DuckDBPyConnection, name: str, conversions: Mapping[str, str]
) -> str:
    columns = cursor.execute(f"FROM {name} LIMIT 0").description or ()
    replacements = [
        f"{conversions[str(kind)].format(column)} AS {column}"
        for column, kind in ((f'"{name}"', kind) for name, kind, *_ in columns)
        if str(kind) in conversions
    ]
    return f"SELECT *{f' REPLACE ({listed(replacements)})' if replacements else ''} FROM {name}"
