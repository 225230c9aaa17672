"""Where JSON has no type: what others write, by those who read it. All else is a type of ours."""

from __future__ import annotations

import re
from pathlib import Path

import macmeter

ROOT = Path(macmeter.__file__).parent
# Why members are not named here, and who handles such JSON.
REASONS = {
    "a run document, with members that nobody knows yet": (
        "answers/machines answers/runs documents/derive documents/document documents/faults",
        "documents/parse documents/read documents/samples documents/stored queries/runs",
        "transfer/record",
        "ingest/published/build ingest/published/pairs ingest/published/table",
    ),
    "a demo Mac's document, as an agent would write it, and the truth beside it": (
        "demo/disk demo/documents demo/laws demo/loading demo/power demo/target",
        "demo/threads demo/truth",
    ),
    "a column of jsonb, whose shape is that of whoever writes it": (
        "models/alerts models/audit models/base models/comparisons models/fleets models/people",
        "models/runs",
    ),
    "a passkey, as browsers and WebAuthn have it": (
        "access/passkeys api/account api/account_schemas api/invitations api/session",
    ),
    "an organisation's sign-in, and what its state was begun with": (
        "access/challenges access/oidc",
    ),
    "all that tables have of a person, and details of acts": ("fleets/personal fleets/shapes",),
    "OpenAPI, JSON Schema and what FastAPI and Pydantic hand over": (
        "api/feeds api/openapi api/pictures api/schemas main",
    ),
    "what an error or a line of the log adds": ("api/batches errors observing/logs",),
    "a table that is read from a file, and libpq's options": (
        "chips database ingest/published/figures",
    ),
}
KNOWN = {name for parts in REASONS.values() for names in parts for name in names.split()}


def modules_with(pattern: str) -> set[str]:
    return {
        path.relative_to(ROOT).with_suffix("").as_posix()
        for path in ROOT.rglob("*.py")
        if re.search(pattern, path.read_text(encoding="utf-8"))
    }


def test_json_without_a_type_has_one_name() -> None:
    assert modules_with(r"dict\[str, Any\]") == {"untyped"}


def test_whoever_handles_it_has_a_reason() -> None:
    assert modules_with(r"(?m)^from macmeter\.untyped import Json$") == KNOWN
