"""The tables of a Macmeter database, whatever version made them."""

from __future__ import annotations

from sqlalchemy import Connection, text

_TABLES = text("""
    SELECT relname FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
        AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
    ORDER BY relname
""")
# What a schema consists of, except for what belongs to an extension or goes with its table. All is
# named before anything is dropped: a table takes its views along, and those have no name then.
_CLEAR = """
    DO $$
    DECLARE
        commands text[] := ARRAY(
            SELECT format('DROP %s IF EXISTS %s CASCADE', CASE relkind
                    WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW'
                    WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END, oid::regclass)
                FROM pg_class c
                WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S')
                    AND NOT EXISTS (SELECT FROM pg_depend d
                        WHERE d.objid = c.oid AND d.deptype IN ('a', 'e', 'i'))
            UNION ALL
            SELECT format('DROP ROUTINE IF EXISTS %s CASCADE', oid::regprocedure) FROM pg_proc p
                WHERE pronamespace = 'public'::regnamespace
                    AND NOT EXISTS (SELECT FROM pg_depend d
                        WHERE d.objid = p.oid AND d.deptype = 'e')
            UNION ALL
            SELECT format('DROP TYPE IF EXISTS %s CASCADE', oid::regtype) FROM pg_type t
                WHERE typnamespace = 'public'::regnamespace AND typtype IN ('d', 'e')
                    AND NOT EXISTS (SELECT FROM pg_depend d
                        WHERE d.objid = t.oid AND d.deptype = 'e')
        );
        command text;
    BEGIN
        FOREACH command IN ARRAY commands LOOP
            EXECUTE command;
        END LOOP;
    END
    $$
"""


def tables(connection: Connection) -> list[str]:
    return list(connection.scalars(_TABLES))


def count(connection: Connection, table: str) -> int:
    """Rows of a table that `tables` has named."""
    quoted = connection.dialect.identifier_preparer.quote(table)
    counted = connection.scalar(text(f"SELECT count(*) FROM {quoted}"))  # noqa: S608
    return int(counted or 0)


def clearing() -> str:
    """The statement that drops everything of Macmeter's and nothing of an extension's."""
    return _CLEAR
