"""Index the runs that name a host machine: the first one decides whose the host is."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "ix_runs_host_machine_id",
        "runs",
        ["host_machine_id", "received_at"],
        postgresql_where=sa.text("host_machine_id IS NOT NULL"),
    )


def downgrade() -> None:
    op.drop_index("ix_runs_host_machine_id", "runs")
