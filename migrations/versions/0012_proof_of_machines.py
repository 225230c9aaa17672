"""Proof that a Mac that has lost its token still has its agent's key."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("machines", sa.Column("proof_sha256", sa.LargeBinary(), nullable=True))


def downgrade() -> None:
    op.drop_column("machines", "proof_sha256")
