"""Notes of an answer: what a reader couldn't guess from its numbers."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from macmeter import catalog
from macmeter.catalog.terms import CRUDE, Op, Term, print_value
from macmeter.documents.derive import DERIVATION_VERSION
from macmeter.questions.fits import Fits
from macmeter.questions.grouped import format_mixes
from macmeter.questions.pairs import NoRatio
from macmeter.questions.question import Question
from macmeter.schemas import answer as shapes
from macmeter.schemas.sides import SideRatio
from macmeter.statistics.figures import BETWEEN_PAIRS, NoInterval
from macmeter.statistics.intervals import MINIMUM
from macmeter.statistics.run_intervals import FEWEST_RUNS

# Beyond what rounding of printed digits explains.
_DISAGREES = 1.02
_SEVERAL = 2
# Share of runs that ended early above which their absence may bias the figures.
_NOTABLE = 0.05


# Fixed texts by code.
_TEXTS = {
    "few_machines": f"Confidence intervals need {MINIMUM} or more Macs. With fewer, p10 and p90 "
    "are close to the lowest and the highest.",
    "few_runs": f"For a single Mac, a confidence interval needs {FEWEST_RUNS} runs: runs that "
    "follow each other are alike.",
    "few_models": "No confidence interval for Macs of a few models that differ this much: group by "
    "model.",
    "pairs_by_model": "Macs of different models differ in these ratios: group by model to see each "
    "model’s.",
    "machine_unstated": "Results without a named Mac don't count toward “Macs”.",
    "published": "† Published figures, shown separately with their source.",
    "filevault_off": "FileVault off is not unencrypted: Apple silicon always encrypts its internal "
    "storage.",
    "unlike": "Some sides differ in more than the chosen difference; these are marked.",
    "shared_runs": "Both sides of a ratio share runs: read it with care.",
    "unpaired": "Unpaired ratios compare different machines or devices.",
    "crude": "These ratios are crude: other differences are not held equal.",
    "power_estimated": "powermetrics(1) says of its power values that they “may be inaccurate - "
    "hence they should not be used for any comparison between devices”.",
    "poor_fit": "A fitted curve is further from its points than a level line is: R² is below 0.",
    "no_fit_of_machines": "No fit through figures of different Macs: it needs Macs that measured "
    "several.",
    "fit_within_machines": "Not all figures are of the same Macs: the fit is through the "
    "differences within Macs.",
}


def notes_of(
    question: Question,
    groups: list[shapes.Group],
    published: list[shapes.AnsweredFigure],
    combining_drives: int,
    refusals: Collection[NoRatio],
) -> list[shapes.Note]:
    """Return notes in a fixed order, each at most once.

    `combining_drives` is the number of Macs whose value combines several drives.
    """
    withheld = {group.get("no_interval") for group in groups}
    few = (group["machines"] < MINIMUM and "interval" not in group for group in groups)
    notes = fixed_notes(
        few_machines=any(few),
        few_runs=NoInterval.FEW_RUNS in withheld,
        few_models=NoInterval.FEW_MODELS in withheld,
        machine_unstated=any(group["machines"] == 0 for group in groups),
        published=any(group["published"] for group in groups),
        filevault_off=_covers_value(question, groups, "encryption", "hardware"),
    )
    if combining_drives:
        subject = "one Mac" if combining_drives == 1 else f"{combining_drives} Macs"
        notes.append(_note("several_devices", f"For {subject} this combines several drives."))
    if question.relative_to:
        notes.extend(_reference_notes(question, groups, refusals))
    notes.extend(_printed_ratio_notes(groups, published))
    return notes


def fixed_notes(**chosen: bool) -> list[shapes.Note]:
    """Return the notes with fixed texts whose argument is true."""
    return [_note(code, _TEXTS[code]) for code, is_chosen in chosen.items() if is_chosen]


def of_likeness(version: int, ratios: Sequence[shapes.Ratio | SideRatio]) -> Iterator[shapes.Note]:
    """Note what ratios hold equal and what they couldn't; or that they hold nothing."""
    if not ratios:
        return
    if version == CRUDE:
        yield from fixed_notes(crude=True)
        return
    held = _titles(name for ratio in ratios for name in ratio.get("likeness", _NOTHING)["held"])
    if held:
        yield _note("held", f"Ratios compare results with the same {held}.")
    differing = [ratio for ratio in ratios if ratio.get("unlike")]
    if differing:
        names = _titles(entry["dimension"] for ratio in differing for entry in ratio["unlike"])
        subject = _share(len(differing), len(ratios), "ratio")
        verb = "compares" if len(differing) == 1 else "compare"
        yield _note("unlike", f"{subject} also {verb} different values of {names}.")


def of_paired(ratios: Iterable[shapes.Ratio | SideRatio]) -> Iterator[shapes.Note]:
    """Note that the effect differs by model, so the median of pairs depends on which have most."""
    yield from fixed_notes(
        pairs_by_model=any(
            ratio.get("pairs", 0) >= MINIMUM and ratio.get("interval") != BETWEEN_PAIRS
            for ratio in ratios
        )
    )


def _titles(names: Iterable[str]) -> str:
    *titles, last = [_title(name) for name in dict.fromkeys(names)] or [""]
    return f"{', '.join(titles)} and {last}" if titles else last


_NOTHING: shapes.Likeness = {"method": "medians", "held": []}


def of_incomplete(excluded: Iterable[shapes.Excluded], runs: int) -> Iterator[shapes.Note]:
    """Note the share of runs that ended early and are missing from figures of `runs` runs."""
    ended = sum(entry["runs"] for entry in excluded if entry["reason"] == "incomplete")
    if ended > _NOTABLE * (runs + ended):
        text = (
            f"{ended} of {runs + ended} runs ended early and are left out. Slow runs end early "
            "more often, so these figures may be too good."
        )
        yield _note("ended_early", text)


def of_unknown_values(terms: Iterable[Term]) -> Iterator[shapes.Note]:
    """Note values of filters that aren't in the catalogue's lists, whatever any run has."""
    for term in terms:
        dimension = catalog.dimension(term.dimension)
        if term.op is not Op.IS or dimension is None or not dimension.values:
            continue
        requested = print_value(term.value)
        if term.value is not None and requested not in dimension.values:
            choices = ", ".join(dimension.values)
            text = f'{dimension.title} "{requested}" is not a known value. Known are {choices}.'
            yield _note("unknown_value", text)


def of_power(metric: str, groups: Iterable[shapes.Figures]) -> list[shapes.Note]:
    """Quote the caution of powermetrics' manual if power of several Macs is compared."""
    is_power = catalog.METRICS[metric].unit in (catalog.Unit.WATTS, catalog.Unit.JOULES)
    machines = sum(group["machines"] for group in groups)
    return fixed_notes(power_estimated=is_power and machines >= _SEVERAL)


def of_derivations(versions: Sequence[int]) -> Iterator[shapes.Note]:
    """Note that figures follow older rules than this server's and are being updated."""
    older = [version for version in versions if version < DERIVATION_VERSION]
    if not older:
        return
    if len(versions) == 1:
        text = "These figures were derived by an older version and are being updated."
    else:
        listed = ", ".join(map(str, versions))
        text = f"Includes figures derived by versions {listed}; the older ones are being updated."
    yield _note("older_derivation", text)


def of_mixes(groups: Sequence[shapes.Figures], what: str = "groups") -> Iterator[shapes.Note]:
    """Note that groups pool unlike figures, with the maximum for each determinant."""
    mixed = [group["mixes"] for group in groups if group["mixes"]]
    if not mixed:
        return
    phrase = format_mixes(_most(mixed))
    if len(groups) == 1:
        text = f"Includes {phrase}."
    else:
        up_to = "up to " if len(mixed) > 1 else ""
        text = f"{len(mixed)} of {len(groups)} {what} mix {up_to}{phrase}."
    yield _note("mixes", text)


def of_fits(fits: Fits) -> Iterator[shapes.Note]:
    """Note groups without a fit, which would mix unlike figures, and fits within machines or worse
    than the mean.
    """
    within = any(curve.get("within_machines") for curve in fits.given)
    poor = any(curve["r2"] < 0 for curve in fits.given)
    yield from fixed_notes(
        no_fit_of_machines=bool(fits.unconnected), fit_within_machines=within, poor_fit=poor
    )
    if fits.mixed:
        phrase = format_mixes(_most(fits.mixed))
        names = " and ".join(dict.fromkeys(mix["dimension"] for mix in _most(fits.mixed)))
        text = f"No fit through {phrase}: group by or fix {names}."
        yield _note("no_fit", text)


def _most(mixed: Iterable[list[shapes.Mix]]) -> list[shapes.Mix]:
    """Return the most values of each determinant that one group mixes."""
    most: dict[str, int] = {}
    for mix in (mix for mixes in mixed for mix in mixes):
        most[mix["dimension"]] = max(mix["count"], most.get(mix["dimension"], 0))
    return [{"dimension": name, "count": count} for name, count in most.items()]


def _printed_ratio_notes(
    groups: list[shapes.Group], published: list[shapes.AnsweredFigure]
) -> Iterator[shapes.Note]:
    """Note a printed ratio that contradicts the figures in its article."""
    for printed in published:
        ratio = _ratio_of_printed(printed, groups) if printed["kind"] == "ratio" else None
        if ratio is not None and not 1 / _DISAGREES < printed["value"] / ratio < _DISAGREES:
            case = " and ".join(f"{_title(name)} {value}" for name, value in printed["of"].items())
            text = (
                f"{printed['citation']['title']}: {printed['printed']} is printed for {case}, "
                f"{100 * ratio:.0f}% follows from the figures printed."
            )
            yield _note("claim_disagrees", text)


def _ratio_of_printed(printed: shapes.AnsweredFigure, groups: list[shapes.Group]) -> float | None:
    """Return the ratio of the two figures in the article of a printed one; None if one is missing.

    Several figures for an end count as missing: which was meant is unknown.
    """
    if not printed["of"].keys() | printed["to"].keys() <= printed["key"].keys():
        return None
    article = printed["citation"]["article"]
    ends = []
    for end in (printed["of"], printed["to"]):
        key = {**printed["key"], **end}
        medians = [
            group["median"]
            for group in groups
            if group["key"] == key
            and "figures" not in group
            and {citation["article"] for citation in group.get("citations", [])} == {article}
        ]
        ends += medians if len(medians) == 1 else []
    return ends[0] / ends[1] if len(ends) == 2 and ends[1] > 0 else None


def _reference_notes(
    question: Question, groups: list[shapes.Group], refusals: Collection[NoRatio]
) -> list[shapes.Note]:
    notes = []
    for code, text in sorted({(reason.code, reason.text) for reason in refusals}):
        count = sum(reason.code == code for reason in refusals)
        notes.append(_note(code, f"{_rows(count, groups)} no ratio. {text}"))
    missing = sum("ratio" not in group for group in groups) - len(refusals)
    if missing:
        condition = _in_words(question.relative_to)
        text = f"{_rows(missing, groups)} no counterpart where {condition}."
        notes.append(_note("no_reference", text))
    ratios = [group["ratio"] for group in groups if "ratio" in group]
    separated = {*question.by, *(term.dimension for term in question.where)}
    unseparated = [
        term.dimension for term in question.relative_to if term.dimension not in separated
    ]
    if ratios and unseparated:
        text = (
            "Groups may include what they are compared with: group by "
            f"{_titles(unseparated)} to separate them."
        )
        notes.append(_note("includes_reference", text))
    notes += of_likeness(question.version, ratios)
    notes += of_paired(ratios)
    unpaired = sum(ratio["pairing"] == "unpaired" for ratio in ratios)
    if unpaired:
        subject = _share(unpaired, len(ratios), "ratio")
        compare = "compares" if unpaired == 1 else "compare"
        notes.append(_note("unpaired", f"{subject} {compare} different Macs or devices."))
    return notes


def _rows(count: int, groups: list[shapes.Group]) -> str:
    """Format "3 of 20 rows have"."""
    return f"{_share(count, len(groups), 'row')} {'has' if count == 1 else 'have'}"


def _share(count: int, total: int, noun: str) -> str:
    """Format the subject of a note: "3 of 20 rows", "All 24 ratios", "The only row"."""
    if count < total:
        return f"{count} of {total} {noun}s"
    return f"The only {noun}" if total == 1 else f"All {total} {noun}s"


def _title(name: str) -> str:
    """Return a dimension's title within a sentence; a reader's label keeps its capitals."""
    dimension = catalog.dimension(name)
    title = dimension.title if dimension else name
    return title[0].lower() + title[1:] if name in catalog.DIMENSIONS else title


def _in_words(reference: Iterable[Term]) -> str:
    """Format `encryption is "Not encrypted" and power mode is not stated`."""
    phrases = []
    for term in reference:
        dimension = catalog.dimension(term.dimension)
        title = _title(term.dimension)
        if term.value is None:
            phrases.append(f"{title} is not stated")
            continue
        printed = print_value(term.value)
        value = dimension.values.get(printed, printed) if dimension else printed
        phrases.append(f'{title} is "{value}"')
    return " and ".join(phrases)


def _covers_value(
    question: Question, groups: list[shapes.Group], dimension: str, value: str
) -> bool:
    if dimension in question.by:
        return any(group["key"][dimension] == value for group in groups)
    return any(term.dimension == dimension and term.value == value for term in question.where)


def _note(code: str, text: str) -> shapes.Note:
    return {"code": code, "text": text}
