"""The enclosure that a drive is in.

Empty at first: the new derivation version fills it from the raw documents.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("runs", sa.Column("enclosure", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("runs", "enclosure")
