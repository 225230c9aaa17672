"""People, their sessions and fleets, enrolment secrets, and the log of what people did.

Empty at first; the new columns of tokens and machines may be absent.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "people",
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=True),
        sa.Column("password_hash", sa.Text(), nullable=True),
        sa.Column("oidc_issuer", sa.Text(), nullable=True),
        sa.Column("oidc_subject", sa.Text(), nullable=True),
        sa.Column("server_admin", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column(
            "created_at",
            sa.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("person_id", name=op.f("pk_people")),
        sa.UniqueConstraint("email", name=op.f("uq_people_email")),
        sa.UniqueConstraint(
            "oidc_issuer", "oidc_subject", name=op.f("uq_people_oidc_issuer_oidc_subject")
        ),
    )
    op.create_table(
        "enrolment_secrets",
        sa.Column("secret_id", sa.Uuid(), nullable=False),
        sa.Column("fleet_id", sa.Uuid(), nullable=False),
        sa.Column("secret_sha256", sa.LargeBinary(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("quota", sa.Integer(), nullable=True),
        sa.Column("used", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column(
            "created_at",
            sa.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("expires_at", sa.TIMESTAMP(timezone=True), nullable=True),
        sa.Column("revoked_at", sa.TIMESTAMP(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["fleet_id"],
            ["fleets.fleet_id"],
            name=op.f("fk_enrolment_secrets_fleet_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("secret_id", name=op.f("pk_enrolment_secrets")),
        sa.UniqueConstraint("secret_sha256", name=op.f("uq_enrolment_secrets_secret_sha256")),
    )
    op.create_index(
        "ix_enrolment_secrets_fleet_id", "enrolment_secrets", ["fleet_id"], unique=False
    )
    op.create_table(
        "memberships",
        sa.Column("fleet_id", sa.Uuid(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column(
            "since", sa.TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.CheckConstraint("role IN ('viewer', 'admin')", name=op.f("ck_memberships_role")),
        sa.ForeignKeyConstraint(
            ["fleet_id"],
            ["fleets.fleet_id"],
            name=op.f("fk_memberships_fleet_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["people.person_id"],
            name=op.f("fk_memberships_person_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("fleet_id", "person_id", name=op.f("pk_memberships")),
    )
    op.create_index("ix_memberships_person_id", "memberships", ["person_id"], unique=False)
    op.create_table(
        "passkeys",
        sa.Column("credential_id", sa.LargeBinary(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("sign_count", sa.Integer(), nullable=False),
        sa.Column("transports", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column(
            "created_at",
            sa.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("last_used_at", sa.TIMESTAMP(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["people.person_id"],
            name=op.f("fk_passkeys_person_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("credential_id", name=op.f("pk_passkeys")),
    )
    op.create_index("ix_passkeys_person_id", "passkeys", ["person_id"], unique=False)
    op.create_table(
        "sessions",
        sa.Column("session_id", sa.Uuid(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=False),
        sa.Column("secret_sha256", sa.LargeBinary(), nullable=False),
        sa.Column("browser", sa.Text(), nullable=False),
        sa.Column(
            "created_at",
            sa.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column(
            "last_used_at",
            sa.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("expires_at", sa.TIMESTAMP(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"],
            ["people.person_id"],
            name=op.f("fk_sessions_person_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("session_id", name=op.f("pk_sessions")),
        sa.UniqueConstraint("secret_sha256", name=op.f("uq_sessions_secret_sha256")),
    )
    op.create_index("ix_sessions_person_id", "sessions", ["person_id"], unique=False)
    op.create_table(
        "acts",
        sa.Column("act_id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column(
            "at", sa.TIMESTAMP(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Uuid(), nullable=True),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("token_id", sa.Uuid(), nullable=True),
        sa.Column("fleet_id", sa.Uuid(), nullable=True),
        sa.Column("details", postgresql.JSONB(), nullable=False),
        sa.ForeignKeyConstraint(
            ["person_id"], ["people.person_id"], name=op.f("fk_acts_person_id"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["token_id"], ["tokens.token_id"], name=op.f("fk_acts_token_id"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("act_id", name=op.f("pk_acts")),
    )
    op.create_index(
        "ix_acts_fleet_id", "acts", ["fleet_id", sa.literal_column("act_id DESC")], unique=False
    )
    op.create_table(
        "one_time_links",
        sa.Column("link_id", sa.Uuid(), nullable=False),
        sa.Column("secret_sha256", sa.LargeBinary(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("fleet_id", sa.Uuid(), nullable=True),
        sa.Column("role", sa.Text(), nullable=True),
        sa.Column("machine_id", sa.Uuid(), nullable=True),
        sa.Column("email", sa.Text(), nullable=True),
        sa.Column("made_by", sa.Uuid(), nullable=True),
        sa.Column(
            "created_at",
            sa.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("expires_at", sa.TIMESTAMP(timezone=True), nullable=False),
        sa.Column("used_at", sa.TIMESTAMP(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["fleet_id"],
            ["fleets.fleet_id"],
            name=op.f("fk_one_time_links_fleet_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["machine_id"],
            ["machines.machine_id"],
            name=op.f("fk_one_time_links_machine_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["made_by"],
            ["people.person_id"],
            name=op.f("fk_one_time_links_made_by"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("link_id", name=op.f("pk_one_time_links")),
        sa.UniqueConstraint("secret_sha256", name=op.f("uq_one_time_links_secret_sha256")),
    )
    op.create_index("ix_one_time_links_fleet_id", "one_time_links", ["fleet_id"], unique=False)
    op.add_column(
        "fleets",
        sa.Column("settings", postgresql.JSONB(), server_default=sa.text("'{}'"), nullable=False),
    )
    op.add_column("machines", sa.Column("claimed_by", sa.Uuid(), nullable=True))
    op.add_column("machines", sa.Column("name", sa.Text(), nullable=True))
    op.add_column("machines", sa.Column("retired_at", sa.TIMESTAMP(timezone=True), nullable=True))
    op.create_foreign_key(
        op.f("fk_machines_claimed_by"),
        "machines",
        "people",
        ["claimed_by"],
        ["person_id"],
        ondelete="SET NULL",
    )
    op.add_column("tokens", sa.Column("person_id", sa.Uuid(), nullable=True))
    op.add_column("tokens", sa.Column("secret_id", sa.Uuid(), nullable=True))
    op.add_column("tokens", sa.Column("name", sa.Text(), nullable=True))
    op.add_column("tokens", sa.Column("permission", sa.Text(), nullable=True))
    op.add_column("tokens", sa.Column("last_used_at", sa.TIMESTAMP(timezone=True), nullable=True))
    op.create_index("ix_tokens_person_id", "tokens", ["person_id"], unique=False)
    op.create_foreign_key(
        op.f("fk_tokens_person_id"),
        "tokens",
        "people",
        ["person_id"],
        ["person_id"],
        ondelete="CASCADE",
    )
    op.create_foreign_key(
        op.f("fk_tokens_secret_id"),
        "tokens",
        "enrolment_secrets",
        ["secret_id"],
        ["secret_id"],
        ondelete="SET NULL",
    )


def downgrade() -> None:
    op.drop_constraint(op.f("fk_tokens_secret_id"), "tokens", type_="foreignkey")
    op.drop_constraint(op.f("fk_tokens_person_id"), "tokens", type_="foreignkey")
    op.drop_index("ix_tokens_person_id", table_name="tokens")
    op.drop_column("tokens", "last_used_at")
    op.drop_column("tokens", "permission")
    op.drop_column("tokens", "name")
    op.drop_column("tokens", "secret_id")
    op.drop_column("tokens", "person_id")
    op.drop_constraint(op.f("fk_machines_claimed_by"), "machines", type_="foreignkey")
    op.drop_column("machines", "retired_at")
    op.drop_column("machines", "name")
    op.drop_column("machines", "claimed_by")
    op.drop_column("fleets", "settings")
    op.drop_index("ix_one_time_links_fleet_id", table_name="one_time_links")
    op.drop_table("one_time_links")
    op.drop_index("ix_acts_fleet_id", table_name="acts")
    op.drop_table("acts")
    op.drop_index("ix_sessions_person_id", table_name="sessions")
    op.drop_table("sessions")
    op.drop_index("ix_passkeys_person_id", table_name="passkeys")
    op.drop_table("passkeys")
    op.drop_index("ix_memberships_person_id", table_name="memberships")
    op.drop_table("memberships")
    op.drop_index("ix_enrolment_secrets_fleet_id", table_name="enrolment_secrets")
    op.drop_table("enrolment_secrets")
    op.drop_table("people")
