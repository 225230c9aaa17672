"""Count refused enrolments, so that an admin sees the Macs that can't join their fleet."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "refused_enrolments",
        sa.Column("fleet_id", sa.Uuid(), nullable=False),
        sa.Column("machine_id", sa.Uuid(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.Column("first_at", sa.TIMESTAMP(timezone=True), nullable=False),
        sa.Column("last_at", sa.TIMESTAMP(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["fleet_id"],
            ["fleets.fleet_id"],
            name=op.f("fk_refused_enrolments_fleet_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("fleet_id", "machine_id", name=op.f("pk_refused_enrolments")),
    )


def downgrade() -> None:
    op.drop_table("refused_enrolments")
