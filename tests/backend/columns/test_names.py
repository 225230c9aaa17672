"""What is worked out of setups serves as long as they are known."""

from __future__ import annotations

from typing import Any

from macmeter.columns.names import SETUP, Names


class Setup(tuple[Any, ...]):
    """One that counts how often anybody looks into it."""

    looks = 0

    def __getitem__(self, place: Any) -> Any:
        self.looks += 1
        return super().__getitem__(place)


def setup(chip: str, model: int) -> Setup:
    values = {"chip": chip, "model": f"Mac{model}", "labels": ()}
    return Setup(values.get(name) for name in SETUP)


def test_a_setup_is_looked_into_once_however_many_follow() -> None:
    names, first = Names(), setup("Apple M4", 1)
    names.setups.of(first)
    assert told(names) == ["Apple M4"]
    names.setups.of(setup("Apple M5", 2))
    names.setups.of(setup("Apple M4", 3))
    assert told(names) == ["Apple M4", "Apple M5", "Apple M4"]
    assert first.looks == 1


def test_what_is_read_from_files_takes_over_what_was_known_of_the_same_setups() -> None:
    known, same = Names(), setup("Apple M4", 1)
    for one in (same, setup("Apple M5", 2), setup("Apple M1", 3)):
        known.setups.of(one)
    told(known)
    names = Names()
    # Whoever wrote the files met another one second.
    for one in (same, setup("Apple M1", 3), setup("Apple M5", 2), setup("Apple M2", 4)):
        names.setups.of(one)
    names.learn(known)
    assert told(names) == ["Apple M4", "Apple M1", "Apple M5", "Apple M2"]
    assert same.looks == 1


def told(names: Names) -> list[str]:
    codes, values = names.setup_values("chip")
    return [values[code] for code in codes.tolist()]


def test_words_are_kept_once_for_all_setups() -> None:
    names = Names()
    for model in range(3):
        names.setup(tuple(setup("".join(["Apple", " M4"]), model)))
    assert names.setup(tuple(setup("Apple M4", 1))) == 1
    chip = SETUP.index("chip")
    assert len({id(one[chip]) for one in names.setups.things}) == 1
    # Equal cells of different types stay what they are.
    cells = (True, 1, 1.0, "1", (("1", "1"),))
    assert list(map(type, names.setups.things[names.setup(cells)])) == list(map(type, cells))
