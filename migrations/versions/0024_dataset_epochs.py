"""Number the leases of servers that share a data set."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(sa.schema.CreateSequence(sa.Sequence("dataset_epochs")))


def downgrade() -> None:
    op.execute(sa.schema.DropSequence(sa.Sequence("dataset_epochs")))
