"""Answers, or sides, with the figures that describe them, stored in `tests/figures/*.json`.

Figures are built in one place (backend/macmeter/charts); these files pin their content. Pictures
and pages draw it: test_figures.py and tests/e2e/figures.spec.ts compare what a reader gets from
each with the stored figure.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from macmeter.charts.build import figure_of
from macmeter.charts.figure import to_json

Json = dict[str, Any]
FOLDER = Path(__file__).parents[1] / "figures"


def paths() -> list[Path]:
    """Paths of the answers, without the catalogue and the pages' questions in the same folder."""
    excluded = ("catalog.json", "views.json")
    return sorted(path for path in FOLDER.glob("*.json") if path.name not in excluded)


def answer_of(name: str) -> Any:
    """The answer of `tests/figures/NAME.json`."""
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))["answer"]


def told(answer: Any) -> Json:
    """The figure as sent to clients, in JSON's own types."""
    figure: Json = json.loads(json.dumps(to_json(figure_of(answer))))
    return figure


def main() -> None:
    """Rewrite the figure of each answer. Read the changes before you keep them."""
    for path in paths():
        answer = json.loads(path.read_text(encoding="utf-8"))["answer"]
        content = {"answer": answer, "figure": told(answer)}
        path.write_text(json.dumps(content, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
