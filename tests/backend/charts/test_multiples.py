"""Lines that share a panel."""

from __future__ import annotations

from macmeter.charts.colours import MOST_LINES, panels_of
from macmeter.schemas.answer import Key

CHIPS = ["Apple M1", "Apple M1 Pro", "Apple M1 Max", "Apple M4", "Apple M4 Pro", "Apple M4 Max"]


def test_few_lines_stay_in_one_plot() -> None:
    keys: list[Key] = [{"chip": chip} for chip in CHIPS]
    assert panels_of(keys, ["chip"], MOST_LINES) == {"": [0, 1, 2, 3, 4, 5]}


def test_chips_of_a_family_share_a_panel() -> None:
    keys: list[Key] = [{"chip": chip} for chip in [*CHIPS, "Apple M4 Pro (Virtual)"]]
    assert panels_of(keys, ["chip"], len(keys)) == {"M1": [0, 1, 2], "M4": [3, 4, 5, 6]}


def test_the_first_dimension_that_leaves_few_lines_splits() -> None:
    keys: list[Key] = [{"virtual": vm, "chip": chip} for vm in (False, True) for chip in CHIPS]
    # Host and guest give six lines each; so would the chip family, but it comes second.
    assert list(panels_of(keys, ["virtual", "chip"], len(keys))) == ["Host", "In a VM"]
    longer: list[Key] = [{**key, "threads": threads} for key in keys for threads in (1, 2)]
    assert {len(p) for p in panels_of(longer, ["virtual", "chip"], len(longer)).values()} == {12}


def test_what_no_dimension_tells_apart_stays_together() -> None:
    keys: list[Key] = [{"chip": "Apple M1"}] * 9
    assert panels_of(keys, ["chip"], 9) == {"": list(range(9))}
    machines: list[Key] = [{"machine": str(number)} for number in range(60)]
    assert list(panels_of(machines, ["machine"], 60)) == [""]
