"""Some runs by their keys, as a table to be joined with: each is then looked up by its key."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from sqlalchemy import ARRAY, ColumnElement, Uuid, and_, column, func, literal
from sqlalchemy.sql.selectable import TableValuedAlias

from macmeter.models import Document, PublishedFigure, Result, Run

Key = tuple[uuid.UUID, uuid.UUID]
"""A run's machine and its id."""


def keyed(keys: Sequence[Key]) -> TableValuedAlias:
    """One row a key."""
    arrays = (literal([key[place] for key in keys], ARRAY(Uuid)) for place in (0, 1))
    columns = (column("machine_id", Uuid), column("run_id", Uuid))
    return func.unnest(*arrays).table_valued(*columns, name="among").render_derived()


def is_of(
    among: TableValuedAlias, model: type[Run | Result | Document | PublishedFigure]
) -> ColumnElement[bool]:
    """Whether a row is of one of those keys."""
    columns: Any = among.c
    return and_(model.machine_id == columns.machine_id, model.run_id == columns.run_id)
