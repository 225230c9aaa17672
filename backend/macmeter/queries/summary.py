"""A question in words, for titles and link previews."""

from __future__ import annotations

from typing import Any

from macmeter import catalog
from macmeter.queries.question import Term, print_value


def in_a_sentence(question: dict[str, Any]) -> str:
    """ "Write speed, whole run by storage and encryption; chip family M4"."""
    titles = [catalog.METRICS[metric].title for metric in question["metrics"]]
    text = " and ".join(titles)
    if question["by"]:
        text += " by " + " and ".join(_title(name).lower() for name in question["by"])
    filters = [f"{_title(term['dimension']).lower()} {_value(term)}" for term in question["where"]]
    return "; ".join([text, *filters])


def in_words(terms: tuple[Term, ...]) -> str:
    """ "Apple M4, USB4": the values alone; "everything" where nothing is filtered."""
    return ", ".join(_value(vars(term) | {"op": term.op.value}) for term in terms) or "everything"


def _title(name: str) -> str:
    found = catalog.dimension(name)
    return found.title if found else name


def _value(term: dict[str, Any]) -> str:
    if term["op"] in ("range", "not_range"):
        ends = [print_value(term[end]) or "…" for end in ("low", "high")]
        written = " to ".join(ends)
    else:
        found = catalog.dimension(term["dimension"])
        value = term["value"]
        named = found.values.get(value) if found and isinstance(value, str) else None
        written = named or print_value(value) or "not stated"
    return f"not {written}" if term["op"].startswith("not") else written
