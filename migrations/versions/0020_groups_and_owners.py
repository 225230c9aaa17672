"""Keep the group that a recipient of alerts is limited to, and who gave an alert to its owner."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

_LIMITED = ("alert_webhooks", "alert_addresses", "alert_mails")
_OLD_KEY = "uq_alert_addresses_fleet_id_email"
_NEW_KEY = "uq_alert_addresses_fleet_id_email_group_where"


def upgrade() -> None:
    for table in _LIMITED:
        op.add_column(
            table, sa.Column("group_where", sa.Text(), server_default=sa.text("''"), nullable=False)
        )
    op.drop_constraint(_OLD_KEY, "alert_addresses")
    op.create_unique_constraint(_NEW_KEY, "alert_addresses", ["fleet_id", "email", "group_where"])
    op.add_column("alert_deliveries", sa.Column("given_by", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("alert_deliveries", "given_by")
    op.execute("DELETE FROM alert_addresses WHERE group_where <> ''")
    op.drop_constraint(_NEW_KEY, "alert_addresses")
    op.create_unique_constraint(_OLD_KEY, "alert_addresses", ["fleet_id", "email"])
    for table in _LIMITED:
        op.drop_column(table, "group_where")
