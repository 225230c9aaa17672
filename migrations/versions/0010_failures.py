"""Failures of single items, for the next attempt and for the server's administrators."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "failures",
        sa.Column("work", sa.Text(), nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        *(
            sa.Column(name, sa.TIMESTAMP(timezone=True), nullable=False)
            for name in ("first_at", "last_at", "retry_at")
        ),
        sa.PrimaryKeyConstraint("work", "item", name="pk_failures"),
    )


def downgrade() -> None:
    op.drop_table("failures")
