"""The data set: all results as relations, which SQL computes answers from.

PostgreSQL is the source of truth; everything here is derived from it and disposable. Parquet files
hold the runs up to a position in the change log (`files`, written by `writer`), tables in memory
hold newer ones (`mirror`), and DuckDB answers from both (`snapshot`). See `relations` for the
columns.
"""
