"""Keep mail addresses of a fleet's own that get its alerts once they are confirmed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

_TIME = sa.TIMESTAMP(timezone=True)


def upgrade() -> None:
    op.create_table(
        "alert_addresses",
        sa.Column("address_id", sa.Uuid(), nullable=False),
        sa.Column("fleet_id", sa.Uuid(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("secret_sha256", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", _TIME, server_default=sa.text("now()"), nullable=False),
        sa.Column("confirmed_at", _TIME, nullable=True),
        sa.PrimaryKeyConstraint("address_id", name="pk_alert_addresses"),
        sa.ForeignKeyConstraint(
            ["fleet_id"],
            ["fleets.fleet_id"],
            name="fk_alert_addresses_fleet_id_fleets",
            ondelete="CASCADE",
        ),
        sa.UniqueConstraint("fleet_id", "email", name="uq_alert_addresses_fleet_id_email"),
        sa.UniqueConstraint("secret_sha256", name="uq_alert_addresses_secret_sha256"),
    )
    op.add_column("alert_deliveries", sa.Column("address_id", sa.Uuid(), nullable=True))
    op.create_foreign_key(
        "fk_alert_deliveries_address_id_alert_addresses",
        "alert_deliveries",
        "alert_addresses",
        ["address_id"],
        ["address_id"],
        ondelete="CASCADE",
    )


def downgrade() -> None:
    op.drop_column("alert_deliveries", "address_id")
    op.drop_table("alert_addresses")
