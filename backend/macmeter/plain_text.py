"""Texts that people write: a title that nobody sees is none."""

from __future__ import annotations

import re
import unicodedata

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

# Letters and signs to Unicode, which draw nothing: fillers of Hangul, Braille without a dot.
_BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800")
# What stands on another letter, controls, direction marks and joiners, halves, spaces.
_UNSEEN = ("Mn", "Me", "Cc", "Cf", "Cs", "Zs", "Zl", "Zp")


# What turns or hides the text around it: marks, embeddings, overrides and isolates of direction,
# invisible separators and tags. Joiners stay, which scripts and emoji are written with.
_STEERING = re.compile(
    "[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)


def legible(text: str) -> str:
    """The text without characters that steer: what is left is shown, and only shown."""
    return _STEERING.sub("", text)


ISOLATE, END = "\u2068", "\u2069"


def closed(text: str) -> str:
    """With every isolate closed, and none that was never opened: a cut text has lost some."""
    kept, opened = "", 0
    for letter in text:
        if letter == END and not opened:
            continue
        opened += (letter == ISOLATE) - (letter == END)
        kept += letter
    return kept + END * opened


def is_seen(text: str) -> bool:
    """Whether a reader sees anything of it."""
    return any(
        letter not in _BLANK and unicodedata.category(letter) not in _UNSEEN for letter in text
    )


def _require_seen(text: str) -> str:
    if not is_seen(text):
        raise PydanticCustomError(
            "invisible", "Only characters that cannot be seen: write some that can"
        )
    return text


SEEN = AfterValidator(_require_seen)
