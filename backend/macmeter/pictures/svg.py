"""SVG as text: elements, and what makes a foreign string safe to stand in one.

Nothing here refers to anything outside the picture, and no string of an agent, an article or
a maker of a link reaches it but through `escape`.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any
from xml.sax.saxutils import escape as _escape

from macmeter.pictures import lettering
from macmeter.pictures.lettering import Weight
from macmeter.plain_text import END, ISOLATE, closed, legible

# What XML 1.0 has no place for: C0 controls, surrogates, the two non-characters.
_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_BLANK = re.compile(r"[\t\n\r\x85\u2028\u2029]+")
_ISOLATES = re.compile(f"([{ISOLATE}{END}])")
_ISOLATED = re.compile(f"{ISOLATE}[^{ISOLATE}{END}]*{END}")


def safe(text: str) -> str:
    """One line without characters that steer: what is left is shown, and only shown."""
    return legible(_BLANK.sub(" ", _NO_XML.sub("\ufffd", text)))


def isolated(text: str) -> str:
    """`safe` text that can't move what stands beside it, though it be written from the right.

    A part of it that is isolated already stays so.
    """
    if not any(unicodedata.bidirectional(letter) in ("R", "AL", "AN") for letter in text):
        return safe(text)
    pieces = (p if p in (ISOLATE, END) else safe(p) for p in _ISOLATES.split(text))
    kept = closed("".join(pieces))
    return kept if _ISOLATED.fullmatch(kept) else f"{ISOLATE}{kept}{END}"


def escape(text: str) -> str:
    return _escape(_NO_XML.sub("\ufffd", text), {'"': "&quot;"})


def number(value: float) -> str:
    """To a hundredth of a unit, without needless zeros."""
    written = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if written == "-0" else written


def element(name: str, content: str | None = None, **attributes: Any) -> str:
    """`<name …>`; None attributes are left out, `_` in their names stands for `-`."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_attribute(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}/>" if content is None else f"<{name}{written}>{content}</{name}>"


def _attribute(value: Any) -> str:
    return number(value) if isinstance(value, (int, float)) else escape(str(value))


class Line:
    """One line of text in parts of different look, which knows how wide it is."""

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
        """Appends `text`, `gap` units after what stands there."""
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
        """The line with its middle at height `y`."""
        return element(
            "text",
            "".join(self._parts),
            x=x,
            y=y + self.size * 0.35,
            font_size=self.size,
            text_anchor=anchor,
        )


def text(
    content: str,
    x: float,
    y: float,
    fill: str,
    *,
    size: float = 13.0,
    weight: Weight = "regular",
    anchor: str | None = None,
) -> str:
    """One line with its middle at height `y`."""
    return element(
        "text",
        escape(content),
        x=x,
        y=y + size * 0.35,
        font_size=size,
        fill=fill,
        font_weight=600 if weight == "semibold" else None,
        text_anchor=anchor,
    )


def path(d: str, stroke: str, stroke_width: float = 1.0, **attributes: Any) -> str:
    return element("path", d=d, stroke=stroke, stroke_width=stroke_width, fill="none", **attributes)
