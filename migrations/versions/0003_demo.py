"""Marker of a demo's database: a table that is empty everywhere else."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "demo",
        sa.Column("is_demo", sa.Boolean(), server_default=sa.text("true"), nullable=False),
        sa.Column("machines", sa.Integer(), nullable=False),
        sa.Column("every", sa.Integer(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("base", sa.TIMESTAMP(timezone=True), nullable=False),
        sa.CheckConstraint("is_demo", name=op.f("ck_demo_one_row")),
        sa.PrimaryKeyConstraint("is_demo", name=op.f("pk_demo")),
    )


def downgrade() -> None:
    op.drop_table("demo")
