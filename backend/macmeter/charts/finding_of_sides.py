"""The finding of a comparison as one sentence, generated from its verdicts; else its question."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from macmeter import catalog
from macmeter.catalog import Role
from macmeter.charts import numbers, words
from macmeter.charts.side_verdicts import by_percent, detectable_text
from macmeter.platform.plain_text import isolated
from macmeter.schemas.sides import SideRatio, SideResponse, SidesQuestionResponse

# Two clauses are read, three are skipped.
_MOST_CLAUSES = 2
# "No difference seen" must hold for at least half of the figures.
_HALF = 2
# The internal SSD is the one that the Mac has.
_WITH_ARTICLE = {"Internal SSD": "the internal SSD"}
_CORES = "cores run"
_VERBS = {"compression": "compresses", "hash": "hashes", "cores": _CORES}


@dataclass(frozen=True)
class Rated:
    """A side's ratio in a row that readers see, and whether it is a clear one."""

    metric: str
    area: str
    side: int
    ratio: SideRatio
    clear: bool


def name_of(side: SideResponse) -> str:
    """Return a side's short name: "M4 Pro" for "Apple M4 Pro", "macOS 26.4" for "26.4"."""
    label = side["label"]
    if any(term["dimension"] == "os_version" and term["value"] == label for term in side["where"]):
        return words.system_text(label)
    return isolated(label.removeprefix("Apple ") if label.startswith("Apple M") else label)


def finding_of(question: SidesQuestionResponse, rated: Sequence[Rated]) -> str:
    """Format "M4 writes 40 % faster than M1, and its cores run 65 % faster".

    Only what is clear is said. If no difference is seen anywhere, that is the finding, with what
    would have shown; if some comparison is inconclusive as well, there is none.
    """
    names = {side["number"]: name_of(side) for side in question["sides"]}
    base = _inside(names.pop(question["baseline"]))
    clear = [entry for entry in rated if entry.clear]
    chip = _chip(question)
    if not clear:
        return _no_difference(rated, [_inside(name) for name in (*names.values(),)], base, chip)
    if len(names) == 1:
        (name,) = names.values()
        sentence = _two_sides(_leading(clear), _inside(name), base)
    else:
        sentence = _several_sides(clear, names, base)
    if chip:
        return f"On an {chip}, {sentence}"
    # Names keep their case: "macOS 26.4", "edr: on".
    begins = sentence.startswith(("the ", "on "))
    return sentence[:1].upper() + sentence[1:] if begins else sentence


def question_of(question: SidesQuestionResponse) -> str:
    """Format "How does M4 compare with M1?"."""
    names = {side["number"]: _inside(name_of(side)) for side in question["sides"]}
    base = names.pop(question["baseline"])
    verb = "does" if len(names) == 1 else "do"
    return f"How {verb} {words.listed(list(names.values()))} compare with {base}?"


def _no_difference(rated: Sequence[Rated], names: list[str], base: str, chip: str) -> str:
    """Format "No difference seen between M1 and M4; one of 14 % would have shown"."""
    unseen = [entry for entry in rated if entry.ratio["verdict"]["answer"] == "no_evidence"]
    if not unseen or _HALF * len(unseen) < len(rated):
        return ""
    text = f"No difference seen between {words.listed([base, *names])}"
    text += f" on an {chip}" if chip else ""
    if len(unseen) < len(rated):
        return f"{text} in {len(unseen)} of {numbers.counted(len(rated), 'figure')}"
    sizes = [detectable_text(entry.ratio) for entry in unseen]
    least = max((size for size in sizes if size), default=None)
    return text if least is None or None in sizes else f"{text}; one of {least[1]} would have shown"


def _leading(clear: Sequence[Rated]) -> list[Rated]:
    """Return the first ratio of each of two areas; of a single area, the first two."""
    first = list({entry.area: entry for entry in reversed(clear)}.values())[::-1]
    return (first if len(first) > 1 else list(clear))[:_MOST_CLAUSES]


def _two_sides(clauses: Sequence[Rated], name: str, base: str) -> str:
    lead, *others = clauses
    text = _clause(lead, name, base)
    for item in others:
        turned = (item.ratio["value"] > 1) != (lead.ratio["value"] > 1)
        # After "M4’s cores run", the next verb needs its subject again.
        it = "it " * (_verb(lead.metric) in ("", _CORES) and _verb(item.metric) not in ("", _CORES))
        text += f", {'but' if turned else 'and'} {it}{_clause(item, '', '')}"
    return text


def _clause(entry: Rated, name: str, base: str) -> str:
    """Format "M4 writes 40 % faster than M1"; without names, "its cores run 65 % faster"."""
    verb = _verb(entry.metric)
    difference = f"{_size(entry)} {by_percent(entry.metric, above=entry.ratio['value'] > 1)}"
    if verb == _CORES:
        subject = "its" if name in ("", "it") else f"{name}’s"
        return f"{subject} {verb} {difference}" + (f" than {base}’s" if base else "")
    if verb:
        return f"{name} {verb} {difference}".lstrip() + (f" than {base}" if base else "")
    title = words.uncapitalised(words.metric_title(entry.metric))
    if not base:
        return f"its {title} is {difference}"
    return f"on {name}, {title} is {difference} than on {base}"


def _several_sides(clear: Sequence[Rated], names: dict[int, str], base: str) -> str:
    """Format "Thunderbolt 5 writes 21 % slower than the internal SSD, and USB4 55 % slower"."""
    metrics = dict.fromkeys(entry.metric for entry in clear)
    lead = max(metrics, key=lambda metric: sum(entry.metric == metric for entry in clear))
    leads = list({entry.side: entry for entry in clear if entry.metric == lead}.values())
    if len(leads) > _MOST_CLAUSES:
        furthest = max(leads, key=lambda entry: max(entry.ratio["value"], 1 / entry.ratio["value"]))
        name = _inside(names[furthest.side])
        return f"{name} differs most from {base}: {_clause(furthest, 'it', '')}"
    first, *others = leads
    text = _clause(first, _inside(names[first.side]), base)
    for entry in others:
        how = by_percent(entry.metric, above=entry.ratio["value"] > 1)
        text += f", and {_inside(names[entry.side])} {_size(entry)} {how}"
    return text


def _verb(metric: str) -> str:
    definition = catalog.METRICS.get(metric)
    if definition is None:
        return ""
    if Role.WRITES in definition.roles:
        return "writes"
    if definition.suite == "disk":
        return "reads" if Role.READS in definition.roles else ""
    return _VERBS.get(definition.suite, "") if definition.unit.endswith("/s") else ""


def _size(entry: Rated) -> str:
    return numbers.change_text(entry.ratio["value"]).lstrip(f"+{numbers.MINUS}")


def _inside(name: str) -> str:
    """Return a name as used in a sentence; those with a number never break."""
    if re.fullmatch(r"M\d+ \w+|macOS [\d.]+|Thunderbolt \d", name):
        return name.replace(" ", "\u00a0")
    return _WITH_ARTICLE.get(name, name)


def _chip(question: SidesQuestionResponse) -> str:
    """Return the chip that all sides share: "M4 Pro"."""
    chips = [
        str(term["value"])
        for term in question["where"]
        if term["dimension"] == "chip" and term["op"] == "is"
    ]
    is_one = len(chips) == 1 and chips[0].startswith("Apple M")
    return _inside(isolated(chips[0].removeprefix("Apple "))) if is_one else ""
