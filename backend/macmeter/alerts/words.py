"""Texts for a fleet's changes and alerts on pages, in mails and in feeds."""

import uuid
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from macmeter import catalog
from macmeter.alerts import schemas
from macmeter.alerts.alert import AT_ONCE, DOUBTS, QUOTA, REGRESSION, SILENT, UPDATE
from macmeter.alerts.groups import Group
from macmeter.catalog import LABEL_PREFIX
from macmeter.catalog.terms import Value, machine_name
from macmeter.charts.numbers import counted, fixed, in_unit, scale_for, with_unit
from macmeter.charts.words import case_label, listed, metric_title, system_text, value_text
from macmeter.platform.plain_text import isolated

_THIN = "\u2009"


def cohort_in_words(cohort: Mapping[str, Value]) -> str:
    """Name of a cohort: "Apple M1 · Internal SSD · edr: off". Leaves out that it isn't virtual."""
    if not cohort:
        return "All Macs together"
    terms = {name: value for name, value in cohort.items() if (name, value) != ("virtual", False)}
    labels = [name for name in terms if name.startswith(LABEL_PREFIX)]
    words = case_label([name for name in terms if name not in labels], terms)
    # No heading says which label a value is of.
    stated = [
        f"{name.removeprefix(LABEL_PREFIX)}: {value_text(name, terms[name])}" for name in labels
    ]
    return " · ".join(filter(None, [words, *stated]))


def change_in_words(ratio: float) -> str:
    """Format a ratio as "−12.2 %"."""
    percent = 100 * (ratio - 1)
    sign = "+" if float(f"{percent:.1f}") > 0 else ""
    return f"{sign}{fixed(percent, 1)}{_THIN}%"


def interval_in_words(low: float | None, high: float | None) -> str:
    """Format an interval as "−12.6 to −11.8 %". Empty if there are too few machines for one."""
    if low is None or high is None:
        return ""
    return f"{change_in_words(low).removesuffix(f'{_THIN}%')} to {change_in_words(high)}"


def change_words(change: schemas.FoundChange | schemas.FoundEffect) -> schemas.ShiftWords:
    """Words for a change over an update, or for an effect of an alert."""
    version = change["version"]
    return {
        "cohort": cohort_in_words(change["cohort"]),
        "change": change_in_words(change["ratio"]),
        "interval": interval_in_words(change["low"], change["high"]),
        "after": system_text(version) if version else "at once",
    }


def machine_words(row: Any) -> schemas.FleetMachineWords:
    """Words for a row of a fleet's machines. Empty if its runs don't state a value."""
    return {
        "title": row.name or row.model_name or machine_name(row.id),
        "system": system_text(row.os_version) if row.os_version else "",
        "encryption": value_text("encryption", row.encryption) if row.encryption else "",
        "storages": ", ".join(value_text("storage", storage) for storage in row.storages or ()),
    }


def outlier_words(outlier: schemas.FoundOutlier, names: Mapping[str, str]) -> schemas.OutlierWords:
    machine_id = outlier["machine_id"]
    return {
        "machine": isolated(names.get(machine_id) or machine_name(machine_id)),
        "cohort": cohort_in_words(outlier["cohort"]),
        "change": change_in_words(outlier["ratio"]),
        "causes": " and ".join(catalog.flag(code).sentence for code in outlier["causes"]),
    }


def effect_in_words(effect: schemas.FoundEffect) -> str:
    """Format an effect as "Write speed −12.2 % (−12.6 to −11.8 %) on 214 of 260: Apple M1"."""
    words = change_words(effect)
    interval = f" ({words['interval']})" if words["interval"] else ""
    text = (
        f"{metric_title(effect['metric'])} {words['change']}{interval}{_levels(effect)} on "
        f"{fixed(effect['moved'], 0)} of {fixed(effect['of'], 0)}: {words['cohort']}"
    )
    if stayed := effect["stayed"]:
        macs = counted(stayed["machines"], "Mac")
        text += f". {macs} that kept their macOS: {change_in_words(stayed['ratio'])}"
    elif effect["version"]:
        text += ". Too few kept their macOS to compare with"
    return text


def _levels(effect: schemas.FoundEffect) -> str:
    """Typical level of its Macs before and after: ", 3.10 to 2.73 GB/s," if it is known."""
    before = effect.get("before")
    if before is None:
        return ""
    unit = catalog.METRICS[effect["metric"]].unit
    levels = (before, before * effect["ratio"])
    scale = scale_for(unit, levels)
    first, then = (in_unit(value, scale) for value in levels)
    return f", {first} to {with_unit(then, scale.symbol)},"


def title_of(kind: str, cause: str, detail: schemas.FoundDetail) -> str:
    """Title of an alert, in one line."""
    if kind == REGRESSION:
        macs = counted(detail["machines"], "Mac")
        if cause.startswith(f"{UPDATE} "):
            return f"{macs} slower after {system_text(cause.removeprefix(f'{UPDATE} '))}"
        effects = detail.get("effects", ())
        since = effects[0]["at"][:10] if effects else cause.removeprefix(f"{AT_ONCE} ")
        if effects and effects[0].get("common"):
            return f"{macs} slower since about {since}, common to the fleet"
        return f"{macs} slower since about {since}, updated or not"
    if kind == SILENT:
        return f"{counted(detail['machines'], 'Mac')} silent"
    if kind == QUOTA:
        used, quota = fixed(detail["used"], 0), fixed(detail["quota"], 0)
        how = "nearly used up" if detail["used"] < detail["quota"] else "used up"
        return f"Enrolment secret {detail['name']} is {how}: {used} of {quota} Macs"
    assert kind == DOUBTS
    return f"{counted(detail['doubts'], 'doubt')} waiting for a judgement"


def is_passed(kind: str, closed_at: datetime | None) -> bool:
    """Return whether an alert is of a change that is gone: nothing else ends a regression."""
    return kind == REGRESSION and closed_at is not None


def headline(alert: Any) -> str:
    """Title of an alert for mails and webhooks, which says first if it is over."""
    title = title_of(alert.kind, alert.cause, alert.detail)
    return title if alert.closed_at is None else f"Recovered: {title}"


def alert_lines(alert: Any) -> list[str]:
    """Lines about an alert, first that it has passed."""
    lines = lines_of(alert.detail)
    if is_passed(alert.kind, alert.closed_at):
        day = alert.closed_at.astimezone(UTC).date().isoformat()
        return [f"Passed on {day}: as fast as before", *lines]
    return lines


def lines_of(detail: schemas.FoundDetail) -> list[str]:
    """Lines about an alert's detail."""
    lines = [effect_in_words(effect) for effect in detail.get("effects", ())]
    if agent := detail.get("agent_version"):
        lines.append(f"Most of them got version {agent} of the agent in the same days")
    return lines


def group_line(group: Group, macs: int, all_of_them: int) -> str:
    """Format "8 of the 25 Macs are in rack: B" for an alert on a group's page."""
    if macs == all_of_them:
        return f"All in {group}"
    verb = "is" if macs == 1 else "are"
    return f"{fixed(macs, 0)} of the {counted(all_of_them, 'Mac')} {verb} in {group}"


# Macs that a mail names at most.
_MOST_NAMED = 10


def names_in_words(names: Collection[str]) -> str:
    """Format "Among them: Kiosk 1, Kiosk 2 and 14 more"."""
    ordered = sorted(names)
    first, extra = ordered[:_MOST_NAMED], len(ordered) - _MOST_NAMED
    return f"Among them: {listed([*first, f'{fixed(extra, 0)} more'] if extra > 0 else first)}"


def page_of(
    fleet_name: str,
    public_url: str | None,
    alert_id: uuid.UUID | str | None = None,
    group: Group | None = None,
) -> str | None:
    """Address of a fleet's page, or a group's, or of an alert on it; None if this server's own is
    unknown.
    """
    if not public_url:
        return None
    fragment = f"#alert-{alert_id}" if alert_id is not None else ""
    query = f"?where={quote(group.where, safe=':')}" if group is not None else ""
    return f"{public_url}/fleets/{quote(fleet_name, safe='')}{query}{fragment}"
