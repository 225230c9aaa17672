"""Models and migrations agree, on an empty database and back again."""

from __future__ import annotations

import hashlib
import re
import subprocess
import time
import uuid
from pathlib import Path

import pytest
from alembic import command as command_of_alembic
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from macmeter.models import Base
from macmeter.models.server import Xid8
from macmeter.platform.database import (
    MIGRATIONS,
    current_revision,
    migrate,
    newest_revision,
    normalise,
)
from sqlalchemy import create_engine, inspect, text
from sqlalchemy.dialects.postgresql.base import ischema_names
from sqlalchemy.exc import DBAPIError
from support.commands import COMMAND, command, environment
from support.thorough import some

ischema_names["xid8"] = Xid8
ONE_MACHINE = "INSERT INTO machines (machine_id) VALUES (gen_random_uuid())"
WAITING = text("""
    SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database
    WHERE NOT granted AND datname = current_database()
""")
ONE_RUN = (
    "INSERT INTO runs (machine_id, run_id, visibility, derivation_version, suite,"
    " source, method, method_version, unspecified, flags, virtual, labels)"
    " SELECT machine_id, gen_random_uuid(), 'public', 1, 'disk', 'measured', 'm', 1,"
    " false, '{}', false, '{}' FROM machines"
)


def test_the_migrated_schema_is_the_models(empty_database_url: str) -> None:
    migrate(empty_database_url)
    engine = create_engine(normalise(empty_database_url))
    with engine.connect() as connection:
        context = MigrationContext.configure(
            connection, opts={"compare_type": True, "compare_server_default": True}
        )
        assert compare_metadata(context, Base.metadata) == []
    engine.dispose()


def test_migrating_again_changes_nothing(empty_database_url: str) -> None:
    migrate(empty_database_url)
    migrate(empty_database_url)


def test_runs_of_the_first_schema_survive_and_are_not_withdrawn(empty_database_url: str) -> None:
    migrate(empty_database_url, "0001")
    engine = create_engine(normalise(empty_database_url))
    with engine.begin() as connection:
        connection.execute(text(ONE_MACHINE))
        connection.execute(text(ONE_RUN))
    migrate(empty_database_url)
    with engine.connect() as connection:
        query = text("SELECT count(*), count(withdrawn_at) FROM runs")
        assert tuple(connection.execute(query).one()) == (1, 0)
    engine.dispose()


@pytest.mark.parametrize("released", ["0001", "0002", "0003", "0004"])
def test_runs_of_every_schema_pass_the_change_log_from_then_on(
    empty_database_url: str, released: str
) -> None:
    migrate(empty_database_url, released)
    engine = create_engine(normalise(empty_database_url))
    with engine.begin() as connection:
        connection.execute(text(ONE_MACHINE))
        connection.execute(text(ONE_RUN))
    migrate(empty_database_url)
    with engine.begin() as connection:
        # Like a server of that version that still runs beside the new one.
        connection.execute(text(ONE_RUN))
        connection.execute(text("UPDATE runs SET chip = 'Apple M9'"))
    with engine.connect() as connection:
        kinds = connection.execute(text("SELECT kind FROM changes ORDER BY xact, change_id"))
        assert kinds.scalars().all() == ["stored", "rederived", "rederived"]
    engine.dispose()


@pytest.mark.parametrize("released", some(["0001", "0004", "0005"]))
def test_a_migration_that_is_killed_begins_again(empty_database_url: str, released: str) -> None:
    migrate(empty_database_url, released)
    engine = create_engine(normalise(empty_database_url))
    with engine.begin() as connection:
        connection.execute(text(ONE_MACHINE))
        connection.execute(text(ONE_RUN))
    with engine.connect() as other:
        # Like an upload in progress, for which a migration of that table waits.
        other.execute(text("LOCK TABLE runs IN ROW EXCLUSIVE MODE"))
        migrating = subprocess.Popen(
            [COMMAND, "migrate"], env=environment(empty_database_url), stderr=subprocess.DEVNULL
        )
        while not other.execute(WAITING).scalar():
            assert migrating.poll() is None, "it did not wait"
            time.sleep(0.02)
        migrating.kill()
        migrating.wait()
    again = command(empty_database_url, "migrate")
    assert again.returncode == 0, again.stderr
    with engine.connect() as connection:
        assert current_revision(connection) == newest_revision()
        assert connection.execute(text("SELECT count(*) FROM runs")).scalar() == 1
    engine.dispose()


def test_a_version_without_merges_is_refused_while_machines_are_merged(
    empty_database_url: str,
) -> None:
    migrate(empty_database_url, "0009")
    engine = create_engine(normalise(empty_database_url))
    with engine.begin() as connection:
        connection.execute(text(ONE_MACHINE))
        connection.execute(text(ONE_RUN))
        connection.execute(text("UPDATE runs SET uploaded_as = gen_random_uuid()"))
    with pytest.raises(DBAPIError, match="Machines were merged"):
        downgrade(empty_database_url, "0008")
    with engine.begin() as connection:
        assert current_revision(connection) == "0009"
        connection.execute(text("UPDATE runs SET uploaded_as = NULL"))
    downgrade(empty_database_url, "0008")
    with engine.connect() as connection:
        assert current_revision(connection) == "0008"
        assert connection.execute(text("SELECT count(*) FROM runs")).scalar() == 1
    engine.dispose()


def downgrade(database_url: str, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.set_main_option("sqlalchemy.url", normalise(database_url).replace("%", "%%"))
    command_of_alembic.downgrade(config, revision)


def test_comparisons_of_older_versions_go_on_naming_all_their_runs(empty_database_url: str) -> None:
    migrate(empty_database_url, "0006")
    engine = create_engine(normalise(empty_database_url))
    ids = [uuid.UUID(int=number) for number in (3, 1, 2)]
    with engine.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO comparisons (slug, format, question, answer, content_sha256, run_ids,"
                " state, owner_secret_sha256) VALUES ('a', 1, 'q', '{}', '', :ids, 'active', '')"
            ),
            {"ids": ids},
        )
    migrate(empty_database_url)
    with engine.connect() as connection:
        query = text("SELECT runs, told_of, names_few, runs_sha256 FROM comparisons")
        (row,) = connection.execute(query)
    engine.dispose()
    digest = hashlib.sha256(b"".join(sorted(run_id.bytes for run_id in ids))).digest()
    assert tuple(row) == (3, ids, False, digest)


def test_every_table_of_runs_and_results_has_the_machine_first_in_its_key(
    empty_database_url: str,
) -> None:
    migrate(empty_database_url)
    engine = create_engine(normalise(empty_database_url))
    for table in ("runs", "documents", "run_results", "published_figures"):
        key = inspect(engine).get_pk_constraint(table)["constrained_columns"]
        assert key[:2] == ["machine_id", "run_id"], table
    engine.dispose()


def test_no_migration_imports_the_application() -> None:
    files = list(Path(MIGRATIONS).rglob("*.py"))
    assert len(files) >= 2
    for file in files:
        assert not re.search(r"^\s*(from|import) macmeter", file.read_text(), re.MULTILINE), file
