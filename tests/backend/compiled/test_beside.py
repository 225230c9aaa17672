"""What is begun is done: over many rows in a thread, over few at once."""

from __future__ import annotations

import threading

import pytest
from macmeter.compiled import beside

MANY = 10**9


@pytest.mark.parametrize(("rows", "cores", "is_beside"), [(10, 2, 0), (MANY, 1, 0), (MANY, 2, 1)])
def test_a_thread_has_what_it_saves_time_for(
    rows: int, cores: int, is_beside: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beside, "_CORES", cores)
    go_on = threading.Event()

    def work() -> int:
        # Whoever began it goes on meanwhile.
        assert not is_beside or go_on.wait(10)
        return threading.get_ident()

    begun = beside.begin_many(work, rows)
    assert begun.done() is not bool(is_beside)
    go_on.set()
    assert (begun.result() != threading.get_ident()) is bool(is_beside)


@pytest.mark.parametrize("rows", [10, MANY])
def test_a_fault_comes_to_whoever_asks_for_the_result(rows: int) -> None:
    def work() -> int:
        raise ValueError("there are fewer runs than are wanted")

    with pytest.raises(ValueError, match="fewer runs"):
        beside.begin_many(work, rows).result()
