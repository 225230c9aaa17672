"""Index withdrawn runs: the data set has only the others."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "ix_runs_withdrawn",
        "runs",
        [sa.text("received_at DESC"), sa.text("run_id DESC")],
        postgresql_where=sa.text("withdrawn_at IS NOT NULL"),
    )


def downgrade() -> None:
    op.drop_index("ix_runs_withdrawn", "runs")
