"""Starting point: a question whose groups mix nothing, and that hides none of their cases.

Ratios that compare like with like pair each Mac with itself, or Macs of one chip, and combine the
pairs: they fix nothing, and use everything that was measured.

The answer to "write speed by storage" would mostly pool chips. Each determinant with several values
in a group is fixed to the one that most machines have, so that each figure is of one thing and
still of many machines. A case without that value keeps its own, so that guests stay next to their
hosts and drives next to disk images of a fixed format. If a case would be lost all the same, the
value that most cases have is fixed instead; if none leaves all of them, the question groups by the
determinant, which shows its values side by side, in place of a dimension in which nothing differs
if there is no room. Where that isn't possible, or would make the page much longer, the number of
lost cases is returned.

Few filters are best to begin with. So Macs' measurements decide, and articles only where no Mac
measured; a chip isn't kept for a core context or number of threads that only it has; and if most
Macs used a method for which a determinant isn't stated (compression in memory has no storage), the
method is fixed rather than "not stated" in addition to a value.

Over 400 lines: these rules depend on one another, and are read together.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import catalog
from macmeter.accounts.scope import Principal
from macmeter.catalog import ANY_LABEL, DETERMINES_WHERE, LABEL_PREFIX, Trait
from macmeter.catalog.terms import LIKE_WITH_LIKE, MOST_GROUPED, Op, Term, Value, print_value
from macmeter.questions.grouped import Ints, Setting, Values, open_determinants, values_of
from macmeter.questions.groups import groups_of
from macmeter.questions.question import Question, askable
from macmeter.results.context import Reading, begin_reading
from macmeter.results.dataset.selection import Selection
from macmeter.schemas.facets import Fixed, StartingPoint
from macmeter.statistics.numbering import combination_ranks

# Metric, the values it is grouped by, whether it is published, method and version.
GroupKey = tuple[Any, ...]


@dataclass(frozen=True)
class _Entry:
    """The machines with results in one setting of one group."""

    group: GroupKey
    machines: Ints
    """Numbers of the named ones."""
    setting: Setting

    @cached_property
    def stated(self) -> Values:
        """Values of its setting that count."""
        return values_of([self.setting])

    @property
    def is_published(self) -> bool:
        return bool(self.group[-3])

    @property
    def method(self) -> str:
        return str(self.group[-2])


async def starting_point(
    connection: AsyncConnection, question: Question, reader: Principal | None
) -> StartingPoint:
    """Return the question with fixed values; unchanged if nothing mixes."""
    if question.relative_to and question.version == LIKE_WITH_LIKE:
        return _response(question)
    reading = await begin_reading(connection, reader)
    fixed: list[Fixed] = []
    split: list[str] = []
    merged: list[str] = []
    original, original_entries = question, _entries(reading, question)
    while entries := original_entries if question is original else _entries(reading, question):
        additions, split_by = _fix(question, entries)
        if split_by is not None:
            split.append(split_by)
            by = [*question.by, split_by]
            if len(by) > MOST_GROUPED:
                merged.append(_constant(question, entries)[0])
                by.remove(merged[-1])
            question = replace(question, by=tuple(sorted(by)))
            continue
        if not additions:
            break
        names = {item["dimension"] for item in additions}
        fixed = [item for item in fixed if item["dimension"] not in names] + additions
        other_terms = [term for term in question.where if term.dimension not in names]
        new_terms = [Term(item["dimension"], Op.IS, item["value"]) for item in additions]
        before = question.canonical
        question = replace(question, where=tuple(sorted([*other_terms, *new_terms], key=str)))
        if question.canonical == before:
            break
    case_names = [name for name in original.by if _names_cases(name) and name not in merged]
    hidden = _cases(original, original_entries, case_names) - _cases(question, entries, case_names)
    return _response(question, fixed, split, merged, len(hidden))


def _response(
    question: Question,
    fixed: Sequence[Fixed] = (),
    split: Sequence[str] = (),
    merged: Sequence[str] = (),
    hidden: int = 0,
) -> StartingPoint:
    return {
        "canonical": question.canonical,
        "fixed": [*fixed],
        "split": [*split],
        "merged": [*merged],
        "hidden": hidden,
    }


def _by_macs(entries: Iterable[_Entry]) -> list[_Entry]:
    return [entry for entry in entries if not entry.is_published]


def _names_cases(name: str) -> bool:
    """Whether another value is another case rather than another point of one."""
    return not catalog.has(name, Trait.POINT)


def _cases(
    question: Question, entries: Iterable[_Entry], names: Sequence[str]
) -> set[tuple[Any, ...]]:
    """Return the cases that Macs measured, by these dimensions."""
    return {
        (entry.group[0], *(_value(question, entry, name) for name in names))
        for entry in _by_macs(entries)
    }


def _fix(question: Question, entries: list[_Entry]) -> tuple[list[Fixed], str | None]:
    """Return what to fix, from the known settings, or what to group by instead. A determinant with
    a condition may filter more than is visible here, so the caller checks again what still mixes.
    """
    fixed: list[Fixed] = []
    # Judged before values are fixed: these are given up if the question is split.
    has_room = len(question.by) < MOST_GROUPED
    has_constant = bool(_constant(question, entries))
    while name := next((n for n in _to_fix(question, entries) if not _is_fixed(n, fixed)), None):
        methods = {} if _is_fixed("method", fixed) else _methods_without(question, entries, name)
        if methods:
            fixed += _as_fixed("method", methods)
            entries = [entry for entry in entries if entry.method in methods]
            continue
        chosen = _chosen(question, entries, name)
        if lost := _lost(question, entries, name, chosen):
            of_most_cases = _chosen(question, entries, name, most_cases=True)
            if _lost(question, entries, name, of_most_cases) < lost:
                chosen = of_most_cases
            fits = has_room or (has_constant and _stays_short(question, entries, name))
            if _lost(question, entries, name, chosen) and fits and _can_split(name):
                return [], name
        fixed += _as_fixed(name, chosen)
        entries = [entry for entry in entries if entry.setting.get(name) in chosen]
    return fixed, None


def _lost(question: Question, entries: list[_Entry], name: str, chosen: Mapping[Value, int]) -> int:
    """Count the cases that Macs measured and these values would hide."""
    macs = _by_macs(entries)
    kept_cases = {_case(question, entry) for entry in macs if entry.setting.get(name) in chosen}
    return len({_case(question, entry) for entry in macs} - kept_cases)


def _can_split(name: str) -> bool:
    """Whether a question that groups by it as well would still be drawn as before."""
    return name in catalog.DIMENSIONS and not any(
        catalog.has(name, trait) for trait in (Trait.AXIS, Trait.POINT)
    )


# A page of three groups is long already: a split may at most double its rows.
_MAX_ROW_FACTOR = 2


def _stays_short(question: Question, entries: Iterable[_Entry], name: str) -> bool:
    """Whether grouping by it as well adds few enough rows."""
    pairs = [(_case(question, entry), entry.setting.get(name)) for entry in _by_macs(entries)]
    return len({*pairs}) <= _MAX_ROW_FACTOR * len({case for case, _ in pairs})


# A view is recognised by these, and drawn along them.
_DRAWN = (Trait.AXIS, Trait.POINT, Trait.CASES, Trait.TELLS_VIEWS)


def _constant(question: Question, entries: Iterable[_Entry]) -> list[str]:
    """Return dimensions that need no grouping: everything has the same value of them."""
    values: dict[str, set[Value]] = defaultdict(set)
    for entry in entries:
        for name, value in question.key_of(entry.group[1:-3]).items():
            values[name].add(value)
    return [
        name
        for name in question.by
        if len(values[name]) == 1
        and name not in question.reference
        and not any(catalog.has(name, trait) for trait in _DRAWN)
    ]


def _to_fix(question: Question, entries: list[_Entry]) -> Iterator[str]:
    """Yield what Macs' figures mix, then what articles' do: fixing the former may be enough."""
    yield from _mixed(question, _by_macs(entries))
    yield from _mixed(question, entries)


def _as_fixed(name: str, chosen: Mapping[Value, int]) -> list[Fixed]:
    return [
        {"dimension": name, "value": value, "machines": machines}
        for value, machines in chosen.items()
    ]


def _is_fixed(name: str, fixed: list[Fixed]) -> bool:
    return any(item["dimension"] == name for item in fixed)


def _case(question: Question, entry: _Entry) -> tuple[Any, ...]:
    """Return the case that readers would miss: what was measured on what, without single points.

    An article's figures are cases of their own because of their method.
    """
    if entry.is_published:
        return entry.group
    metric, *values = entry.group[:-3]
    pairs = question.key_of(values).items()
    return (metric, *(value for name, value in pairs if _names_cases(name)))


def _count_machines(entries: Iterable[_Entry]) -> int:
    numbers = [entry.machines for entry in entries]
    return len(np.unique(np.concatenate(numbers))) if numbers else 0


def _methods_without(question: Question, entries: list[_Entry], name: str) -> dict[Value, int]:
    """Return methods to fix, with their machines, if most Macs used methods that don't state it."""
    macs = _by_macs(entries)
    stated = {entry.method for entry in macs if name in entry.stated}
    unstated = [entry for entry in macs if entry.method not in stated]
    cases = {_case(question, entry) for entry in unstated}
    stating = [
        entry for entry in macs if entry.method in stated and _case(question, entry) in cases
    ]
    mixes = name in _mixed(question, stating) or not stated
    if not unstated or not mixes or "method" in question.by or name in DETERMINES_WHERE:
        return {}
    if _count_machines(unstated) < _count_machines(stating):
        return {}
    by_method: dict[str, dict[str, list[_Entry]]] = defaultdict(lambda: defaultdict(list))
    for entry in unstated:
        by_method[entry.group[0]][entry.method].append(entry)
    chosen: dict[Value, int] = {}
    for metric in question.metrics:
        if methods := by_method.get(metric):
            most_used = max(sorted(methods), key=lambda method: _count_machines(methods[method]))
            chosen[most_used] = _count_machines(methods[most_used])
        else:
            of_metric = [entry for entry in entries if entry.group[0] == metric]
            chosen |= {
                method: _count_machines(entry for entry in of_metric if entry.method == method)
                for method in sorted({entry.method for entry in of_metric})
            }
    return chosen


def _entries(reading: Reading, question: Question) -> list[_Entry]:
    return [
        entry
        for metric in question.metrics
        for entry in _entries_of_metric(reading, question.of_metric(metric))
    ]


def _entries_of_metric(reading: Reading, question: Question) -> list[_Entry]:
    groups = groups_of(reading, question)
    if not groups:
        return []
    grouped = next(iter(groups.values())).grouped
    selection = grouped.selection
    names = open_determinants(question.metric, question.by)
    setup_names = [name for name in names if not catalog.is_of_sample(name)]
    data = selection.settings(setup_names)
    halves = grouped.halves(data)
    # As in answers, unspecified machines count only where there are no others.
    keys = {group.half_numbers[0]: key for key, group in groups.items()}
    order = np.lexsort((data["setting"], data["series"], halves))
    numbers = combination_ranks([halves[order], data["series"][order], data["setting"][order]])
    entries = []
    for rows in np.split(order, np.flatnonzero(np.diff(numbers)) + 1):
        half, series, setup = (int(col[rows[0]]) for col in (halves, data["series"], data["place"]))
        if half in keys:
            key = keys[half]
            group = (question.metric, *key.by, key.published, key.method, key.method_version)
            is_named = half % 2 == 0
            machines = data["owner"][rows] if is_named else data["owner"][:0]
            entries.append(_Entry(group, machines, _setting(selection, names, series, setup)))
    return entries


def _setting(
    selection: Selection, names: Sequence[str], series: int, setup: int
) -> dict[str, Value]:
    """Return the values of these determinants in a setup's results of a series."""
    setting: dict[str, Value] = {}
    for name in names:
        if name == ANY_LABEL:
            codes, values = selection.snapshot.setups.values("labels")
            labels = {LABEL_PREFIX + key: value for key, value in values[codes[setup]]}
            setting |= {label: labels[label] for label in labels if label not in selection.by}
        elif catalog.is_of_sample(name):
            setting[name] = selection.series[series].parameter(name)
        else:
            codes, values = selection.snapshot.setups.determinants(name)
            setting[name] = values[codes[setup]]
    return setting


def _mixed(question: Question, entries: list[_Entry]) -> Iterator[str]:
    """Yield the determinants that some group mixes, in catalogue order."""
    groups: dict[GroupKey, Values] = defaultdict(lambda: defaultdict(set))
    for entry in entries:
        pooled = groups[entry.group]
        for name, values in entry.stated.items():
            pooled[name] |= values
    mixed = {
        name for pooled in groups.values() for name, values in pooled.items() if len(values) > 1
    }
    for metric in question.metrics:
        # Properties of the run come first: they settle most parameters, such as threads that fill a
        # tier.
        for name in sorted(catalog.METRICS[metric].determinants, key=catalog.is_of_sample):
            if name == ANY_LABEL:
                labels = sorted(label for label in mixed if label.startswith(LABEL_PREFIX))
                yield from filter(askable, labels)
            elif name in mixed:
                yield name


def _value(question: Question, entry: _Entry, name: str) -> Value:
    """Return the value of a dimension, grouped by or not."""
    grouped = question.key_of(entry.group[1:-3])
    return grouped[name] if name in grouped else entry.setting.get(name)


def _has_both_sides(question: Question, entries: list[_Entry]) -> bool:
    """Whether Macs measured both sides of a ratio; True without a reference."""
    terms = question.relative_to
    macs = _by_macs(entries)
    sides = {all(_value(question, entry, t.dimension) == t.value for t in terms) for entry in macs}
    return not terms or len(sides) > 1


def _chosen(
    question: Question, entries: list[_Entry], name: str, *, most_cases: bool = False
) -> dict[Value, int]:
    """Return values to fix, with the machines of each; no case has two of them.

    Values of most machines come first, then of most figures; with `most_cases`, those of most cases
    precede. Values with both sides of a ratio precede others, and the reference comes last.
    """
    macs = _by_macs(entries)
    deciding = macs if name in _mixed(question, macs) else entries
    reference = {term.value for term in question.relative_to if term.dimension == name}
    by_value: dict[Value, list[_Entry]] = defaultdict(list)
    for entry in deciding:
        for value in entry.stated.get(name, ()):
            by_value[value].append(entry)
    cases = {value: {_case(question, entry) for entry in rows} for value, rows in by_value.items()}
    groups = {value: {entry.group for entry in rows} for value, rows in by_value.items()}
    machines = {value: _count_machines(rows) for value, rows in by_value.items()}
    published = {_case(question, entry) for entry in deciding if entry.is_published}
    chosen: dict[Value, int] = {}
    kept_cases: set[tuple[Any, ...]] = set()
    for value in sorted(
        by_value,
        key=lambda value: (
            value in reference,
            not _has_both_sides(question, by_value[value]),
            -len(cases[value]) if most_cases else 0,
            -machines[value],
            -len(groups[value]),
            print_value(value),
        ),
    ):
        overlap, new = kept_cases & cases[value], cases[value] - kept_cases
        # Overlaps only in articles' cases are accepted if the value adds cases of Macs.
        if not overlap or (overlap <= published and not new <= published):
            chosen[value] = machines[value]
            kept_cases |= cases[value]
    # Cases without a stated value would be lost, so fix "not stated" as well. Articles' cases don't
    # need it if Macs measured any: readers can ask for them.
    unstated = [
        entry
        for entry in deciding
        if _case(question, entry) not in set().union(*cases.values())
        and not (macs and entry.is_published)
    ]
    if unstated and name not in DETERMINES_WHERE:
        chosen[None] = _count_machines(unstated)
    return chosen
