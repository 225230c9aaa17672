"""Let alerts be muted for a time, and have an owner."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

_TIME = sa.TIMESTAMP(timezone=True)


def upgrade() -> None:
    op.add_column("alerts", sa.Column("muted_until", _TIME, nullable=True))
    op.add_column("alerts", sa.Column("muted_by", sa.Text(), nullable=True))
    op.add_column("alerts", sa.Column("muted_why", sa.Text(), nullable=True))
    op.add_column(
        "alerts",
        sa.Column(
            "owner_id",
            sa.Uuid(),
            sa.ForeignKey(
                "people.person_id", ondelete="SET NULL", name="fk_alerts_owner_id_people"
            ),
            nullable=True,
        ),
    )


def downgrade() -> None:
    for name in ("owner_id", "muted_why", "muted_by", "muted_until"):
        op.drop_column("alerts", name)
