"""What a week changed in an answer, in lines for a feed."""

from __future__ import annotations

from collections.abc import Iterator

from macmeter.answers.answer import Answer
from macmeter.answers.sides import Compared
from macmeter.figures.changes import ChangePart, ChangeRow, changes_of, extent
from macmeter.figures.numbers import counted

# What is beyond it is on the page.
_MOST_LINES = 20


def news_of(
    before: Answer | Compared, after: Answer | Compared
) -> tuple[str, tuple[str, ...]] | None:
    """A title, "3 figures changed by up to +4 %", and a line for each; None where nothing did.

    A figure has changed when it is printed differently.
    """
    parts = changes_of(before, after).parts
    changed = [(part, row) for part in parts for row in part.rows if _has_changed(row)]
    if not changed:
        return None
    ratios = [row.ratio for _, row in changed if row.ratio]
    largest = max(ratios, key=lambda ratio: max(ratio, 1 / ratio), default=None)
    title = f"{counted(len(changed), 'figure')} changed"
    if largest is not None:
        title += f" {extent(len(changed), largest)}"
    lines = [*_lines(changed[:_MOST_LINES], several=len(parts) > 1)]
    if len(changed) > _MOST_LINES:
        lines.append(f"And {len(changed) - _MOST_LINES} more.")
    return title, tuple(lines)


def _has_changed(row: ChangeRow) -> bool:
    if row.frozen is None or row.live is None:
        return True
    return row.frozen.text != row.live.text


def _lines(changed: list[tuple[ChangePart, ChangeRow]], several: bool) -> Iterator[str]:
    for part, row in changed:
        name = " · ".join(filter(None, [part.title if several else "", row.label]))
        yield f"{name or part.title}: {_told(row)}"


def _told(row: ChangeRow) -> str:
    """ "5.20 GB/s, was 5.00 GB/s (+4 %); 3 machines, 4 runs"."""
    if row.live is None:
        assert row.frozen is not None
        return f"no figure any more, was {row.frozen.text}"
    if row.frozen is None:
        return f"{row.live.text}, new; {row.live.based_on}"
    return f"{row.live.text}, was {row.frozen.text} ({row.text}); {row.live.based_on}"
