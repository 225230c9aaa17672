"""Limit a viewer's role to the Macs with one label."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("memberships", "one_time_links"):
        op.add_column(table, sa.Column("limited_to", postgresql.JSONB(), nullable=True))
    whole = "role = 'viewer' OR limited_to IS NULL"
    op.create_check_constraint("limited_to", "memberships", whole)


def downgrade() -> None:
    # Nobody sees more than before.
    op.execute("DELETE FROM memberships WHERE limited_to IS NOT NULL")
    op.execute("DELETE FROM one_time_links WHERE limited_to IS NOT NULL")
    for table in ("memberships", "one_time_links"):
        op.drop_column(table, "limited_to")
