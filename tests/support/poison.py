"""Broken rows that must not affect others: documents from older versions, and worse."""

from __future__ import annotations

import hashlib
import json
import re
import uuid
from collections.abc import Callable
from typing import Any

from macmeter.documents.compression import compressed, uncompressed
from macmeter.models import Document
from sqlalchemy import select, text, update

from support.databases import transaction

Change = Callable[[bytes], bytes]


def _with(**members: Any) -> Change:
    return lambda content: json.dumps(json.loads(content) | members).encode()


def _beside(member: bytes) -> Change:
    """Append a member, verbatim."""
    return lambda content: content.rstrip()[:-1] + b"," + member + b"}"


def _is(content: bytes) -> Change:
    return lambda _: content


# Changes of a document by what is wrong with the result. The first part stays readable JSON.
READABLE: dict[str, Change] = {
    "agent is null": _with(agent=None),
    "agent is a text": _with(agent="0.1.0"),
    "agent is a list": _with(agent=[]),
    "version is a number": _with(agent={"version": 1}),
    "version is an object": _with(agent={"version": {"major": 1}}),
    "environment is null": _with(environment=None),
    "target is null": _with(target=None),
    "labels are null": _with(labels=None),
    "warnings are null": _with(warnings=None),
    "traces are null": _with(traces=None),
    "an integer of 401 digits": _beside(b'"x":' + b"1" * 401),
    "an integer of 5,000 digits": _beside(b'"x":-' + b"1" * 5000),
    "nested 500 deep": _beside(b'"x":' + b"[" * 500 + b"]" * 500),
    "a number too large": _beside(b'"x":1e999'),
    "a lone surrogate": _beside(b'"x":"\\ud800"'),
    "a key twice": _beside(b'"suite":"disk"'),
    "written over lines": lambda content: json.dumps(json.loads(content), indent=1).encode(),
}
UNREADABLE: dict[str, Change] = {
    "NaN": _beside(b'"x":NaN'),
    "series are a text": _with(series="none"),
    "series are numbers": _with(series=[1, 2]),
    "a series without a metric": _with(series=[{"values": [1.0]}]),
    "values are null": _with(series=[{"metric": "disk.write_average", "values": None}]),
    "values are texts": _with(series=[{"metric": "disk.write_average", "values": ["fast"]}]),
    "a value of 401 digits": lambda content: re.sub(
        rb'("values": *\[)', rb"\g<1>" + b"1" * 401 + b",", content
    ),
    "warnings are nulls": _with(warnings=[None]),
    "nested 50,000 deep": _beside(b'"x":' + b"[" * 50_000 + b"]" * 50_000),
    "a list": _is(b"[]"),
    "null": _is(b"null"),
    "nothing": _is(b""),
    "not JSON": _is(b"{"),
    "not UTF-8": _is(b'{"x":"\xff"}'),
}
DAMAGED = "not compressed"
DOCUMENTS = (*READABLE, *UNREADABLE, DAMAGED)


def poison(database_url: str, run_id: str, kind: str) -> None:
    """Replace a run's stored document with a broken one, bypassing every check."""
    with transaction(database_url) as connection:
        is_run = Document.run_id == uuid.UUID(run_id)
        values: dict[str, Any] = {"compressed": b"\0\1\2\3"}
        if kind != DAMAGED:
            stored = connection.scalar(select(Document.compressed).where(is_run))
            content = (READABLE | UNREADABLE)[kind](uncompressed(stored or b""))
            values = {
                "compressed": compressed(content),
                "sha256": hashlib.sha256(content).digest(),
                "size": len(content),
            }
        connection.execute(update(Document).where(is_run).values(**values))


# Changes of a run's rows to values that no version of ours writes.
ROWS = {
    "flags that nobody knows": 'UPDATE runs SET flags = \'{eclipse,"a b",""}\'',
    "labels that are a list": "UPDATE runs SET labels = '[1, null]'",
    "labels that are objects": """UPDATE runs SET labels = '{"rack": {"x": 1}}'""",
    "a citation that is a number": "UPDATE runs SET citation = '7'",
    "a month that is a path": "UPDATE runs SET month = '../../etc', suite = 'x/../y'",
    "a suite that nobody knows": "UPDATE runs SET suite = 'eclipse', method = ''",
    "a holder that is a text": """UPDATE runs SET holder = '"internal"'""",
    "a median that is infinite": "UPDATE run_results SET medians[1] = 'Infinity'",
    "a median that is not a number": "UPDATE run_results SET medians[1] = 'NaN'",
    "flags of a result that are a number": "UPDATE run_results SET said ="
    """ jsonb_build_object(series[1], '{"flags": 7}'::jsonb)""",
    "a metric that nobody knows": "WITH made AS (INSERT INTO series (metric, parameters) VALUES"
    " ('disk.eclipse', jsonb_build_object('x', CAST(:id AS text))) RETURNING series_id)"
    " UPDATE run_results SET series[1] = (SELECT series_id FROM made)",
    "a start without end": "UPDATE runs SET started_at = 'infinity', finished_at = '-infinity'",
    "a start before Christ": "UPDATE runs SET started_at = '0044-03-15 BC'",
    "an end in the far future": "UPDATE runs SET finished_at = '20000-01-01'",
    "no document": "DELETE FROM documents",
}


def spoil(database_url: str, run_id: str, kind: str) -> None:
    """Break the rows of a run."""
    condition = "WHERE run_id = CAST(:id AS uuid)"
    with transaction(database_url) as connection:
        connection.execute(text(f"{ROWS[kind]} {condition}"), {"id": run_id})
