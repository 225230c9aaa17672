"""Text that people write: checks for visibility and protection against steering characters."""

import re
import unicodedata

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

# Letters and signs to Unicode that draw nothing: Hangul fillers, blank Braille.
_BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800")
# Combining marks, controls, direction marks and joiners, surrogates, spaces.
_UNSEEN = ("Mn", "Me", "Cc", "Cf", "Cs", "Zs", "Zl", "Zp")


# Characters that reorder or hide the text around them: direction marks, embeddings, overrides and
# isolates, invisible separators and tags. Joiners stay: scripts and emoji need them.
_STEERING = re.compile(
    "[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)

# A spreadsheet takes a cell that begins with one of these signs, or their full-width forms, for a
# formula; some trim invisible characters before it. Where a semicolon separates cells, text after
# one inside a value becomes a cell of its own. For Python's `re` and for DuckDB.
_TRIMMED = "[\\s\x0b\x1c-\x1f\x85\xa0\u1680\u2000-\u200f\u2028-\u202f\u205f-\u2069\u3000\ufeff]"
FORMULA = rf"(^|;)({_TRIMMED}*[=+\-@＝＋－＠])|^(\t)"
DISARMED = r"\1'\2\3"


def legible(text: str) -> str:
    """Remove steering characters."""
    return _STEERING.sub("", text)


ISOLATE, END = "\u2068", "\u2069"


def closed(text: str) -> str:
    """Close every open isolate and drop unmatched ends; a truncated text may have lost some."""
    result, opened = "", 0
    for letter in text:
        if letter == END and not opened:
            continue
        opened += (letter == ISOLATE) - (letter == END)
        result += letter
    return result + END * opened


# Invalid in XML 1.0: C0 controls, surrogates, the two non-characters.
_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LINES = re.compile(r"[\t\n\r\x85\u2028\u2029]+")
_ISOLATES = re.compile(f"([{ISOLATE}{END}])")
_ISOLATED = re.compile(f"{ISOLATE}[^{ISOLATE}{END}]*{END}")


def printable(text: str) -> str:
    """Replace characters that are invalid in XML."""
    return _NO_XML.sub("\ufffd", text)


def safe(text: str) -> str:
    """Return the text as one line without steering characters."""
    return legible(_LINES.sub(" ", printable(text)))


def isolated(text: str) -> str:
    """Return `safe` text that can't reorder the text next to it, even if it is right-to-left.

    Parts that are already isolated stay so.
    """
    if text.isascii() or not any(
        unicodedata.bidirectional(letter) in ("R", "AL", "AN") for letter in text
    ):
        return safe(text)
    pieces = (p if p in (ISOLATE, END) else safe(p) for p in _ISOLATES.split(text))
    result = closed("".join(pieces))
    return result if _ISOLATED.fullmatch(result) else f"{ISOLATE}{result}{END}"


_LONGEST_NAME = 60
_OF_NAMES = re.compile(r"[^\w .,'’&()-]|_")
_LINKED = re.compile(r"\.(?=\w)")


def plain_name(text: str) -> str:
    """Shorten a name for mail to strangers and remove everything that mail programs make links of
    (`evil.example` as `evil. example`).
    """
    words = _LINKED.sub(". ", _OF_NAMES.sub(" ", safe(text)))
    name = " ".join(words.split())
    return name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1].rstrip() + "…"


_LINKS = re.compile(r"(?<=[:/])(?=/)|(?<=[.\u3002\uff0e\uff61])(?=[^\W\d_])")


def unlinked(text: str) -> str:
    """Return `isolated` text with spaces where mail programs would make a link of it
    (`https: / /evil. example`). Numbers and versions stay.
    """
    return _LINKS.sub(" ", isolated(text))


def is_seen(text: str) -> bool:
    """Whether any character is visible."""
    return any(
        letter not in _BLANK and unicodedata.category(letter) not in _UNSEEN for letter in text
    )


def _require_seen(text: str) -> str:
    if not is_seen(text):
        raise PydanticCustomError(
            "invisible", "This has only invisible characters. Use some that can be seen"
        )
    return text


VISIBLE = AfterValidator(_require_seen)
