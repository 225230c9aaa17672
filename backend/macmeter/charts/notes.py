"""Texts around a figure: sources, flags, exclusions, and its text alternative."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import cast

import orjson

from macmeter import catalog
from macmeter.charts.figure import Case, Chart, CitedArticle, Figure, FlagNote, Lane
from macmeter.charts.numbers import counted, day
from macmeter.charts.words import flag_sentence, left_out, listed, metric_title
from macmeter.platform.plain_text import isolated
from macmeter.schemas.answer import Answer, Citation, Group, Results
from macmeter.schemas.sides import Compared, FilledCell, Row, compares_sides, filled_cells


def citation_text(citation: Citation, *, prepare: Callable[[str], str] = isolated) -> str:
    """Format a citation with `article_text`."""
    who = (citation["author"], citation["title"], citation["publisher"])
    return article_text(*who, citation.get("published"), prepare=prepare)


def article_text(
    author: str,
    title: str,
    publisher: str,
    published: str | None,
    *,
    prepare: Callable[[str], str] = isolated,
) -> str:
    """Format "Author, “Title”, Publisher, 17 Jul 2025"; `prepare` makes foreign text safe."""
    author, title, publisher = map(prepare, (author, title, publisher))
    return f"{author}, “{title}”, {publisher}, {dated(published)}"


def dated(published: str | None) -> str:
    """Format an article's date: "17 Jul 2025"."""
    return day(published) if published else "undated"


class NumberedArticles:
    """Articles behind published figures, numbered by first appearance in the answer."""

    def __init__(self, results: Iterable[Results]) -> None:
        self.citations: dict[str, Citation] = {}
        self._rows: dict[str, list[str]] = {}
        for citation in _citations(results):
            self.citations.setdefault(citation["article"], citation)
            rows = self._rows.setdefault(citation["article"], [])
            if (row := citation.get("row")) and row not in rows:
                rows.append(row)
        self._numbers = {article: n for n, article in enumerate(self.citations, start=1)}

    def dagger(self, cited: Iterable[Citation]) -> str:
        """Return "†", or "†1,3" if the figure has several articles; empty without citations."""
        numbers = sorted({self._numbers[citation["article"]] for citation in cited})
        if not numbers:
            return ""
        return "†" if len(self._numbers) == 1 else "†" + ",".join(map(str, numbers))

    def articles(self) -> tuple[CitedArticle, ...]:
        return tuple(
            CitedArticle(
                dagger=self.dagger([citation]),
                article=article,
                text=citation_text(citation),
                title=citation["title"],
                rows=tuple(self._rows[article]),
            )
            for article, citation in self.citations.items()
        )


def citations_of(answer: Answer | Compared) -> dict[str, Citation]:
    """Return the citations of an answer or of sides by article."""
    return NumberedArticles(results_of(answer)).citations


def results_of(answer: Answer | Compared) -> Sequence[Results]:
    """Return results, with cells of sides as groups: flags and citations are shown alike."""
    if not compares_sides(answer):
        return answer["results"]
    return [
        {
            "groups": [_as_group(row, cell) for cell in filled_cells(row)],
            "published": [],
        }
        for row in answer["rows"]
    ]


def _as_group(row: Row, cell: FilledCell) -> Group:
    group = {
        **cell,
        "key": {"side": cell["side"]},
        "published": row["published"],
        "method": row["method"],
        "method_version": row["method_version"],
    }
    return cast(Group, group)


def _citations(results: Iterable[Results]) -> Iterable[Citation]:
    for result in results:
        for group in result["groups"]:
            yield from group.get("citations") or []
        for figure in result["published"]:
            yield figure["citation"]


def flag_notes(results: Iterable[Results]) -> dict[str, FlagNote]:
    """Return notes by flag: doubts first, then cautions, each by frequency.

    A run counts once, even if its figures are in several groups and metrics.
    """
    runs: Counter[str] = Counter()
    for result in results:
        counts: Counter[str] = Counter()
        for groups in _group_by_runs(group for group in result["groups"] if group["flags"]):
            most_runs: Counter[str] = Counter()
            for flag in (flag for group in groups for flag in group["flags"]):
                most_runs[flag["code"]] = max(most_runs[flag["code"]], flag["runs"])
            counts.update(most_runs)
        counts.update(code for figure in result["published"] for code in figure["flags"])
        runs |= counts
    order = sorted(runs, key=lambda code: (not catalog.is_doubt(code), -runs[code], code))
    return {code: _flag_note(code, index, runs[code]) for index, code in enumerate(order)}


def _flag_note(code: str, position: int, runs: int) -> FlagNote:
    text = f"{counted(runs, 'run')} {flag_sentence(code, runs)}"
    sentence, doubt = catalog.flag(code).sentence, catalog.is_doubt(code)
    return FlagNote(_letter(position), code, sentence, runs, text, doubt)


def letters_of(codes: Iterable[str], flags: Mapping[str, FlagNote]) -> tuple[str, ...]:
    """Return the flags' letters in order: a, b … z, aa."""
    letters = {flags[code].letter for code in codes}
    return tuple(sorted(letters, key=lambda letter: (len(letter), letter)))


def flags_in_words(flags: Sequence[FlagNote], letters: frozenset[str]) -> list[str]:
    """Return at most one paragraph, on the flags with these letters; without letters, on all."""
    texts = [
        f"{flag.letter}: {flag.text}" if letters else flag.text
        for flag in flags
        if not letters or flag.letter in letters
    ]
    return [("Flags " if letters else "Flags: ") + " · ".join(texts)] if texts else []


def total_runs(answer: Answer) -> int:
    """Return the number of runs behind the answer.

    Frozen answers of older versions don't have it; then it is estimated from groups, since metrics
    and file sizes mostly share runs.
    """
    total = answer.get("runs")
    if total is not None:
        return total
    return max(
        (
            sum(max(group["runs"] for group in same) for same in _group_by_runs(result["groups"]))
            + len({figure["run_id"] for figure in result["published"]})
            for result in answer["results"]
        ),
        default=0,
    )


def left_out_in_words(answer: Answer) -> str | None:
    """Format "Left out: 4 runs that may have read from the cache."."""
    reasons: dict[str, int] = {}
    for result in answer["results"]:
        for excluded in result["excluded"]:
            reason = excluded["reason"]
            reasons[reason] = max(reasons.get(reason, 0), excluded["runs"])
    if not reasons:
        return None
    return f"Left out: {listed([left_out(code, runs) for code, runs in reasons.items()])}."


def _group_by_runs(groups: Iterable[Group]) -> list[list[Group]]:
    """Group the groups that have the same runs: they differ only in dimensions of samples."""
    by_runs: dict[bytes, list[Group]] = {}
    for group in groups:
        key = {
            name: value
            for name, value in group["key"].items()
            # Each published figure is a run of its own.
            if group["published"]
            or (dimension := catalog.dimension(name)) is None
            or dimension.of != "sample"
        }
        identity = [key, group["published"], group["method"], group["method_version"]]
        by_runs.setdefault(orjson.dumps(identity, option=orjson.OPT_SORT_KEYS), []).append(group)
    return list(by_runs.values())


def _letter(position: int) -> str:
    """Return a letter by position: a, b … z, aa, ab …"""
    last = chr(ord("a") + position % 26)
    return last if position < 26 else _letter(position // 26 - 1) + last


# Maximum length of a text alternative; screen readers truncate longer ones.
MAX_CHARACTERS = 400
HEADINGS = ("Case", "Metric", "Figure", "From")
TextRow = tuple[str, str, str, str]


def alternative_of(figure: Figure, title: str | None = None) -> str:
    """Return the figure's text alternative under another title."""
    if title is None or title == figure.title:
        return figure.text
    return alternative_text(title, figure.mixed, figure_rows(figure), figure.nothing)


def alternative_text(title: str, mixed: str, rows: Sequence[TextRow], nothing: str = "") -> str:
    """Format "Write speed by storage. Internal SSD: 7.66 GB/s, 3 machines. USB4: …"."""
    text = f"{title}."
    if mixed:
        text += f" {mixed}."
    if not rows:
        return f"{text} {nothing}".strip()
    several = len({metric for _, metric, _, _ in rows}) > 1
    for index, (case, metric, figure, behind) in enumerate(rows):
        name = f"{case}, {metric}" if several else case
        sentence = f" {name}: {figure}{f', {behind}' if behind else ''}."
        if len(text) + len(sentence) > MAX_CHARACTERS:
            return f"{text} And {len(rows) - index} more."
        text += sentence
    return text


def figure_rows(figure: Figure) -> list[TextRow]:
    """Return a row for each figure, under HEADINGS, without those shown only in the table."""
    return rows_of_all(figure.charts, figure.flags)


def rows_of_all(charts: Iterable[Chart], flags: Iterable[FlagNote] = ()) -> list[TextRow]:
    """Return the rows of several charts."""
    return [row for chart in charts for row in rows_of(chart.cases, flags, sides=chart.rows)]


def rows_of(
    cases: Iterable[Case], flags: Iterable[FlagNote] = (), *, sides: bool = False
) -> list[TextRow]:
    """Return rows; those of `sides` are headed by the metric with its method."""
    doubts = {flag.letter: flag.sentence for flag in flags if flag.doubt}
    rows = []
    heading = ""
    for case in cases:
        heading = case.heading or heading
        if case.undrawn:
            continue
        for lane in case.lanes:
            name = " · ".join(filter(None, [case.label] if sides else [heading, case.label]))
            metric = heading if sides else metric_title(lane.metric)
            rows.append((name, metric, _figure_text(lane, sides=sides), _behind(lane, doubts)))
    return rows


def _figure_text(lane: Lane, *, sides: bool) -> str:
    text = f"{lane.full} {lane.of}".strip()
    if sides and lane.interval:
        text += f" ({(lane.cells or {}).get('interval', '').replace('–', ' to ')})"
    return text + lane.dagger


def _behind(lane: Lane, doubts: dict[str, str]) -> str:
    published = "published" if lane.hollow and lane.weight != "as printed" else ""
    reasons = "; ".join(doubts[letter] for letter in lane.flags if letter in doubts)
    return ", ".join(filter(None, [lane.mixes, lane.apart, lane.weight, published, reasons]))
