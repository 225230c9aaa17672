"""Comparisons list only the runs that they must not outlive, and keep a digest of all runs.

Existing comparisons keep their full list: only asking the question again would show which runs
their figures depend on.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

DIGEST = """
    UPDATE comparisons SET runs = cardinality(told_of), names_few = false, runs_sha256 = (
        SELECT sha256(coalesce(string_agg(uuid_send(run_id), ''::bytea ORDER BY run_id), ''))
        FROM unnest(told_of) AS run_id
    )
"""


def upgrade() -> None:
    op.alter_column("comparisons", "run_ids", new_column_name="told_of")
    op.add_column("comparisons", sa.Column("runs", sa.Integer(), nullable=True))
    op.add_column("comparisons", sa.Column("runs_sha256", sa.LargeBinary(), nullable=True))
    op.add_column(
        "comparisons",
        sa.Column("names_few", sa.Boolean(), server_default=sa.text("true"), nullable=False),
    )
    op.execute(DIGEST)
    op.alter_column("comparisons", "runs", nullable=False)
    op.alter_column("comparisons", "runs_sha256", nullable=False)
    op.create_index("ix_comparisons_told_of", "comparisons", ["told_of"], postgresql_using="gin")


def downgrade() -> None:
    """Downgrade; the older version finds too few runs listed and deletes comparisons late."""
    op.drop_index("ix_comparisons_told_of", table_name="comparisons")
    for name in ("names_few", "runs_sha256", "runs"):
        op.drop_column("comparisons", name)
    op.alter_column("comparisons", "told_of", new_column_name="run_ids")
