"""Run queries with Spark in its own environment: data set's directory and queries in, rows out."""

from __future__ import annotations

import json
import sys

from pyspark.sql import SparkSession


def main() -> None:
    asked = json.load(sys.stdin)
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.sql.sources.partitionColumnTypeInference.enabled", "false")
        .getOrCreate()
    )
    session.read.parquet(asked["directory"]).createOrReplaceTempView("corpus")
    rows = [[tuple(row) for row in session.sql(query).collect()] for query in asked["queries"]]
    json.dump(rows, sys.stdout)
    session.stop()


if __name__ == "__main__":
    main()
