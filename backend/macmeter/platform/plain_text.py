"""Texts that people write: a title that nobody sees is none."""

from __future__ import annotations

import re
import unicodedata

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

# Letters and signs to Unicode, which draw nothing: fillers of Hangul, Braille without a dot.
_BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800")
# Marks on another letter, controls, direction marks and joiners, halves, spaces.
_UNSEEN = ("Mn", "Me", "Cc", "Cf", "Cs", "Zs", "Zl", "Zp")


# What turns or hides the text around it: marks, embeddings, overrides and isolates of direction,
# invisible separators and tags. Joiners stay, which scripts and emoji are written with.
_STEERING = re.compile(
    "[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)

# A spreadsheet takes a cell that begins with one of these signs, or their full-width forms, for
# a formula; some trim what can't be seen before it. Where a semicolon divides cells, opening the
# file makes a cell of what follows one inside a text. For Python's `re` and for DuckDB.
_TRIMMED = "[\\s\x0b\x1c-\x1f\x85\xa0\u1680\u2000-\u200f\u2028-\u202f\u205f-\u2069\u3000\ufeff]"
FORMULA = rf"(^|;)({_TRIMMED}*[=+\-@＝＋－＠])|^(\t)"
DISARMED = r"\1'\2\3"


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


# What XML 1.0 has no place for: C0 controls, surrogates, the two non-characters.
_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LINES = re.compile(r"[\t\n\r\x85\u2028\u2029]+")
_ISOLATES = re.compile(f"([{ISOLATE}{END}])")
_ISOLATED = re.compile(f"{ISOLATE}[^{ISOLATE}{END}]*{END}")


def printable(text: str) -> str:
    """With a sign in the place of what XML has no place for."""
    return _NO_XML.sub("\ufffd", text)


def safe(text: str) -> str:
    """One line without characters that steer: what is left is shown, and only shown."""
    return legible(_LINES.sub(" ", printable(text)))


def isolated(text: str) -> str:
    """`safe` text that can't reorder the text next to it, though it be written from the right.

    A part of it that is isolated already stays so.
    """
    if text.isascii() or not any(
        unicodedata.bidirectional(letter) in ("R", "AL", "AN") for letter in text
    ):
        return safe(text)
    pieces = (p if p in (ISOLATE, END) else safe(p) for p in _ISOLATES.split(text))
    kept = closed("".join(pieces))
    return kept if _ISOLATED.fullmatch(kept) else f"{ISOLATE}{kept}{END}"


_LONGEST_NAME = 60
_OF_NAMES = re.compile(r"[^\w .,'’&()-]|_")
_LINKED = re.compile(r"\.(?=\w)")


def plain_name(text: str) -> str:
    """A name for mail to strangers: short, and nothing in it that a mail program makes a link of
    (`evil.example` as `evil. example`).
    """
    words = _LINKED.sub(". ", _OF_NAMES.sub(" ", safe(text)))
    name = " ".join(words.split())
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1].rstrip() + "…"


def is_seen(text: str) -> bool:
    """Whether a reader sees anything of it."""
    return any(
        letter not in _BLANK and unicodedata.category(letter) not in _UNSEEN for letter in text
    )


def _require_seen(text: str) -> str:
    if not is_seen(text):
        raise PydanticCustomError(
            "invisible", "This has only invisible characters. Use some that can be seen"
        )
    return text


SEEN = AfterValidator(_require_seen)
