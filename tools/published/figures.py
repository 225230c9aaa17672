"""The published figures as the project keeps them: one CSV and one JSON file per article.

`articles/<slug>.csv` has a line for each figure that the article prints: what it is in our words,
its digits as printed, and how it is used. `articles/<slug>.json` has the citation and the `setups`
that lines name: machine, environment, target, method, tool and cautions, each overriding what is
`common` to the article. Missing means that the article says nothing.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from macmeter import Json, catalog
from macmeter.catalog.terms import Value

_FOLDER = Path(__file__).parent
Facts = Mapping[str, Any]


class Disposition(StrEnum):
    """Use of a figure; only the first three are stored, each as its own document."""

    RESULT = "result"
    RATIO = "ratio"
    RANGE = "range"
    REPEAT = "repeat"
    CHIP_FACT = "chip_fact"
    CLAIM = "claim"
    SETTING = "setting"
    OBSERVATION = "observation"


STORED = {Disposition.RESULT, Disposition.RATIO, Disposition.RANGE}


@dataclass(frozen=True)
class Setup:
    """The conditions of a measurement; `flags` are the article's own cautions."""

    machine: str
    method: Facts
    environment: Facts
    virtual_machine: Facts | None
    target: Facts | None
    tool: Facts | None
    flags: tuple[str, ...]


@dataclass(frozen=True)
class Figure:
    """One printed figure. `see` names other rows: the same measurement, or its other half."""

    row: str
    what: str
    printed: str
    qualifier: str | None
    disposition: Disposition
    metric: str | None
    parameters: Facts
    of: Facts
    to: Facts
    setup: Setup | None
    flags: tuple[str, ...]
    see: tuple[str, ...]
    reason: str | None


@dataclass(frozen=True)
class Article:
    """An article with all its figures; `published` is an ISO date."""

    slug: str
    title: str
    publisher: str
    author: str | None
    published: str | None
    note: str | None
    figures: tuple[Figure, ...]


@cache
def articles() -> tuple[Article, ...]:
    """All articles, with or without figures, sorted by slug."""
    return tuple(map(_article, sorted((_FOLDER / "articles").glob("*.json"))))


@cache
def machines() -> Mapping[str, Facts]:
    """The Macs and VMs that setups name."""
    return _json(_FOLDER / "machines.json")


@cache
def devices() -> Mapping[str, Facts]:
    """Storage devices that targets name; `device_id` pairs encrypted and plain of one device."""
    return _json(_FOLDER / "devices.json")


def _article(path: Path) -> Article:
    entry = _json(path)
    common = entry.get("common", {})
    setups = {name: _setup(common, setup) for name, setup in entry.get("setups", {}).items()}
    return Article(
        slug=path.stem,
        title=entry["title"],
        publisher=entry["publisher"],
        author=entry.get("author"),
        published=entry.get("published"),
        note=entry.get("note"),
        figures=_figures(path.with_suffix(".csv"), setups),
    )


def _setup(common: Facts, setup: Facts) -> Setup:
    facts = {**common, **setup}
    flags = (*common.get("flags", ()), *setup.get("flags", ()))
    return Setup(
        machine=facts["machine"],
        method=facts["method"],
        environment=facts.get("environment", {}),
        virtual_machine=facts.get("virtual_machine"),
        target=facts.get("target"),
        tool=facts.get("tool"),
        flags=tuple(dict.fromkeys(flags)),
    )


def _figures(path: Path, setups: Mapping[str, Setup]) -> tuple[Figure, ...]:
    if not path.exists():
        return ()
    with path.open(encoding="utf-8", newline="") as lines:
        return tuple(_figure(line, setups) for line in csv.DictReader(lines, strict=True))


def _figure(line: dict[str, str], setups: Mapping[str, Setup]) -> Figure:
    return Figure(
        row=line["row"],
        what=line["what"],
        printed=line["printed"],
        qualifier=line["qualifier"] or None,
        disposition=Disposition(line["disposition"]),
        metric=line["metric"] or None,
        parameters=_dimensions(line["parameters"]),
        of=_dimensions(line["of"]),
        to=_dimensions(line["to"]),
        setup=setups[line["setup"]] if line["setup"] else None,
        flags=tuple(line["flags"].split()),
        see=tuple(line["see"].split()),
        reason=line["reason"] or None,
    )


def _dimensions(text: str) -> dict[str, Value]:
    """Parse `threads=4 core_context=Performance/high`, each value as its dimension's kind."""
    pairs = (part.partition("=") for part in text.split())
    return {name: _value(name, value) for name, _, value in pairs}


def _value(name: str, text: str) -> str | int | bool:
    match catalog.DIMENSIONS[name].kind:
        case catalog.Kind.TEXT:
            return text
        case catalog.Kind.NUMBER:
            return int(text)
        case catalog.Kind.BOOLEAN:
            return {"true": True, "false": False}[text]


def _json(path: Path) -> Json:
    value: Json = json.loads(path.read_text(encoding="utf-8"))
    return value
