"""Comparisons name the runs that they must not outlive, and of all others keep a digest.

Those that are there go on naming all of theirs: which of them their figures tell of is only known
to whoever can ask the question again.
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
    """The older version's comparisons then name too few runs: it buries them later than it did."""
    op.drop_index("ix_comparisons_told_of", table_name="comparisons")
    for name in ("names_few", "runs_sha256", "runs"):
        op.drop_column("comparisons", name)
    op.alter_column("comparisons", "told_of", new_column_name="run_ids")
