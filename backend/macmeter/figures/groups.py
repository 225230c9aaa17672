"""The groups of an answer as they are shown, under the ids of their lanes."""

from __future__ import annotations

from macmeter.answers.answer import Answer, Group
from macmeter.answers.printed import each_printed

# Of more published figures in one group the lowest and the highest are shown, as of a range.
MOST_PRINTED = 12


def shown_groups(answer: Answer, place: int) -> list[tuple[str, Group]]:
    """Groups of the result at this place, by its own and the group's place, "0.3".

    Unlike published figures of one group are "0.3.0" and so on: the others keep their places.
    """
    found: list[tuple[str, Group]] = []
    for number, group in enumerate(answer["results"][place]["groups"]):
        each = [*each_printed([group], MOST_PRINTED)]
        of_group = f"{place}.{number}"
        ids = [of_group] if len(each) == 1 else [f"{of_group}.{part}" for part in range(len(each))]
        found += zip(ids, each, strict=True)
    return found
