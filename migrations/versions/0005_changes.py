"""The change log of runs, written by a trigger so that no writer can forget it.

Older servers on the same database write it too. Existing runs get no entries: followers of the log
read the tables once before.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.types import UserDefinedType

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

# Per row, not per statement: a change of key is then two changes, and uploads write one row.
FUNCTION = """
    CREATE FUNCTION log_change_of_run() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
        happened text := 'rederived';
    BEGIN
        IF TG_OP = 'INSERT' THEN
            INSERT INTO changes (kind, machine_id, run_id)
                VALUES ('stored', NEW.machine_id, NEW.run_id);
            RETURN NULL;
        END IF;
        IF TG_OP = 'DELETE'
            OR (OLD.machine_id, OLD.run_id) IS DISTINCT FROM (NEW.machine_id, NEW.run_id)
        THEN
            INSERT INTO changes (kind, machine_id, run_id)
                VALUES ('deleted', OLD.machine_id, OLD.run_id);
            IF TG_OP = 'DELETE' THEN
                RETURN NULL;
            END IF;
            happened := 'stored';
        ELSIF NEW.withdrawn_at IS DISTINCT FROM OLD.withdrawn_at THEN
            happened := CASE WHEN NEW.withdrawn_at IS NULL THEN 'reinstated' ELSE 'withdrawn' END;
        ELSIF (NEW.visibility, NEW.fleet_id) IS DISTINCT FROM (OLD.visibility, OLD.fleet_id) THEN
            happened := 'moved';
        END IF;
        INSERT INTO changes (kind, machine_id, run_id)
            VALUES (happened, NEW.machine_id, NEW.run_id);
        RETURN NULL;
    END
    $$
"""
TRIGGER = """
    CREATE TRIGGER log_change AFTER INSERT OR UPDATE OR DELETE ON runs
        FOR EACH ROW EXECUTE FUNCTION log_change_of_run()
"""


class Xid8(UserDefinedType[int]):
    """Transaction number that never wraps around."""

    def get_col_spec(self, **_: object) -> str:
        return "xid8"


def upgrade() -> None:
    op.create_table(
        "changes",
        sa.Column("change_id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("xact", Xid8(), server_default=sa.text("pg_current_xact_id()"), nullable=False),
        sa.Column(
            "at", sa.TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("machine_id", sa.Uuid(), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.PrimaryKeyConstraint("xact", "change_id", name=op.f("pk_changes")),
    )
    op.create_table(
        "change_log",
        sa.Column("one_row", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.Column("log_id", sa.Uuid(), server_default=sa.text("gen_random_uuid()"), nullable=False),
        sa.Column("cluster", sa.Text(), nullable=True),
        sa.Column("pruned_xact", Xid8(), server_default=sa.text("'0'"), nullable=False),
        sa.Column("pruned_change", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.CheckConstraint("one_row", name=op.f("ck_change_log_one_row")),
        sa.PrimaryKeyConstraint("one_row", name=op.f("pk_change_log")),
    )
    op.execute("INSERT INTO change_log DEFAULT VALUES")
    op.execute(FUNCTION)
    op.execute(TRIGGER)


def downgrade() -> None:
    op.execute("DROP TRIGGER log_change ON runs")
    op.execute("DROP FUNCTION log_change_of_run()")
    op.drop_table("change_log")
    op.drop_table("changes")
