"""Generate committed files from the code, so that a change of contract shows.

Includes the published figures that a server serves. `tools/exports.py` writes them into the
checkout; with `--check` it only reports which are stale, and with `--openapi` it prints the HTTP
contract.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
from contract_text import contract
from macmeter.catalog import DIMENSIONS, METRICS, Kind, Trait, having
from macmeter.catalog.terms import MOST_GROUPED
from macmeter.charts.catalogue import render_catalogue
from macmeter.charts.cells import GRID_COLUMNS
from macmeter.platform.settings import CHECKOUT, Settings
from macmeter.results.dataset.corpus import COLUMNS
from macmeter.server.main import create_app, document_schema
from published.build import documents
from published.sources import sources
from published.table import table

DATASET_GUIDE = Path("docs/dataset.md")


def openapi() -> dict[str, Any]:
    """The HTTP contract, from which the types of the dashboard's client are made."""
    # No connection is made before the first request.
    return create_app(Settings(database_url="postgresql://nowhere/none")).openapi()


def catalog() -> str:
    """Content of /api/v1/catalog: the words that page and picture share, for tests of both."""
    return (
        json.dumps(orjson.loads(orjson.dumps(render_catalogue())), indent=1, ensure_ascii=False)
        + "\n"
    )


def traits() -> str:
    """What the dashboard has to know before it has the catalogue: dimensions by trait, those that
    are numbers or columns of a grid, how many a question groups by, and what each metric requires.
    """
    exported = (Trait.AXIS, Trait.CASES, Trait.GROUPS_FIRST, Trait.TELLS_VIEWS)
    facts: dict[str, Any] = {trait.value: having(trait) for trait in exported}
    facts["numbers"] = [name for name, item in DIMENSIONS.items() if item.kind is Kind.NUMBER]
    facts["grid"] = [*GRID_COLUMNS]
    facts["most_grouped"] = MOST_GROUPED
    facts["required"] = {name: item.required for name, item in METRICS.items() if item.required}
    return json.dumps(facts, indent=1) + "\n"


def dataset_guide() -> str:
    """docs/dataset.md with the columns that the data set has."""
    text = (CHECKOUT / DATASET_GUIDE).read_text(encoding="utf-8")
    head, heading, rest = text.partition("| column | type | unit | |\n|---|---|---|---|\n")
    if not heading:
        raise ValueError(f"{DATASET_GUIDE} has no table of columns")
    end = re.sub(r"\A(\|.*\n)*", "", rest)
    rows = (f"| `{col.name}` | {col.type} | {col.unit or ''} | {col.about} |\n" for col in COLUMNS)
    return head + heading + "".join(rows) + end


def published_documents() -> str:
    """Run documents, one per line, as the bytes that the server stores."""
    return "".join(orjson.dumps(run).decode() + "\n" for run in documents())


def published_sources() -> str:
    """Content of /api/v1/sources."""
    return json.dumps(sources(), indent=1, ensure_ascii=False) + "\n"


PUBLISHED = Path("backend/macmeter/runs/published")
EXPORTS: dict[Path, Callable[[], str]] = {
    PUBLISHED / "documents.ndjson": published_documents,
    PUBLISHED / "sources.json": published_sources,
    Path("docs/contract.txt"): lambda: contract(openapi()),
    Path("docs/published.md"): table,
    Path("docs/run.v1.schema.json"): document_schema,
    DATASET_GUIDE: dataset_guide,
    Path("frontend/src/api/traits.json"): traits,
    Path("tests/figures/catalog.json"): catalog,
}


def stale(checkout: Path = CHECKOUT) -> list[Path]:
    """Exports whose committed text differs from what the code generates."""
    return [path for path, make in EXPORTS.items() if _text(checkout / path) != make()]


def _text(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None


def main() -> None:
    if "--openapi" in sys.argv[1:]:
        json.dump(openapi(), sys.stdout)
        return
    paths = stale()
    if "--check" in sys.argv[1:]:
        if paths:
            sys.exit(f"stale, run make generate: {', '.join(map(str, paths))}")
        return
    for path in paths:
        (CHECKOUT / path).write_text(EXPORTS[path](), encoding="utf-8")
        print(f"wrote {path}")


if __name__ == "__main__":
    main()
