"""Content of docs/published.md: every printed figure and how it is used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from macmeter import Json
from macmeter.catalog.chips import FACTS

from published.build import document
from published.figures import (
    STORED,
    Article,
    Disposition,
    Figure,
    articles,
)
from published.pairs import pairs

MEANING = {
    Disposition.RESULT: "a value of a metric, measured by the article or quoted from an earlier "
    "one. Answers count it, marked as published",
    Disposition.RATIO: "printed as a ratio and kept as one: shown with answers, never turned "
    "into a speed or combined with others",
    Disposition.RANGE: "printed as a range and kept as one: shown with answers, never combined "
    "with others",
    Disposition.REPEAT: "the same measurement as another row, which counts it",
    Disposition.CHIP_FACT: "a statement about a chip family: shown on the page of chips, "
    "not in answers",
    Disposition.CLAIM: "claims of vendors and others, expectations, "
    "calculations, figures that their author doubts, and figures bounded on one side only "
    "(less than, over, up to ...)",
    Disposition.SETTING: "a configuration, a limit or a rule of a protocol, not a measurement",
    Disposition.OBSERVATION: "measured, but no metric fits it",
}

_INTRODUCTION = """\
# Published figures

Macmeter comes with what articles have printed about the speed of Macs: {count} figures from
{articles} articles. This table says how each is used, and why. It is generated from
`tools/published/` by `make generate`; edit it there.

- The digits shown are the digits printed, with the article's own "about" or "around". Values
  are made from those characters alone.
- Only what an article measured, or quotes as measured in an earlier one, is a result.
- Every stored figure carries its citation, and its article's reservations as cautions.
- A figure whose Mac is not named counts no machine.
- FileVault off on internal storage of Apple silicon is `hardware`, also where an article prints
  "unencrypted". A virtual machine's disk is an image in a file: with FileVault off in the guest
  it is `none`, and the encryption of the host's volume below it is kept beside it.
- `Efficiency/high` is what articles call fast E cores: a slope over threads beyond the fastest
  tier's cores, or threads that spilled over to slower ones. macOS offers no way to ask for it.
- Cautions are the codes of the catalogue (`/api/v1/catalog` has their sentences).
"""


def table() -> str:
    """The whole of docs/published.md."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    all_articles = articles()
    figures = [figure for article in all_articles for figure in article.figures]
    yield _INTRODUCTION.format(count=len(figures), articles=len(all_articles))
    counts = Counter(figure.disposition for figure in figures)
    yield "## How they are used\n"
    yield from _row("disposition", "rows", "meaning")
    yield from _row("---", "---:", "---")
    for disposition in Disposition:
        yield from _row(disposition, str(counts[disposition]), MEANING[disposition])
    yield from _row("all", str(len(figures)), "")
    yield "\n## Pairs\n"
    yield "Rows that are each other's counterpart: one device of one Mac, or a VM and its host.\n"
    yield from _row("pair", "metric", "rows")
    yield from _row("---", "---", "---")
    for pair in pairs():
        yield from _row(pair.what, f"`{pair.metric}`", f"{pair.of} to {pair.to}")
    yield "\n## Articles\n"
    yield from _row("article", "title", "author", "publisher", "date", "rows")
    yield from _row("---", "---", "---", "---", "---", "---:")
    for article in all_articles:
        yield from _row(*_article(article))
    for article in all_articles:
        if article.figures:
            yield f"\n## {article.slug}\n"
            yield from _row("row", "figure", "printed", "disposition", "where, or why not")
            yield from _row("---", "---", "---", "---", "---")
            for figure in article.figures:
                yield from _row(*_figure(article, figure))


def _article(article: Article) -> tuple[str, ...]:
    date = article.published or "not stated"
    return (
        article.slug,
        article.title,
        article.author or "not named",
        article.publisher,
        f"{date}. {article.note}" if article.note else date,
        str(len(article.figures)),
    )


def _figure(article: Article, figure: Figure) -> tuple[str, ...]:
    printed = f"{figure.qualifier} {figure.printed}" if figure.qualifier else figure.printed
    return figure.row, figure.what, printed, figure.disposition, _where(article, figure)


def _where(article: Article, figure: Figure) -> str:
    parts = [figure.reason] if figure.reason else []
    if figure.disposition in STORED and figure.metric:
        parts = [_stored(document(article, figure)), *parts]
    elif figure.disposition is Disposition.CHIP_FACT:
        fact = next(fact for fact in FACTS if fact.row == figure.row)
        tier = f", {fact.tier}" if fact.tier else ""
        parts = [
            f"{fact.family}{tier}: {fact.what}.",
            *([fact.caution] if fact.caution else []),
        ]
    elif figure.see:
        parts.append(f"See {', '.join(figure.see)}.")
    return " ".join(parts)


def _stored(run: Json) -> str:
    """Metric, dimensions and cautions of a stored figure, as its document has them."""
    (kind, figure) = next(
        (kind, run[kind][0])
        for kind in ("series", "published_ratios", "published_ranges")
        if kind in run
    )
    facts = [*_environment(run), *_pairs_of(figure.get("parameters", {}))]
    if kind == "published_ratios":
        numerator = tuple(_pairs_of(figure["of"]))
        facts = [fact for fact in facts if fact not in numerator]
        facts.append(f"{' and '.join(numerator)} to {' and '.join(_pairs_of(figure['to']))}")
    text = f"`{figure['metric']}`: {', '.join(facts)}."
    flags = [warning["code"] for warning in run["warnings"]]
    return f"{text} Cautions: {', '.join(flags)}." if flags else text


def _environment(run: Json) -> Iterator[str]:
    machine, environment = run["machine"], run.get("environment", {})
    yield (" ".join(machine[k] for k in ("model_name", "chip") if k in machine) or "Mac not stated")
    if "virtual_machine" in environment:
        vcpus = environment["virtual_machine"].get("vcpus")
        yield f"VM with {vcpus} virtual CPUs" if vcpus else "VM"
    if "os_version" in environment:
        yield f"macOS {environment['os_version']}"
    if "power_mode" in environment:
        yield f"power_mode={environment['power_mode']}"
    target = run.get("target", {})
    image = target.get("image", {})
    dimensions = {**target, "image_format": image.get("format")}
    for name in (
        "storage",
        "device",
        "via",
        "simultaneous",
        "image_format",
        "encryption",
    ):
        if dimensions.get(name) is not None:
            yield f"{name}={dimensions[name]}"
    yield f"method={run['method']['name']}"


def _pairs_of(dimensions: Json) -> Iterator[str]:
    yield from (
        f"{name}={str(value).lower() if isinstance(value, bool) else value}"
        for name, value in dimensions.items()
    )


def _row(*cells: str) -> Iterator[str]:
    yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
