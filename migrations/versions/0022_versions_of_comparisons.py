"""Keep which version of the data set has the results of a saved comparison."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("comparisons", sa.Column("dataset_version", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("comparisons", "dataset_version")
