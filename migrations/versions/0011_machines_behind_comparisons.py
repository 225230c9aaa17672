"""The fleets whose machines are behind the figures of saved comparisons.

Comparisons saved earlier have none here: the runs they list show whose they are.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "comparisons",
        sa.Column("knows_fleets", sa.Boolean(), server_default=sa.text("false"), nullable=False),
    )
    op.add_column(
        "comparisons",
        sa.Column(
            "without_ids_of",
            postgresql.ARRAY(sa.Uuid()),
            server_default=sa.text("'{}'"),
            nullable=False,
        ),
    )
    op.create_table(
        "comparison_machines",
        sa.Column("row_id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("figure", sa.Integer(), nullable=False),
        sa.Column("fleet_id", sa.Uuid(), nullable=False),
        sa.Column("machine_id", sa.Uuid(), nullable=True),
        sa.Column("machines", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["slug"],
            ["comparisons.slug"],
            name=op.f("fk_comparison_machines_slug"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("row_id", name=op.f("pk_comparison_machines")),
    )
    for name in ("slug", "fleet_id", "machine_id"):
        op.create_index(
            f"ix_comparison_machines_{name}", "comparison_machines", [name], unique=False
        )


def downgrade() -> None:
    op.drop_table("comparison_machines")
    op.drop_column("comparisons", "without_ids_of")
    op.drop_column("comparisons", "knows_fleets")
