"""What a picture is made from, written down as the dashboard's own test writes down its page.

`tests/figures/*.json` hold answers with what page and picture must both make of them. This is the
picture's side; the page's is frontend/src/figures/figures.test.ts.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from macmeter.figures.cases import Cases
from macmeter.figures.content import AnswerContent, Part
from macmeter.figures.panels import Panel, Panels
from macmeter.figures.words import filters_in_words

Json = dict[str, Any]
FOLDER = Path(__file__).parents[1] / "figures"


def paths() -> list[Path]:
    """The answers; beside them lie what others share: the catalogue, and the pages' questions."""
    others = ("catalog.json", "views.json")
    return sorted(path for path in FOLDER.glob("*.json") if path.name not in others)


def figure_of(answer: Json) -> Json:
    """Titles, axes, units, digits, counts and notes: everything but where it is drawn."""
    content = AnswerContent(answer)
    return {
        "title": content.asked,
        "mixed": content.mixed,
        "filters": filters_in_words(content.question),
        "runs": content.runs,
        "sources": content.sources.in_words(),
        "flags": [
            {"letter": flag.letter, "sentence": flag.sentence, "runs": flag.runs}
            for flag in content.flags
        ],
        "parts": [_part(part) for part in content.parts],
    }


def _part(part: Part) -> Json:
    cases = part.cases
    panels = part.panels
    targets = part.targets.points if part.targets else []
    return {
        "kind": "points" if part.targets else "lines" if panels else "cases",
        "axis": panels.axis if panels else None,
        "unit": cases.scale.symbol,
        "cases": _cases(cases),
        "panels": [_panel(panel, panels) for panel in panels.panels] if panels else [],
        "points": [
            {
                "label": target.label,
                "texts": list(target.texts),
                "hollow": target.hollow,
                "doubted": target.doubted,
                "dagger": target.dagger,
            }
            for target in targets
        ],
    }


def _cases(cases: Cases) -> list[Json]:
    return [
        {
            "heading": case.heading,
            "label": case.label,
            "lanes": [
                {
                    "metric": lane.metric,
                    "name": lane.name,
                    "mark": lane.mark,
                    "text": f"{lane.text} {lane.of}".strip(),
                    "dagger": lane.dagger,
                    "method": lane.method,
                    "behind": lane.weight,
                    "mixes": lane.mixes,
                    "hollow": lane.hollow,
                    "doubted": lane.doubted,
                    "band": lane.band is not None,
                    "interval": lane.interval is not None,
                }
                for lane in case.lanes
            ],
        }
        for case in cases.cases
    ]


def _panel(panel: Panel, panels: Panels) -> Json:
    return {
        "title": panel.title,
        "series": [
            {
                "label": series.label,
                "dagger": series.dagger,
                "mark": series.mark,
                "dash": series.dash,
                "hollow": series.hollow,
                "whiskers": any(point.whisker for point in series.points),
                # Each list is joined by one line, and nothing from one to the next.
                "stretches": [
                    [[point.x, point.text] for point in stretch]
                    for stretch in panels.stretches(series)
                ],
            }
            for series in panel.series
        ],
    }


def main() -> None:
    """Writes down anew what pictures make of each answer; then the page's test has to agree."""
    for path in paths():
        answer = json.loads(path.read_text(encoding="utf-8"))["answer"]
        written = {"answer": answer, "figure": figure_of(answer)}
        path.write_text(json.dumps(written, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
