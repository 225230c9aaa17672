"""SVG as text: elements, and escaping of foreign strings.

Nothing here refers to anything outside the picture, and every string from an agent, an article or
the author of a link goes through `escape`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import escape as _escape

from macmeter.charts.pictures import lettering
from macmeter.charts.pictures.lettering import Weight
from macmeter.platform.plain_text import printable

SMALL = 12.0


def escape(text: str) -> str:
    return _escape(printable(text), {'"': "&quot;"})


def number(value: float) -> str:
    """Format to a hundredth of a unit, without trailing zeros."""
    written = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if written == "-0" else written


def element(name: str, content: str | None = None, **attributes: Any) -> str:
    """Return `<name …>`; None attributes are left out, `_` in their names becomes `-`."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_attribute(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}/>" if content is None else f"<{name}{written}>{content}</{name}>"


def _attribute(value: Any) -> str:
    return number(value) if isinstance(value, (int, float)) else escape(str(value))


class Line:
    """One line of text with differently styled parts and a known width."""

    def __init__(self, size: float = 13.0) -> None:
        self.size = size
        self.width = 0.0
        self._parts: list[str] = []

    def add(
        self,
        text: str,
        fill: str | None = None,
        *,
        weight: Weight = "regular",
        size: float | None = None,
        gap: float = 0.0,
    ) -> Line:
        """Append `text`, `gap` units after the text so far."""
        if text:
            self._parts.append(
                element(
                    "tspan",
                    escape(text),
                    dx=gap or None,
                    fill=fill,
                    font_size=size,
                    font_weight=600 if weight == "semibold" else None,
                )
            )
            self.width += gap + lettering.width(text, size or self.size, weight)
        return self

    def at(self, x: float, y: float, anchor: str | None = None) -> str:
        """Return the line, vertically centred at `y`."""
        return element(
            "text",
            "".join(self._parts),
            x=x,
            y=y + self.size * 0.35,
            font_size=self.size,
            text_anchor=anchor,
        )


@dataclass(frozen=True)
class Look:
    """Style of a text, and which of its ends is at its position."""

    fill: str
    size: float = 13.0
    weight: Weight = "regular"
    anchor: str | None = None


def small(fill: str, anchor: str | None = None) -> Look:
    """Return the style of ticks and notes."""
    return Look(fill, SMALL, anchor=anchor)


def text(content: str, x: float, y: float, look: Look) -> str:
    """Return one line, vertically centred at `y`."""
    return element(
        "text",
        escape(content),
        x=x,
        y=y + look.size * 0.35,
        font_size=look.size,
        fill=look.fill,
        font_weight=600 if look.weight == "semibold" else None,
        text_anchor=look.anchor,
    )


def rule(x: float, y: float, direction: str, end: float) -> str:
    """Return the path of a straight line: `direction` H or V ends at `end`, h or v is relative."""
    return f"M{number(x)} {number(y)}{direction}{number(end)}"


def path(d: str, stroke: str, stroke_width: float = 1.0, **attributes: Any) -> str:
    return element("path", d=d, stroke=stroke, stroke_width=stroke_width, fill="none", **attributes)
