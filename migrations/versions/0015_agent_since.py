"""Drop the date since when machines have had their agent: alerts read it from the runs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_column("fleet_machines", "agent_since")


def downgrade() -> None:
    op.add_column(
        "fleet_machines", sa.Column("agent_since", sa.TIMESTAMP(timezone=True), nullable=True)
    )
