"""Embedded PostgreSQL: no root, no container, no system service.

    with EmbeddedPostgres(data_dir) as postgres:
        engine = create_engine(postgres.url("macmeter"))

All its files are in DATA_DIR/postgres; see `cluster`.
"""

from macmeter.embedded.cluster import EmbeddedError, InUseError
from macmeter.embedded.supervisor import EmbeddedPostgres, Running, find_running
from macmeter.embedded.tuning import Durability

__all__ = [
    "Durability",
    "EmbeddedError",
    "EmbeddedPostgres",
    "InUseError",
    "Running",
    "find_running",
]
