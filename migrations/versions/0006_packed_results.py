"""Store results in one row per run, without samples, which the documents have; allow other
compression of documents.

Runs are packed a few hundred at a time while older servers store and answer; only what changed
meanwhile is packed at the end, while uploads wait. An interrupted migration resumes where it was.
Once it is done, older servers refuse uploads and agents retry.
"""

from __future__ import annotations

import sys

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

AT_ONCE = 500
# Samples as whole steps of their logarithm, 0.15% each: 16 bits, -32768 for 0.
STEP = """
    int2send(CASE WHEN sample > 0
        THEN greatest(-32767, least(32767, round(ln(sample) / 0.0015)))::int2
        ELSE '-32768'::int2 END)
"""
PACK = f"""
    INSERT INTO run_results
    SELECT chosen.machine_id, chosen.run_id, coalesce(series, '{{}}'), coalesce(medians, '{{}}'),
        coalesce(counts, '{{}}'), doubtful, coalesce(steps, ''), said
    FROM chosen CROSS JOIN LATERAL (
        SELECT array_agg(series_id ORDER BY series_id) AS series,
            array_agg(median ORDER BY series_id) AS medians,
            array_agg(cardinality(samples) ORDER BY series_id) AS counts,
            CASE WHEN bool_or(doubtful) THEN array_agg(doubtful ORDER BY series_id) END AS doubtful,
            string_agg((
                SELECT string_agg({STEP}, ''::bytea ORDER BY place)
                FROM unnest(samples) WITH ORDINALITY AS one (sample, place)
            ), ''::bytea ORDER BY series_id) AS steps,
            jsonb_object_agg(series_id, jsonb_strip_nulls(jsonb_build_object(
                'flags', flags, 'printed', printed, 'qualifier', qualifier
            ))) FILTER (WHERE num_nonnulls(flags, printed, qualifier) > 0) AS said
        FROM results
        WHERE results.machine_id = chosen.machine_id AND results.run_id = chosen.run_id
    ) AS packed
"""  # noqa: S608 - nobody's words but ours
# Rows are locked so that a run deleted meanwhile stays deleted.
SOME = f"""
    WITH chosen AS MATERIALIZED (
        SELECT machine_id, run_id FROM runs
        WHERE (machine_id, run_id) > (:machine_id, :run_id)
        ORDER BY machine_id, run_id LIMIT {AT_ONCE} FOR KEY SHARE
    ), written AS (
        {PACK} ON CONFLICT DO NOTHING
    )
    SELECT machine_id, run_id, count(*) OVER () AS runs FROM chosen
    ORDER BY machine_id DESC, run_id DESC LIMIT 1
"""  # noqa: S608
LAST = """
    SELECT machine_id, run_id FROM run_results ORDER BY machine_id DESC, run_id DESC LIMIT 1
"""
OUTDATED = """
    DELETE FROM run_results USING changes, packing
    WHERE changes.machine_id = run_results.machine_id AND changes.run_id = run_results.run_id
        AND changes.kind = 'rederived' AND changes.xact >= packing.since
"""
REST = f"""
    WITH chosen AS MATERIALIZED (
        SELECT machine_id, run_id FROM runs
        WHERE NOT EXISTS (SELECT FROM run_results WHERE run_results.machine_id = runs.machine_id
            AND run_results.run_id = runs.run_id)
    )
    {PACK}
"""  # noqa: S608
VIEW = """
    CREATE VIEW results AS
    SELECT machine_id, run_id, one.series_id,
        coalesce(doubtful[one.place], false) AS doubtful, one.median, one.n,
        CASE WHEN said -> one.series_id::text -> 'flags' IS NOT NULL
            THEN ARRAY(SELECT jsonb_array_elements_text(said -> one.series_id::text -> 'flags'))
        END AS flags,
        said -> one.series_id::text ->> 'printed' AS printed,
        said -> one.series_id::text ->> 'qualifier' AS qualifier
    FROM run_results CROSS JOIN LATERAL unnest(series, medians, counts) WITH ORDINALITY
        AS one (series_id, median, n, place)
"""


def upgrade() -> None:
    with op.get_context().autocommit_block():
        _begin()
        _pack()
    # Blocks storing, deleting and rederiving until this is committed, but no reads.
    op.execute("LOCK TABLE runs IN SHARE ROW EXCLUSIVE MODE")
    op.execute(OUTDATED)
    op.execute(REST)
    op.execute("DROP TABLE results")
    op.execute("DROP TABLE packing")
    op.execute(VIEW)
    op.alter_column("documents", "deflated", new_column_name="compressed")
    # Keep documents of up to half a page in their row: TOAST would take more space and more WAL.
    op.execute("ALTER TABLE documents SET (toast_tuple_target = 4080)")
    op.execute("ALTER TABLE documents ALTER COLUMN compressed SET STORAGE EXTERNAL")


def _begin() -> None:
    """Create the new table, and note since when to check its rows against the change log."""
    connection = op.get_bind()
    if sa.inspect(connection).has_table("packing"):
        if not connection.scalar(
            sa.text("SELECT true FROM packing, change_log WHERE pruned_xact >= since")
        ):
            return
        # The log has been pruned since: it no longer covers the interrupted attempt.
        op.execute("DROP TABLE packing")
        op.execute("DROP TABLE run_results")
    key = ("machine_id", "run_id")
    op.create_table(
        "run_results",
        sa.Column("machine_id", sa.Uuid(), nullable=False),
        sa.Column("run_id", sa.Uuid(), nullable=False),
        sa.Column("series", postgresql.ARRAY(sa.Integer()), nullable=False),
        sa.Column("medians", postgresql.ARRAY(sa.Double()), nullable=False),
        sa.Column("counts", postgresql.ARRAY(sa.Integer()), nullable=False),
        sa.Column("doubtful", postgresql.ARRAY(sa.Boolean()), nullable=True),
        sa.Column("steps", sa.LargeBinary(), nullable=False),
        sa.Column("said", postgresql.JSONB(), nullable=True),
        sa.ForeignKeyConstraint(
            key,
            ["runs.machine_id", "runs.run_id"],
            name=op.f("fk_run_results_machine_id_run_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint(*key, name=op.f("pk_run_results")),
        sa.CheckConstraint(
            "cardinality(medians) = cardinality(series)"
            " AND cardinality(counts) = cardinality(series)"
            " AND coalesce(cardinality(doubtful), cardinality(series)) = cardinality(series)",
            name=op.f("ck_run_results_alike"),
        ),
        if_not_exists=True,
    )
    # Transactions still running at this point may have been read in their old state.
    op.execute("CREATE TABLE packing AS SELECT pg_snapshot_xmin(pg_current_snapshot()) AS since")


def _pack() -> None:
    """Pack all runs in batches, each in its own transaction."""
    connection = op.get_bind()
    total = connection.scalar(sa.text("SELECT count(*) FROM runs"))
    done = connection.scalar(sa.text("SELECT count(*) FROM run_results"))
    last = connection.execute(sa.text(LAST)).one_or_none()
    nobody = "00000000-0000-0000-0000-000000000000"
    at = {"machine_id": nobody, "run_id": nobody}
    if last is not None:
        at = {"machine_id": last.machine_id, "run_id": last.run_id}
    told = 0
    while last := connection.execute(sa.text(SOME), at).one_or_none():
        at = {"machine_id": last.machine_id, "run_id": last.run_id}
        done += last.runs
        if done - told >= 20 * AT_ONCE:
            told = done
            of_all = f"{done:,} of {max(done, total):,}"
            print(f"packed the results of {of_all} runs", file=sys.stderr, flush=True)


def downgrade() -> None:
    """Downgrade only without runs: older versions can't read this one's documents or results."""
    if op.get_bind().scalar(sa.text("SELECT EXISTS (SELECT FROM runs)")):
        msg = "older versions can't read these runs: restore a backup that one of them has made"
        raise RuntimeError(msg)
    op.execute("ALTER TABLE documents RESET (toast_tuple_target)")
    op.execute("ALTER TABLE documents ALTER COLUMN compressed SET STORAGE DEFAULT")
    op.alter_column("documents", "compressed", new_column_name="deflated")
    op.execute("DROP VIEW results")
    op.drop_table("run_results")
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
    op.create_index(op.f("ix_results_series_id"), "results", ["series_id"])
