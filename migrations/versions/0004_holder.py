"""The volume that holds a disk image or a guest's disk, for pairs.

Empty at first: a new derivation version fills it from the raw documents.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("runs", sa.Column("holder", postgresql.JSONB(), nullable=True))


def downgrade() -> None:
    op.drop_column("runs", "holder")
