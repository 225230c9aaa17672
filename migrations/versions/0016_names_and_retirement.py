"""Count the changes of machines' names in each fleet, and keep who retired a machine.

The count is the version of a fleet's names: answers that have names are cached by it. A trigger
keeps it, so that no writer can forget it.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None

COUNT = """
    CREATE FUNCTION count_naming() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        UPDATE fleets SET naming = naming + 1 WHERE fleet_id IN (
            SELECT unnest(ARRAY[before.fleet_id, after.fleet_id])
            FROM before JOIN after USING (machine_id)
            WHERE (before.name, before.fleet_id) IS DISTINCT FROM (after.name, after.fleet_id)
                AND (before.name IS NOT NULL OR after.name IS NOT NULL)
        );
        RETURN NULL;
    END
    $$
"""
# Not `UPDATE OF`, which transition tables exclude.
TRIGGER = """
    CREATE TRIGGER count_naming AFTER UPDATE ON machines
        REFERENCING OLD TABLE AS before NEW TABLE AS after
        FOR EACH STATEMENT EXECUTE FUNCTION count_naming()
"""


def upgrade() -> None:
    op.add_column(
        "fleets", sa.Column("naming", sa.BigInteger, server_default=sa.text("0"), nullable=False)
    )
    op.add_column("machines", sa.Column("retired_by", sa.Text, nullable=True))
    op.execute(COUNT)
    op.execute(TRIGGER)


def downgrade() -> None:
    op.execute("DROP TRIGGER count_naming ON machines")
    op.execute("DROP FUNCTION count_naming()")
    op.drop_column("machines", "retired_by")
    op.drop_column("fleets", "naming")
