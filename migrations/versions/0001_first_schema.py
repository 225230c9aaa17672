"""The first schema: machines, runs, results, tokens, fleets, comparisons.

Everything about a run is keyed (machine_id, run_id), so that it can be partitioned and
distributed by machine. No extension is needed.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "comparisons",
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("format", sa.Integer(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("answer", postgresql.JSONB(), nullable=True),
        sa.Column("content_sha256", sa.LargeBinary(), nullable=False),
        sa.Column("run_ids", postgresql.ARRAY(sa.Uuid()), nullable=False),
        sa.Column("title", sa.Text(), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("owner_secret_sha256", sa.LargeBinary(), nullable=False),
        sa.Column(
            "created_at",
            sa.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("expires_at", sa.TIMESTAMP(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("slug", name=op.f("pk_comparisons")),
    )
    op.create_table(
        "fleets",
        sa.Column("fleet_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("visibility", sa.Text(), nullable=False),
        sa.Column(
            "created_at",
            sa.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("fleet_id", name=op.f("pk_fleets")),
        sa.UniqueConstraint("name", name=op.f("uq_fleets_name")),
    )
    op.create_table(
        "series",
        sa.Column("series_id", sa.Integer(), nullable=False),
        sa.Column("metric", sa.Text(), nullable=False),
        sa.Column("parameters", postgresql.JSONB(), nullable=False),
        sa.PrimaryKeyConstraint("series_id", name=op.f("pk_series")),
        sa.UniqueConstraint("metric", "parameters", name=op.f("uq_series_metric_parameters")),
    )
    op.create_table(
        "tokens",
        sa.Column("token_id", sa.Uuid(), nullable=False),
        sa.Column("secret_sha256", sa.LargeBinary(), nullable=False),
        sa.Column("scope", sa.Text(), nullable=False),
        sa.Column("fleet_id", sa.Uuid(), nullable=True),
        sa.Column(
            "created_at",
            sa.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("expires_at", sa.TIMESTAMP(timezone=True), nullable=True),
        sa.Column("revoked_at", sa.TIMESTAMP(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["fleet_id"], ["fleets.fleet_id"], name=op.f("fk_tokens_fleet_id")),
        sa.PrimaryKeyConstraint("token_id", name=op.f("pk_tokens")),
        sa.UniqueConstraint("secret_sha256", name=op.f("uq_tokens_secret_sha256")),
    )
    op.create_table(
        "machines",
        sa.Column("machine_id", sa.Uuid(), nullable=False),
        sa.Column("bound_token_id", sa.Uuid(), nullable=True),
        sa.Column("fleet_id", sa.Uuid(), nullable=True),
        sa.Column("reserved", sa.Boolean(), server_default=sa.text("false"), nullable=False),
        sa.Column(
            "first_seen_at",
            sa.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.ForeignKeyConstraint(
            ["bound_token_id"], ["tokens.token_id"], name=op.f("fk_machines_bound_token_id")
        ),
        sa.ForeignKeyConstraint(
            ["fleet_id"], ["fleets.fleet_id"], name=op.f("fk_machines_fleet_id")
        ),
        sa.PrimaryKeyConstraint("machine_id", name=op.f("pk_machines")),
        sa.UniqueConstraint("bound_token_id", name=op.f("uq_machines_bound_token_id")),
    )
    op.create_table(
        "run_ids",
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("machine_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["machine_id"], ["machines.machine_id"], name=op.f("fk_run_ids_machine_id")
        ),
        sa.PrimaryKeyConstraint("run_id", name=op.f("pk_run_ids")),
    )
    op.create_table(
        "runs",
        sa.Column("machine_id", sa.Uuid(), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("visibility", sa.Text(), nullable=False),
        sa.Column("fleet_id", sa.Uuid(), nullable=True),
        sa.Column("token_id", sa.Uuid(), nullable=True),
        sa.Column(
            "received_at",
            sa.TIMESTAMP(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("derivation_version", sa.Integer(), nullable=False),
        sa.Column("suite", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("method", sa.Text(), nullable=False),
        sa.Column("method_version", sa.Integer(), nullable=False),
        sa.Column("started_at", sa.TIMESTAMP(timezone=True), nullable=True),
        sa.Column("finished_at", sa.TIMESTAMP(timezone=True), nullable=True),
        sa.Column("unspecified", sa.Boolean(), nullable=False),
        sa.Column("flags", postgresql.ARRAY(sa.Text()), nullable=False),
        sa.Column("chip", sa.Text(), nullable=True),
        sa.Column("chip_family", sa.Text(), nullable=True),
        sa.Column("chip_variant", sa.Text(), nullable=True),
        sa.Column("model", sa.Text(), nullable=True),
        sa.Column("storage", sa.Text(), nullable=True),
        sa.Column("link_speed", sa.Double(), nullable=True),
        sa.Column("device", sa.Text(), nullable=True),
        sa.Column("device_id", sa.Text(), nullable=True),
        sa.Column("via", sa.Text(), nullable=True),
        sa.Column("simultaneous", sa.Integer(), nullable=True),
        sa.Column("image_format", sa.Text(), nullable=True),
        sa.Column("image_state", sa.Text(), nullable=True),
        sa.Column("encryption", sa.Text(), nullable=True),
        sa.Column("file_system", sa.Text(), nullable=True),
        sa.Column("virtual", sa.Boolean(), nullable=False),
        sa.Column("vcpus", sa.Integer(), nullable=True),
        sa.Column("host_machine_id", sa.Uuid(), nullable=True),
        sa.Column("os_version", sa.Text(), nullable=True),
        sa.Column("os_major", sa.Integer(), nullable=True),
        sa.Column("power_mode", sa.Text(), nullable=True),
        sa.Column("power_source", sa.Text(), nullable=True),
        sa.Column("tool", sa.Text(), nullable=True),
        sa.Column("article", sa.Text(), nullable=True),
        sa.Column("month", sa.Text(), nullable=True),
        sa.Column("labels", postgresql.JSONB(), nullable=False),
        sa.Column("citation", postgresql.JSONB(), nullable=True),
        sa.ForeignKeyConstraint(["fleet_id"], ["fleets.fleet_id"], name=op.f("fk_runs_fleet_id")),
        sa.ForeignKeyConstraint(
            ["machine_id"], ["machines.machine_id"], name=op.f("fk_runs_machine_id")
        ),
        sa.ForeignKeyConstraint(["token_id"], ["tokens.token_id"], name=op.f("fk_runs_token_id")),
        sa.PrimaryKeyConstraint("machine_id", "run_id", name=op.f("pk_runs")),
    )
    op.create_index(
        "ix_runs_received_at",
        "runs",
        [sa.literal_column("received_at DESC"), sa.literal_column("run_id DESC")],
        unique=False,
    )
    op.create_table(
        "documents",
        sa.Column("machine_id", sa.Uuid(), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("sha256", sa.LargeBinary(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("deflated", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["machine_id", "run_id"],
            ["runs.machine_id", "runs.run_id"],
            name=op.f("fk_documents_machine_id_run_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("machine_id", "run_id", name=op.f("pk_documents")),
    )
    op.create_table(
        "published_figures",
        sa.Column("machine_id", sa.Uuid(), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("metric", sa.Text(), nullable=False),
        sa.Column("parameters", postgresql.JSONB(), nullable=False),
        sa.Column("value", sa.Double(), nullable=True),
        sa.Column("low", sa.Double(), nullable=True),
        sa.Column("high", sa.Double(), nullable=True),
        sa.Column("of", postgresql.JSONB(), nullable=True),
        sa.Column("to", postgresql.JSONB(), nullable=True),
        sa.Column("qualifier", sa.Text(), nullable=True),
        sa.Column("printed", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["machine_id", "run_id"],
            ["runs.machine_id", "runs.run_id"],
            name=op.f("fk_published_figures_machine_id_run_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(
            "machine_id", "run_id", "position", name=op.f("pk_published_figures")
        ),
    )
    op.create_index("ix_published_figures_metric", "published_figures", ["metric"], unique=False)
    op.create_table(
        "results",
        sa.Column("machine_id", sa.Uuid(), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("series_id", sa.Integer(), nullable=False),
        sa.Column("doubtful", sa.Boolean(), nullable=False),
        sa.Column("median", sa.Double(), nullable=False),
        sa.Column("samples", postgresql.ARRAY(sa.Double()), nullable=False),
        sa.Column("flags", postgresql.ARRAY(sa.Text()), nullable=True),
        sa.Column("printed", sa.Text(), nullable=True),
        sa.Column("qualifier", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["machine_id", "run_id"],
            ["runs.machine_id", "runs.run_id"],
            name=op.f("fk_results_machine_id_run_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("machine_id", "run_id", "series_id", name=op.f("pk_results")),
    )
    op.create_index("ix_results_series_id", "results", ["series_id"], unique=False)


def downgrade() -> None:
    op.drop_index("ix_results_series_id", table_name="results")
    op.drop_table("results")
    op.drop_index("ix_published_figures_metric", table_name="published_figures")
    op.drop_table("published_figures")
    op.drop_table("documents")
    op.drop_index("ix_runs_received_at", table_name="runs")
    op.drop_table("runs")
    op.drop_table("run_ids")
    op.drop_table("machines")
    op.drop_table("tokens")
    op.drop_table("series")
    op.drop_table("fleets")
    op.drop_table("comparisons")
