"""The data set: what was measured as relations, from which answers are worked out in SQL.

PostgreSQL is the truth; everything here is derived from it and can be thrown away. Parquet files
hold the runs up to some place in the change log (`files`, written by `writer`), tables in memory
hold the newer ones (`mirror`), and DuckDB answers from both (`snapshot`). See `relations` for
the columns.
"""
