"""GLOSSARY.md and the code use the same words, as far as a machine can check."""

from __future__ import annotations

import json
import re
from typing import Any, get_args, get_type_hints

import pytest
from macmeter import catalog
from macmeter.accounts import tokens
from macmeter.documents.document import RunDocument
from macmeter.models import Base
from macmeter.platform.settings import CHECKOUT
from macmeter.questions.question import PARAMETERS
from macmeter.server.main import document_schema
from support.contract import openapi

TEXT = (CHECKOUT / "GLOSSARY.md").read_text(encoding="utf-8")
HEAD = re.compile(r"^\*\*(?P<word>[^*]+)\*\*(?P<places>(?: · \w+ `[^`]+`)*)$", re.MULTILINE)
PLACE = re.compile(r"(\w+) `([^`]+)`")


def entries() -> dict[str, str]:
    """Map each word to its explanation."""
    *_, text = TEXT.partition("\n## ")
    found = {}
    heads = list(HEAD.finditer(text))
    for head, following in zip(heads, [*heads[1:], None], strict=True):
        end = following.start() if following else len(text)
        found[head["word"]] = re.sub(r"\n## .*", "", text[head.end() : end]).strip()
    return found


def named(kind: str) -> set[str]:
    """The names that the glossary gives as a table, document, response …"""
    places = [place for head in HEAD.finditer(TEXT) for place in PLACE.findall(head["places"])]
    return {name for of, name in places if of == kind}


def response_fields() -> set[str]:
    schemas: dict[str, Any] = openapi()["components"]["schemas"]
    return {name for schema in schemas.values() for name in schema.get("properties", {})}


def test_every_entry_is_a_word_and_its_explanation() -> None:
    assert len(entries()) > 60
    assert TEXT.count("\n**") == len(entries()), "an entry twice, or a head that is not one"
    for word, explanation in entries().items():
        assert len(explanation) > 15, word
        assert explanation.endswith("."), word


def test_words_that_an_explanation_leans_on_are_explained() -> None:
    for word, explanation in entries().items():
        for other in re.findall(r"(?<!\*)\*([a-z ]+)\*(?!\*)", explanation.replace("\n", " ")):
            assert other in entries() or other.removesuffix("s") in entries(), (word, other)


@pytest.mark.parametrize(
    ("kind", "existing"),
    [
        ("table", set(Base.metadata.tables)),
        ("document", set(json.loads(document_schema())["properties"])),
        ("suite", {metric.suite for metric in catalog.METRICS.values()}),
        ("parameter", set(PARAMETERS)),
    ],
)
def test_what_exists_is_explained_and_what_is_explained_exists(
    kind: str, existing: set[str]
) -> None:
    assert named(kind) == existing


def test_every_field_it_names_exists() -> None:
    assert named("response") <= response_fields()


def test_every_dimension_is_explained_under_its_title() -> None:
    explained = named("dimension")
    assert explained <= set(catalog.DIMENSIONS), (
        f"GLOSSARY.md names unknown dimensions: {explained - set(catalog.DIMENSIONS)}"
    )
    silent = {name for name, found in catalog.DIMENSIONS.items() if not found.about} - explained
    assert not silent, f"explain them in GLOSSARY.md, or with `about` in the catalogue: {silent}"
    for head in HEAD.finditer(TEXT):
        titles = {
            catalog.DIMENSIONS[name].title.lower()
            for kind, name in PLACE.findall(head["places"])
            if kind == "dimension"
        }
        words = f"{head['word']} {entries()[head['word']]}".lower()
        assert [title for title in titles if title not in words] == [], head["word"]


def shown() -> str:
    """Text that people read: of pages, the agent, the catalogue, the API, and guides."""
    guides = sorted((CHECKOUT / "docs").glob("*.md"))
    read = [
        json.dumps(openapi(), ensure_ascii=False),
        *(path.read_text(encoding="utf-8") for path in guides),
    ]
    for folder, pattern in (
        ("frontend/src", "*.ts*"),
        ("agent/Sources", "*.swift"),
        ("backend/macmeter/charts", "*.py"),
        ("backend/macmeter/catalog", "*.py"),
    ):
        for path in sorted((CHECKOUT / folder).rglob(pattern)):
            if ".test." not in path.name:
                text = re.sub(
                    r"^\s*(?://|\*|#).*$", "", path.read_text("utf-8"), flags=re.MULTILINE
                )
                read += re.findall(r"(?:[\"'`>])([^\"'`<>]+)(?=[\"'`<])", text)
    return "\n".join(read).lower()


def test_every_word_is_met_in_the_product() -> None:
    text = shown()
    inside = {"run value", "machine value"}  # used in other definitions
    unmet = {word for word in entries() if not re.search(rf"\b{re.escape(word.lower())}", text)}
    assert {word for word in unmet - inside if not named_table(word)} == set()


def named_table(word: str) -> bool:
    """Return whether an entry is a table, which only readers of the database see."""
    (head,) = (head for head in HEAD.finditer(TEXT) if head["word"] == word)
    return any(kind == "table" for kind, _ in PLACE.findall(head["places"]))


@pytest.mark.parametrize(
    "words",
    [
        get_args(get_type_hints(RunDocument)["source"]),
        [severity.value for severity in catalog.Severity],
        {metric.suite for metric in catalog.METRICS.values()},
        ["question", "answer", "comparison", "target", "sample", "core context", "verdict", "pair"],
    ],
)
def test_the_values_that_everybody_meets_are_explained(words: Any) -> None:
    assert set(words) <= entries().keys()


def test_the_scopes_of_tokens_are_explained() -> None:
    for scope in tokens.SCOPES:
        assert f"{scope} token" in entries()["token"]


def test_the_catalogue_speaks_of_nothing_that_the_glossary_calls_otherwise() -> None:
    """Rejected words do not appear in titles and sentences that people read."""
    sentences = [metric.title + metric.about for metric in catalog.METRICS.values()]
    sentences += [d.title + (d.about or "") for d in catalog.DIMENSIONS.values()]
    sentences += [flag.sentence for flag in catalog.FLAGS.values()]
    for avoided in ("E core", "P core", "benchmark run", "measurement", "unencrypted disk"):
        assert not [text for text in sentences if avoided in text], avoided
