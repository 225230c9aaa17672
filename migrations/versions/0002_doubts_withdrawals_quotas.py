"""Reports on runs, withdrawn runs, and quotas for anonymous requests.

The new columns of runs are empty at first, so adding them rewrites nothing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("runs", sa.Column("withdrawn_at", sa.TIMESTAMP(timezone=True), nullable=True))
    op.add_column("runs", sa.Column("withdrawn_reason", sa.Text(), nullable=True))
    op.add_column("runs", sa.Column("withdrawn_by", sa.Text(), nullable=True))
    op.create_table(
        "doubts",
        sa.Column("doubt_id", sa.Uuid(), nullable=False),
        sa.Column("machine_id", sa.Uuid(), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column(
            "created_at",
            sa.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["machine_id", "run_id"],
            ["runs.machine_id", "runs.run_id"],
            name=op.f("fk_doubts_machine_id_run_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("doubt_id", name=op.f("pk_doubts")),
    )
    op.create_index("ix_doubts_machine_id_run_id", "doubts", ["machine_id", "run_id"])
    op.create_table(
        "quota_keys",
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("key", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("day", name=op.f("pk_quota_keys")),
    )
    op.create_table(
        "quota_uses",
        sa.Column("hour", sa.TIMESTAMP(timezone=True), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("client", sa.LargeBinary(), nullable=False),
        sa.Column("uses", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("hour", "kind", "client", name=op.f("pk_quota_uses")),
    )


def downgrade() -> None:
    op.drop_table("quota_uses")
    op.drop_table("quota_keys")
    op.drop_index("ix_doubts_machine_id_run_id", table_name="doubts")
    op.drop_table("doubts")
    op.drop_column("runs", "withdrawn_by")
    op.drop_column("runs", "withdrawn_reason")
    op.drop_column("runs", "withdrawn_at")
