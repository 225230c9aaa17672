"""Keep the labels that an admin gives a machine, which its runs have too.

Triggers lay them over those of a run's document, so that no writer can forget it. Only runs of the
machine's fleet have them: what an admin writes of a Mac doesn't reach its public runs.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

# Locks the machine as a foreign key would: whoever labels it waits for runs that are being stored.
LABEL_RUN = """
    CREATE FUNCTION label_run() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        stated jsonb := coalesce(NEW.stated_labels, NEW.labels);
        given jsonb;
    BEGIN
        SELECT labels INTO given FROM machines
            WHERE machine_id = NEW.machine_id AND fleet_id = NEW.fleet_id FOR KEY SHARE;
        NEW.labels := stated || coalesce(given, '{}');
        NEW.stated_labels := CASE WHEN given IS NULL THEN NULL ELSE stated END;
        RETURN NEW;
    END
    $$
"""
LABEL_RUNS_OF_MACHINE = """
    CREATE FUNCTION label_runs_of_machine() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        UPDATE runs SET labels = labels WHERE machine_id = NEW.machine_id;
        RETURN NULL;
    END
    $$
"""
TRIGGERS = (
    """
    CREATE TRIGGER label_run BEFORE INSERT OR UPDATE OF labels, fleet_id, machine_id ON runs
        FOR EACH ROW WHEN (NEW.fleet_id IS NOT NULL OR NEW.stated_labels IS NOT NULL)
        EXECUTE FUNCTION label_run()
    """,
    """
    CREATE TRIGGER label_runs AFTER UPDATE ON machines
        FOR EACH ROW WHEN (NEW.labels IS DISTINCT FROM OLD.labels)
        EXECUTE FUNCTION label_runs_of_machine()
    """,
    # Runs before the change: afterwards no foreign key's lock would wait for it.
    """
    CREATE TRIGGER wait_for_runs_to_label BEFORE UPDATE ON machines
        FOR EACH ROW WHEN (NEW.labels IS DISTINCT FROM OLD.labels)
        EXECUTE FUNCTION wait_for_runs()
    """,
)


def upgrade() -> None:
    op.add_column("machines", sa.Column("labels", JSONB(), nullable=True))
    op.add_column("runs", sa.Column("stated_labels", JSONB(), nullable=True))
    for statement in (LABEL_RUN, LABEL_RUNS_OF_MACHINE, *TRIGGERS):
        op.execute(statement)


def downgrade() -> None:
    op.execute("DROP TRIGGER wait_for_runs_to_label ON machines")
    op.execute("DROP TRIGGER label_runs ON machines")
    op.execute("DROP TRIGGER label_run ON runs")
    op.execute("DROP FUNCTION label_runs_of_machine()")
    op.execute("DROP FUNCTION label_run()")
    op.execute("UPDATE runs SET labels = stated_labels WHERE stated_labels IS NOT NULL")
    op.drop_column("runs", "stated_labels")
    op.drop_column("machines", "labels")
