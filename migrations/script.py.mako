"""${message}

Migrations run on data, in one transaction, while servers of the previous version work: add columns
as nullable or with a constant default, build indexes on big tables concurrently in a separate
migration, never import the application.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "${up_revision}"
down_revision = "${down_revision}"
branch_labels = None
depends_on = None


def upgrade() -> None:
    ${upgrades if upgrades else "pass"}


def downgrade() -> None:
    ${downgrades if downgrades else "pass"}
