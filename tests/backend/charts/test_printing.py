"""Texts that pages and pictures print alike: the dashboard reads `tests/printing.json`, too."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from macmeter.catalog.terms import short_id
from macmeter.charts.axes import round_step
from macmeter.charts.colours import tier_colour
from macmeter.charts.numbers import (
    counted,
    day,
    fixed,
    plain,
    significant,
    whole_percent,
    with_unit,
)
from macmeter.platform.plain_text import isolated
from macmeter.platform.settings import CHECKOUT
from macmeter.questions.residency import tier_of

CASES: dict[str, list[list[Any]]] = json.loads(
    (CHECKOUT / "tests/printing.json").read_text(encoding="utf-8")
)
RULES: dict[str, Callable[..., str | float]] = {
    "fixed": fixed,
    "counted": counted,
    "with_unit": with_unit,
    "day": day,
    "isolated": isolated,
    "tier_of": tier_of,
    "tier_colour": tier_colour,
    "plain": plain,
    "two_digits": lambda value: significant(value, 2),
    "whole_percent": whole_percent,
    "round_step": round_step,
    "short_id": short_id,
}


def test_every_rule_has_cases() -> None:
    assert CASES.keys() == RULES.keys()


@pytest.mark.parametrize("rule", RULES)
def test_the_server_prints_as_the_dashboard_does(rule: str) -> None:
    for *arguments, text in CASES[rule]:
        assert RULES[rule](*arguments) == text, arguments
