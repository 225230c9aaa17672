"""Text for metrics, dimensions, values, filters and flags."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from macmeter import catalog
from macmeter.accounts.names import name_of
from macmeter.catalog import LABEL_PREFIX, Dimension, Each, Kind, Trait
from macmeter.catalog.chips import BASE, parse_chip
from macmeter.catalog.terms import machine_name, print_value
from macmeter.charts.numbers import counted, nominal, plain, quantity
from macmeter.platform.plain_text import isolated
from macmeter.schemas.answer import Figures, QuestionResponse, TermResponse

# Groups repeat the same values; labels may have any, so the cache is bounded.
_MOST_KNOWN = 1024
# A longer list of versions becomes a number.
_MOST_VERSIONS = 3
_PLACES = {name: place for place, name in enumerate(catalog.DIMENSIONS)}
_PLURAL = {
    "was": "were",
    "is": "are",
    "has": "have",
    "does": "do",
    "comes": "come",
    "counts": "count",
    "covers": "cover",
    "disagrees": "disagree",
}


def metric_title(name: str) -> str:
    metric = catalog.METRICS.get(name)
    return metric.title if metric else name


@lru_cache(_MOST_KNOWN)
def dimension_title(name: str) -> str:
    dimension = catalog.dimension(name)
    return isolated(dimension.title if dimension else name)


def is_number(name: str) -> bool:
    dimension = catalog.dimension(name)
    return dimension is not None and dimension.kind is Kind.NUMBER


def each_of(dimension: Dimension) -> Each | None:
    """Return singular and plural after a number, for dimensions without a unit: "thread"."""
    if dimension.kind is not Kind.NUMBER or dimension.unit:
        return None
    title = uncapitalised(dimension.title)
    return dimension.each or (Each(title[:-1], title) if title.endswith("s") else None)


def value_text(name: str, value: Any) -> str:
    """Format a dimension's value: "USB4", "2 MB", "In a VM", "Encryption not stated"."""
    mac_name = name_of(value) if name == "machine" else None
    return isolated(mac_name) if mac_name else _value_text(name, value)


@lru_cache(_MOST_KNOWN, typed=True)
def _value_text(name: str, value: Any) -> str:
    dimension = catalog.dimension(name)
    title = dimension_title(name)
    if value is None or value == "":
        return (dimension and dimension.absent) or f"{title} not stated"
    if value == "unknown":  # needs the title, as does "other"
        return f"{title} not known"
    if value == "other":
        return f"Other {uncapitalised(title)}"
    if isinstance(value, bool):
        meant = dimension.values.get(print_value(value)) if dimension else None
        return meant or ("No", "Yes")[value]
    if isinstance(value, (int, float)):
        if dimension and dimension.unit in ("B", "bit/s"):
            return nominal(value, dimension.unit)
        if dimension and dimension.each:
            return counted(int(value), dimension.each.one, dimension.each.many)
        return quantity(value, dimension.unit) if dimension and dimension.unit else plain(value)
    listed_value = dimension.values.get(str(value)) if dimension else None
    return listed_value or isolated(str(value))


def system_text(version: str) -> str:
    """Format "macOS 26.4", "Debian 12"."""
    return f"macOS {version}" if is_macos(version) else isolated(version)


def systems_text(versions: Collection[str]) -> str:
    """Format "macOS 26.3 and 26.4", or "5 versions of macOS" if a list would be long."""
    ordered = sorted(versions, key=lambda text: [int(part) for part in re.findall("[0-9]+", text)])
    if not all(map(is_macos, ordered)):
        return listed([*map(system_text, ordered)])
    if len(ordered) > _MOST_VERSIONS:
        return f"{len(ordered)} versions of macOS"
    return f"macOS {listed(ordered)}"


def is_macos(version: str) -> bool:
    """Whether a version is macOS, which consists of numbers; other systems include their name."""
    return re.fullmatch(r"[0-9]+(\.[0-9]+)*", version) is not None


def reading_order(dimensions: Iterable[str]) -> list[str]:
    """Sort in catalogue order: a question has its dimensions sorted by name."""
    return sorted(dimensions, key=lambda name: (_PLACES.get(name, len(_PLACES)), name))


def key_order(dimensions: Sequence[str], key: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return a sort key for groups: catalogue order of values, else number or text; absent last."""
    return tuple(value_order(name, key.get(name)) for name in dimensions)


# Apple's names from smaller to larger; unknown ones come last.
_VARIANTS = (BASE, "Pro", "Max", "Ultra")


def _chip_order(name: str, value: str) -> tuple[str, int]:
    """Order by generation, M9 before M10, then M1, M1 Pro, M1 Max, M1 Ultra; others come last."""
    parsed = parse_chip(value)
    variant = parsed.variant if parsed else value
    position = _VARIANTS.index(variant) if variant in _VARIANTS else len(_VARIANTS)
    if name == "chip_variant":
        return "", position
    if parsed is None:
        return "~", position
    letter, number = parsed.family[0], parsed.family[1:]
    return f"{letter}{number:>3}", position


def value_order(name: str, value: Any) -> tuple[Any, ...]:
    """Return a sort key for a dimension's value; Macs with names sort by them."""
    mac_name = name_of(value) if name == "machine" else None
    return _value_order(name, mac_name or value)


@lru_cache(_MOST_KNOWN, typed=True)
def _value_order(name: str, value: Any) -> tuple[Any, ...]:
    dimension = catalog.dimension(name)
    listed = list(dimension.values) if dimension else []
    rank = listed.index(value) if value in listed else len(listed)
    number = float(value) if isinstance(value, (int, float)) else 0.0
    if name in ("chip", "chip_variant") and isinstance(value, str):
        generation, variant = _chip_order(name, value)
        return (False, rank, 0.0, [(-1, generation), (variant, ""), (-1, value.casefold())])
    # Natural order: "macOS 26.10" after "macOS 26.4".
    text = [
        (int(piece), "") if piece.isdecimal() and piece.isascii() else (-1, piece.casefold())
        for piece in re.split(r"([0-9]+)", str(value))
    ]
    return (value is None, rank, number, text)


def case_label(dimensions: Sequence[str], key: Mapping[str, Any]) -> str:
    """Format a group's name: "APFS encrypted", "Image, AES-256 · ASIF"."""
    names = [
        name
        for name in dimensions
        if key.get(name) is not None or not _is_none(name, key.get("storage"))
    ]
    return " · ".join(case_value(name, key.get(name)) for name in names)


def _is_none(name: str, storage: Any) -> bool:
    """Whether an absent value means that a target on this storage has none."""
    dimension = catalog.dimension(name)
    if dimension is None or Trait.OPTIONAL not in dimension.traits:
        return False
    return str(storage) not in dimension.expected_of


def case_value(name: str, value: Any) -> str:
    """Format a value without its axis, where a bare number would be unclear: "4 threads"."""
    text = value_text(name, value)
    bare = isinstance(value, (int, float)) and not isinstance(value, bool) and text == plain(value)
    if not bare:
        return text
    dimension = catalog.dimension(name)
    each = each_of(dimension) if dimension else None
    if each:
        return f"{text} {each.one if value == 1 else each.many}"
    return f"{dimension_title(name)} {text}"


def listed(parts: Sequence[str]) -> str:
    """Format "a", "a and b", "a, b and c"."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def uncapitalised(text: str) -> str:
    """Lower the first letter, unless it begins a name (Thunderbolt 5, Low Power, USB4, Mac)."""
    lowered = re.match(r"(?!Macs?\b|\w+ (?:\d|(?!Macs?\b)[A-Z][a-z]))[A-Z][a-z]+([^\w/+]|$)", text)
    return text[0].lower() + text[1:] if lowered else text


def shared_tail(titles: Sequence[str]) -> tuple[list[str], str]:
    """Split off the common end of titles: ["Write", "Read"] and "speed"."""
    split = [title.split(" ") for title in titles]
    shared = 0
    while len(titles) > 1 and shared < min(map(len, split)) - 1:
        if len({words[-1 - shared] for words in split}) > 1:
            break
        shared += 1
    if shared == 0:
        return list(titles), ""
    return [" ".join(words[:-shared]) for words in split], " ".join(split[0][-shared:])


def metrics_title(metrics: Sequence[str]) -> str:
    """Format "Write and read speed"."""
    heads, tail = shared_tail([metric_title(name) for name in metrics])
    lowered = [head if index == 0 else uncapitalised(head) for index, head in enumerate(heads)]
    return " ".join(filter(None, [listed(lowered), tail]))


def question_title(question: QuestionResponse, metrics: Sequence[str] | None = None) -> str:
    """Format "Write and read speed by storage and encryption"."""
    what = metrics_title(question["metrics"] if metrics is None else metrics)
    by = reading_order(question["by"])
    # "Write speed by file size" already names its first dimension, so append the others.
    for first in by:
        ending = f" by {uncapitalised(dimension_title(first))}"
        if what.endswith(ending):
            what = what.removesuffix(ending)
            by = [first, *(name for name in by if name != first)]
            break
    if by:
        names = listed([uncapitalised(dimension_title(name)) for name in by])
        what += f"{',' if ',' in what else ''} by {names}"
    reference = reference_text({t["dimension"]: t["value"] for t in question["relative_to"]})
    return f"{what}, relative to {reference}" if reference else what


def reference_text(values: Mapping[str, Any]) -> str:
    """Describe the reference group of ratios: "USB4", "M1 Performance cores", "M1, fp64"."""
    texts = {name: uncapitalised(value_text(name, value)) for name, value in values.items()}
    if "core_context" in texts:
        texts["core_context"] = cores_text(values["core_context"])
        if "chip_family" in texts:
            texts["core_context"] = f"{texts.pop('chip_family')} {texts['core_context']}"
    return ", ".join(texts.values())


def cores_text(context: str) -> str:
    """Describe "Performance/high" within a sentence; quality of service only if unusual."""
    tier, _, qos = context.partition("/")
    usual = "background" if tier == "Efficiency" else "high"
    return f"{tier} cores" if qos in ("", usual) else f"{tier} cores at {qos} quality of service"


def terms_in_words(terms: Iterable[TermResponse]) -> list[str]:
    """Return a text for each filtered dimension."""
    by_dimension: dict[str, tuple[list[str], list[str]]] = {}
    for term in terms:
        taken, left = by_dimension.setdefault(term["dimension"], ([], []))
        if term["op"].startswith("not"):
            left.append(_negated(term))
        else:
            taken.append(_term_text(term))
    return [
        f"{dimension_title(name)}: "
        + ", ".join([" or ".join(taken)] * bool(taken) + list(dict.fromkeys(left)))
        for name, (taken, left) in by_dimension.items()
    ]


def reading(term: TermResponse) -> tuple[str, str]:
    """Return a filter's verb and value: "is known" rather than "is not not stated"."""
    if not term["op"].startswith("not"):
        return "is", _term_text(term)
    if term["op"] == "not" and term["value"] in (None, "", "unknown"):
        return "is", "known"
    return "is not", _term_text(term)


def _negated(term: TermResponse) -> str:
    """Format "not USB4"; "known" for neither unstated nor unknown."""
    verb, value = reading(term)
    return value if verb == "is" else f"not {value}"


def _term_text(term: TermResponse) -> str:
    name = term["dimension"]
    if term["op"] in ("range", "not_range"):
        low, high = (
            None if term[end] is None else value_text(name, term[end]) for end in ("low", "high")
        )
        if low is not None and high is not None:
            return f"{low} to {high}"
        return f"up to {high}" if low is None else f"from {low}"
    if term["value"] is None:
        if name.startswith(LABEL_PREFIX):
            return "none"
        text = value_text(name, None)
        return "not stated" if text.startswith(dimension_title(name)) else uncapitalised(text)
    if term["value"] == "unknown":
        return "not known"
    return value_text(name, term["value"])


def mixes_in_words(groups: Iterable[Figures], lead: str = "Includes") -> str:
    """Format "Includes 12 chips and 2 power modes": pooled dimensions that affect the values.

    Uses the maximum over the groups; empty if none pools any. `lead` is the first word.
    """
    pooled = _pooled_in_words(
        tuple(
            tuple((mix["dimension"], mix["count"]) for mix in group.get("mixes") or [])
            for group in groups
        )
    )
    return f"{lead} {pooled}".lstrip() if pooled else ""


# A group's text appears in several places, and groups mostly have the same.
@lru_cache(_MOST_KNOWN)
def _pooled_in_words(groups: tuple[tuple[tuple[str, int], ...], ...]) -> str:
    by_group = [dict(mixes) for mixes in groups]
    names = reading_order({name for mixes in by_group for name in mixes})
    counts = {name: [mixes.get(name, 1) for mixes in by_group] for name in names}
    texts = [_several(name, max(values)) for name, values in counts.items()]
    most = any(min(values) < max(values) for values in counts.values())
    return f"{'up to ' * most}{listed(texts)}" if texts else ""


def _several(name: str, count: int) -> str:
    dimension = catalog.dimension(name)
    return f"{count} {dimension.counted if dimension else f'values of {name}'}"


def left_out(reason: str, runs: int) -> str:
    """Format "4 runs that may have read from the cache"."""
    return f"{counted(runs, 'run')} that {flag_sentence(reason, runs)}"


def flag_sentence(code: str, count: int) -> str:
    """Inflect for one or several: "was hot", "were hot"."""
    sentence = catalog.flag(code).sentence
    return sentence if count == 1 else plural(sentence)


def plural(sentence: str) -> str:
    """Turn a flag's sentence into the plural: "was hot" becomes "were hot"."""
    verb, _, rest = sentence.partition(" ")
    return f"{_PLURAL.get(verb, verb)} {rest}".replace(" its ", " their ")


def machine_title(machine: Mapping[str, Any]) -> str:
    """Name a machine by its own name, its model, or else by the beginning of its id."""
    name = name_of(machine["id"]) or machine.get("model_name") or machine.get("model")
    if name:
        return isolated(name)
    return "Mac not stated" if machine.get("unspecified") else machine_name(machine["id"])


def result_name(title: str, parameters: Mapping[str, Any]) -> str:
    """Format "Write speed by file size, 2 MB"."""
    return ", ".join([title, *(case_value(name, value) for name, value in parameters.items())])


def parameters_text(parameters: Mapping[str, Any]) -> str:
    """Format parameters with names for bare numbers: "2 MB and 4 threads"."""
    return listed([case_value(name, value) for name, value in parameters.items()])
