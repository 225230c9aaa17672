"""Changes since an answer was frozen."""

from __future__ import annotations

import copy

import pytest
from macmeter.charts.changes import changed_since, changes_of
from macmeter.charts.numbers import change_text
from macmeter.schemas.comparisons import Change
from support.figures import answer_of

THIN = "\u2009"


@pytest.mark.parametrize(
    ("ratio", "text"),
    [
        (1, "no change"),
        (1.04, f"+4{THIN}%"),
        (0.997, f"\u22120.3{THIN}%"),
        (1.0001, f"+<0.1{THIN}%"),
        (0.9999, f"\u2212<0.1{THIN}%"),
        (1.123, f"+12{THIN}%"),
        (1.0996, f"+10{THIN}%"),
    ],
)
def test_changes_have_as_many_digits_as_matter(ratio: float, text: str) -> None:
    assert change_text(ratio) == text


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ((3, 0, 1.04), f"3 groups, by up to +4{THIN}%."),
        ((1, 0, None), "1 group."),
        ((1, 0, 1), "1 group."),
        ((0, 1, None), "1 published figure."),
        ((1, 2, 0.5), f"1 group, 2 published figures, by up to \u221250{THIN}%."),
    ],
)
def test_what_has_changed_is_summed_up(change: tuple[int, int, float | None], text: str) -> None:
    groups, published, largest = change
    change_found: Change = {"groups": groups, "published": published, "largest": largest}
    assert changed_since(change_found, redefined=False) == f"Data has changed since: {text}"
    assert changed_since(change_found, redefined=True) == f"Figures have changed since: {text}"


def test_figures_that_other_runs_are_behind_are_unchanged() -> None:
    change: Change = {"groups": 0, "published": 0, "largest": None}
    for redefined in (False, True):
        text = changed_since(change, redefined=redefined)
        assert text == "Figures unchanged; other runs are behind them."


def test_figures_stand_side_by_side_with_what_is_new_and_what_is_gone() -> None:
    frozen = answer_of("cases")
    live = copy.deepcopy(frozen)
    groups = live["results"][0]["groups"]
    groups[0]["median"] *= 1.5
    group = groups.pop()
    changes = changes_of(frozen, live)
    rows = changes.parts[0].rows
    (risen,) = (row for row in rows if row.text == f"+50{THIN}%")
    assert risen.ratio == pytest.approx(1.5)
    assert risen.frozen is not None
    assert risen.live is not None
    assert risen.frozen.based_on == risen.live.based_on
    assert len({row.id for row in rows}) == len(rows)
    assert [row.text for row in rows].count("frozen only") == 1
    assert changes.axis.high >= 1.5
    back = changes_of(live, frozen)
    (new,) = (row for row in back.parts[0].rows if row.text == "live only")
    assert new.frozen is None
    assert new.live is not None
    assert group["median"] > 0


def test_sides_stand_side_by_side_by_metric_and_method() -> None:
    frozen = answer_of("demo-sides")
    live = copy.deepcopy(frozen)
    cell = next(cell for cell in live["rows"][0]["cells"] if not cell.get("missing"))
    cell["median"] *= 0.5
    changes = changes_of(frozen, live)
    changed = [row for part in changes.parts for row in part.rows if row.text != "no change"]
    assert [row.ratio for row in changed] == [pytest.approx(0.5)]
    assert [part.title for part in changes.parts] == [
        *dict.fromkeys(p.title for p in changes.parts)
    ]


def test_ratios_are_compared_where_the_question_asks_for_them() -> None:
    frozen = answer_of("demo-by-model-ratio")
    live = copy.deepcopy(frozen)
    for group in live["results"][0]["groups"]:
        group["median"] *= 2
    assert {row.text for part in changes_of(frozen, live).parts for row in part.rows} <= {
        "no change",
        "–",
    }
