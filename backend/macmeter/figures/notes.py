"""The notes below a figure: its sources, its flags, what was left out, and how many runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import cast

import orjson

from macmeter import catalog
from macmeter.answers.answer import Answer, Citation, Group, Results
from macmeter.answers.sides import Compared, FilledCell, Row, filled_of, is_sides
from macmeter.figures.cited import citation_text
from macmeter.figures.figure import CitedArticle, FlagNote
from macmeter.figures.numbers import counted
from macmeter.figures.words import left_out, listed, plural


class Sources:
    """The articles behind published figures, numbered in the order the answer names them."""

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
        """ "†", or "†1,3" where several articles are cited; empty where none is."""
        numbers = sorted({self._numbers[citation["article"]] for citation in cited})
        if not numbers:
            return ""
        return "†" if len(self._numbers) == 1 else "†" + ",".join(map(str, numbers))

    def told(self) -> tuple[CitedArticle, ...]:
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


def citations_of(found: Answer | Compared) -> dict[str, Citation]:
    """What an answer or sides cite, by article."""
    return Sources(results_of(found)).citations


def results_of(found: Answer | Compared) -> Sequence[Results]:
    """Cells of sides as groups, one a side: flags and citations of both are shown alike."""
    if not is_sides(found):
        return found["results"]
    return [
        {
            "groups": [_as_group(row, cell) for cell in filled_of(row)],
            "published": [],
        }
        for row in found["rows"]
    ]


def _as_group(row: Row, cell: FilledCell) -> Group:
    told = {
        **cell,
        "key": {"side": cell["side"]},
        "published": row["published"],
        "method": row["method"],
        "method_version": row["method_version"],
    }
    return cast(Group, told)


def _citations(results: Iterable[Results]) -> Iterable[Citation]:
    for result in results:
        for group in result["groups"]:
            yield from group.get("citations") or []
        for figure in result["published"]:
            yield figure["citation"]


def flag_notes(results: Iterable[Results]) -> dict[str, FlagNote]:
    """Notes by flag; doubts first, then cautions, each by how often it occurs.

    Runs are counted once, though their figures stand in several groups and metrics.
    """
    runs: Counter[str] = Counter()
    for result in results:
        here: Counter[str] = Counter()
        for groups in _same_runs(group for group in result["groups"] if group["flags"]):
            most: Counter[str] = Counter()
            for flag in (flag for group in groups for flag in group["flags"]):
                most[flag["code"]] = max(most[flag["code"]], flag["runs"])
            here.update(most)
        here.update(code for figure in result["published"] for code in figure["flags"])
        runs |= here
    order = sorted(runs, key=lambda code: (not catalog.is_doubt(code), -runs[code], code))
    return {code: _flag_note(code, place, runs[code]) for place, code in enumerate(order)}


def _flag_note(code: str, place: int, runs: int) -> FlagNote:
    sentence = catalog.flag(code).sentence
    return FlagNote(
        letter=_letter(place),
        code=code,
        sentence=sentence,
        runs=runs,
        text=f"{counted(runs, 'run')} {sentence if runs == 1 else plural(sentence)}",
        doubt=catalog.is_doubt(code),
    )


def letters_of(codes: Iterable[str], flags: Mapping[str, FlagNote]) -> tuple[str, ...]:
    """a, b … z, aa."""
    letters = {flags[code].letter for code in codes}
    return tuple(sorted(letters, key=lambda letter: (len(letter), letter)))


def flags_in_words(flags: Sequence[FlagNote], letters: frozenset[str]) -> list[str]:
    """One paragraph, if any: of the flags under these letters, or of all without any letter."""
    told = [
        f"{flag.letter}: {flag.text}" if letters else flag.text
        for flag in flags
        if not letters or flag.letter in letters
    ]
    return [("Flags " if letters else "Flags: ") + " · ".join(told)] if told else []


def total_runs(answer: Answer) -> int:
    """Runs behind the answer, as it counts them.

    One that was frozen before it did is asked for its groups: further metrics and file sizes are
    mostly of the same runs.
    """
    told = answer.get("runs")
    if told is not None:
        return told
    return max(
        (
            sum(max(group["runs"] for group in same) for same in _same_runs(result["groups"]))
            + len({figure["run_id"] for figure in result["published"]})
            for result in answer["results"]
        ),
        default=0,
    )


def left_out_in_words(answer: Answer) -> str | None:
    """ "Left out: 4 runs that may have read from the cache."."""
    reasons: dict[str, int] = {}
    for result in answer["results"]:
        for excluded in result["excluded"]:
            reason = excluded["reason"]
            reasons[reason] = max(reasons.get(reason, 0), excluded["runs"])
    if not reasons:
        return None
    return f"Left out: {listed([left_out(code, runs) for code, runs in reasons.items()])}."


def _same_runs(groups: Iterable[Group]) -> list[list[Group]]:
    """Groups of the same runs, which differ in a dimension of samples only."""
    found: dict[bytes, list[Group]] = {}
    for group in groups:
        of_runs = {
            name: value
            for name, value in group["key"].items()
            # A published figure is a run of its own, whatever it is of.
            if group["published"]
            or (known := catalog.dimension(name)) is None
            or known.of != "sample"
        }
        told = [of_runs, group["published"], group["method"], group["method_version"]]
        found.setdefault(orjson.dumps(told, option=orjson.OPT_SORT_KEYS), []).append(group)
    return list(found.values())


def _letter(place: int) -> str:
    """a, b … z, aa, ab …"""
    last = chr(ord("a") + place % 26)
    return last if place < 26 else _letter(place // 26 - 1) + last
