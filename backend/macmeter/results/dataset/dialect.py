"""Statements for DuckDB in Spark's dialect, translated by SQLGlot; and relations for both.

In Spark, ids are bytes.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from duckdb import DuckDBPyConnection

from macmeter.platform import spark
from macmeter.platform.spark import Cluster, View
from macmeter.results.dataset.relations import RESULTS, RUNS
from macmeter.results.dataset.wording import listed

_COLUMNS = RUNS | RESULTS


class Files(NamedTuple):
    """Parquet files, and those of their columns that a statement reads."""

    paths: tuple[str, ...]
    schema: str

    def read(self, session: Any) -> Any:
        """Return the files' DataFrame."""
        return session.read.schema(self.schema).parquet(*self.paths)


class Translated(NamedTuple):
    """A statement in Spark's dialect."""

    sql: str
    tables: frozenset[str]
    """Tables and registered relations that it reads."""
    files: Mapping[str, Files]
    """Files by the name that it has for them."""


def translated(statement: str) -> Translated:
    """Translate a statement over the relations."""
    import sqlglot
    from sqlglot import exp

    tree = sqlglot.parse_one(statement, read="duckdb")
    own = {cte.alias for cte in tree.find_all(exp.CTE)}
    tables = frozenset({table.name for table in tree.find_all(exp.Table) if table.name} - own)
    files: dict[str, Files] = {}
    for read in [*tree.find_all(exp.ReadParquet)]:
        select, table = read.find_ancestor(exp.Select), read.parent
        assert select is not None
        assert table is not None
        paths = tuple(path.name for path in read.find_all(exp.Literal))
        found = Files(paths, _schema({name: _COLUMNS[name] for name in select.named_selects}))
        name = f"files_{len(files)}"
        files[name] = found
        table.replace(exp.to_table(name))
    return Translated(tree.transform(_in_spark).sql(dialect="spark"), tables, files)


def _schema(columns: Mapping[str, str]) -> str:
    """Return Spark's schema for columns of DuckDB's types."""
    from sqlglot.expressions import DataType

    # Spark reads ids as they are in files only if they are asked for as bytes.
    types = {name: "BLOB" if kind == "UUID" else kind for name, kind in columns.items()}
    return listed(
        f"{name} {DataType.build(kind, dialect='duckdb').sql('spark')}"
        for name, kind in types.items()
    )


def _in_spark(node: Any) -> Any:
    from sqlglot import exp

    if isinstance(node, exp.Cast) and node.to.is_type("uuid"):
        digits = exp.func("replace", node.this, exp.Literal.string("-"), exp.Literal.string(""))
        return exp.func("unhex", digits)
    if isinstance(node, exp.Anonymous) and node.name.lower() == "hash":
        return exp.func("xxhash64", *node.expressions)
    return node


_TO_BYTES = {"UUID": "unhex(replace({}::VARCHAR, '-', ''))"}
_FROM_BYTES = {
    "BLOB": "hex({})::UUID",
    "BLOB[]": "list_transform({}, lambda one: hex(one)::UUID)",
}


def ask_cluster(
    cluster: Cluster,
    cursor: DuckDBPyConnection,
    statement: str,
    sent: dict[str, View],
    until: float,
) -> DuckDBPyConnection:
    """Run a statement on the cluster, by `until` of the monotonic clock; return its rows as
    DuckDB's. Tables that the cursor's transaction has are `sent` once.
    """
    sql, tables, files = translated(statement)
    sent |= {name: _sent(cursor, name) for name in tables - sent.keys()}
    views = {name: sent[name] for name in tables}
    views |= {name: View(of, of.read) for name, of in files.items()}
    cursor.register("received", spark.ask(cluster, sql, views, until))
    return cursor.execute(_select(cursor, "received", _FROM_BYTES))


def _sent(cursor: DuckDBPyConnection, name: str) -> View:
    found = cursor.sql(_select(cursor, name, _TO_BYTES))
    rows = found.to_arrow_table()
    schema = _schema(dict(zip(found.columns, map(str, found.types), strict=True)))

    def make(session: Any) -> Any:
        # The client can't infer a schema from no rows.
        return session.createDataFrame(*([rows] if len(rows) else [[], schema]))

    return View(object(), make)


def _select(cursor: DuckDBPyConnection, name: str, by_type: Mapping[str, str]) -> str:
    described = cursor.execute(f"FROM {name} LIMIT 0").description or ()
    replaced = [
        f"{by_type[str(kind)].format(column)} AS {column}"
        for column, kind in ((f'"{name}"', kind) for name, kind, *_ in described)
        if str(kind) in by_type
    ]
    return f"SELECT *{f' REPLACE ({listed(replaced)})' if replaced else ''} FROM {name}"
