"""Build run documents from published figures: what the article states, and nothing else."""

from __future__ import annotations

import uuid
from collections.abc import Iterator

from macmeter import Json, catalog
from macmeter.documents.document import SCHEMA

from published.figures import (
    STORED,
    Article,
    Disposition,
    Facts,
    Figure,
    Setup,
    articles,
    devices,
    machines,
)
from published.printed import Printed, read_printed

# Never change this: every id below is derived from it.
NAMESPACE = uuid.UUID("6f1c6f0e-0d0b-5b52-9d5e-0a8e1c1f7d21")


def documents() -> Iterator[Json]:
    """Yield a run document for each figure that is a result, a ratio or a range; deterministic."""
    for article in articles():
        for figure in article.figures:
            if figure.disposition in STORED and figure.metric is not None:
                yield document(article, figure)


def run_id(row: str) -> uuid.UUID:
    return uuid.uuid5(NAMESPACE, row)


def machine_id(name: str) -> uuid.UUID:
    return uuid.uuid5(NAMESPACE, f"machine:{name}")


def document(article: Article, figure: Figure) -> Json:
    setup = figure.setup
    metric = catalog.METRICS[figure.metric or ""]
    if setup is None:
        raise ValueError(f"{figure.row}: a stored figure names its setup")
    return {
        "schema": SCHEMA,
        "id": str(run_id(figure.row)),
        "suite": metric.suite,
        "source": "published",
        "state": "complete",
        "method": {"version": 1, **setup.method},
        **({"tool": dict(setup.tool)} if setup.tool else {}),
        "citation": _citation(article, figure),
        "machine": {"id": str(machine_id(setup.machine)), **machines()[setup.machine]},
        **_place(setup),
        **_figure(figure, metric),
        "warnings": [_warning(figure, code) for code in _flags(figure, setup)],
    }


def _citation(article: Article, figure: Figure) -> Json:
    return {
        "article": article.slug,
        "title": article.title,
        "author": article.author or article.publisher,
        "publisher": article.publisher,
        **({"published": article.published} if article.published else {}),
        "row": figure.row,
    }


def _place(setup: Setup) -> Json:
    """Environment and target; a device's name and the host's machine are filled in."""
    place: Json = {}
    environment = dict(setup.environment)
    if setup.virtual_machine is not None:
        facts = dict(setup.virtual_machine)
        host = facts.pop("host", None)
        if host is not None:
            facts["host_machine_id"] = str(machine_id(host))
        environment["virtual_machine"] = facts
    if environment:
        place["environment"] = environment
    if setup.target is not None:
        place["target"] = _target(setup.target)
    return place


def _target(facts: Facts) -> Json:
    """`facts` with the known details of its device, and of its image host's device, filled in."""
    target = dict(facts)
    device = target.pop("device", None)
    target = {**devices()[device], **target} if device else target
    if "image" in target:
        image = dict(target["image"])
        if "host" in image:
            image["host"] = _target(image["host"])
        target["image"] = image
    return target


def _figure(figure: Figure, metric: catalog.Metric) -> Json:
    printed = read_printed(figure.printed)
    if printed is None:
        raise ValueError(f"{figure.row}: no figure in {figure.printed!r}")
    qualifier = {"qualifier": figure.qualifier} if figure.qualifier else {}
    base: Json = {"metric": metric.name}
    parameters = dict(figure.parameters)
    match figure.disposition:
        case Disposition.RATIO:
            # The ratio's case decides its group.
            parameters |= {name: value for name, value in figure.of.items() if _of_samples(name)}
            ends: Json = {"of": dict(figure.of), "to": dict(figure.to)}
            ratio = {"value": printed.low, **ends, **qualifier, "printed": figure.printed}
            return {"published_ratios": [base | _some(parameters) | ratio]}
        case Disposition.RANGE:
            low_high = {"low": _number(printed.low), "high": _number(printed.high)}
            ends = {**low_high, **qualifier, "printed": figure.printed}
            return {"published_ranges": [base | _some(parameters) | ends]}
        case _:
            values = {"values": [_single(figure, printed)], "printed": [figure.printed]}
            return {"series": [base | _some(parameters) | values | qualifier]}


def _some(parameters: Json) -> Json:
    return {"parameters": parameters} if parameters else {}


def _of_samples(name: str) -> bool:
    return catalog.DIMENSIONS[name].of == "sample"


def _single(figure: Figure, printed: Printed) -> int | float:
    if not printed.single:
        raise ValueError(f"{figure.row}: a range isn't a result")
    return _number(printed.low)


def _number(value: float) -> int | float:
    return int(value) if value.is_integer() else value


def _warning(figure: Figure, code: str) -> Json:
    """Warning for a flag, with the reason for an inconsistent figure."""
    says_why = code == "inconsistent" and figure.reason
    return {"code": code, "detail": figure.reason} if says_why else {"code": code}


def _flags(figure: Figure, setup: Setup) -> tuple[str, ...]:
    """Cautions of the setup and of the figure, in the catalogue's order."""
    stated = {*setup.flags, *figure.flags}
    return tuple(code for code in catalog.FLAGS if code in stated)
