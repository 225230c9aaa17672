"""SQL that computes an answer's figures from the public files, for anybody to run."""

import uuid
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.scope import Principal, scope_of
from macmeter.accounts.visibility import ANYBODY
from macmeter.platform.errors import Problem
from macmeter.questions.question import Question
from macmeter.questions.relative import reference_question
from macmeter.results.context import Reading, begin_reading
from macmeter.results.dataset.public import MetricSelection, figures_statement
from macmeter.results.dataset.versions import Version, covering

# Maximum number of runs, missing from the files, that a comment lists.
_MAX_LISTED_RUNS = 20


class VersionFiles(NamedTuple):
    """Where versions of the public files are: the data set's directory and the server's address."""

    root: Path
    address: str


async def public_statement(
    connection: AsyncConnection,
    question: Question,
    reader: Principal | None,
    files: VersionFiles,
    now: datetime,
) -> str:
    """Return the statement over the newest version, which is made if necessary.

    Raise 403 if not all of the answer is public.
    """
    reading = await begin_reading(connection, ANYBODY)
    await _require_public(reading, question, reader)
    version, newer_runs = await covering(reading, files.root, question.metrics, now)
    return render_statement(question, version, newer_runs, files.address)


async def version_for(reading: Reading, question: Question, now: datetime) -> str | None:
    """Return the version whose files give exactly this public answer; None if none can now."""
    assert reading.connection.sync_connection is not None
    root = reading.connection.sync_connection.get_execution_options().get("dataset")
    if root is None:
        return None
    try:
        await _require_public(reading, question, ANYBODY)
        version, newer_runs = await covering(reading, root, question.metrics, now)
    except Problem:
        return None
    return None if newer_runs else version.name


async def _require_public(reading: Reading, question: Question, reader: Principal | None) -> None:
    """Raise 403 unless the public files have all that the question is about."""
    terms = (*question.where, *question.relative_to)
    scope = (await scope_of(reading.connection, reader)).asked(question.where)
    if "fleet" in question.by or any(term.dimension == "fleet" for term in terms):
        detail = "The public files don't say whose a Mac is. Ask without fleet."
    elif scope.macs or scope.fleet_ids - reading.data.public_fleets:
        detail = "Your token also reads runs that aren't public. Ask without it."
    else:
        return
    raise Problem(403, "not_public", "Not public", detail)


def render_statement(
    question: Question, version: Version, newer_runs: Sequence[uuid.UUID], address: str
) -> str:
    """Return the statement, after comments that say what it answers; `address` is the server's."""
    named_questions = [("figure", question)]
    if question.relative_to:
        named_questions.append(("reference", reference_question(question)))
    selections = [
        (name, q.by, q.of_metric(metric))
        for metric in question.metrics
        for name, q in named_questions
    ]
    metric_selections = [
        MetricSelection(name, q.metric, by, q.where, q.flagged) for name, by, q in selections
    ]
    files_url = f"{address}/api/v1/dataset/{version.name}"
    return _comments(question, version, newer_runs, address) + figures_statement(
        metric_selections, question.by, files_url, is_by_run=question.weight == "run"
    )


def _comments(
    question: Question, version: Version, newer_runs: Sequence[uuid.UUID], address: str
) -> str:
    at = version.made_at.isoformat(timespec="seconds")
    count = len(newer_runs)
    lines = [
        f"Question: {address}/api/v1/answer?{question.canonical}",
        f"Data set: {address}/api/v1/dataset/{version.name}, kept until"
        f" {version.kept_until.isoformat(timespec='seconds')} or longer. Licence: CC0 1.0",
        f"{count} run{'s were' if count != 1 else ' was'} newer than these files at {at}"
        + (": without them, figures may differ." if count else "."),
        *(f"  {address}/api/v1/runs/{run_id}" for run_id in newer_runs[:_MAX_LISTED_RUNS]),
        *(["  and others"] if count > _MAX_LISTED_RUNS else []),
        "docs/dataset.md shows how ratios and intervals follow from medians and machine_values.",
    ]
    return "".join(f"-- {line}\n" for line in lines)
