"""Email addresses and host names: one rule for input and for sending."""

import re

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

# Excludes separators of addresses, names and headers, and invisible characters.
_LOCAL = re.compile(r'[^\s@\x00-\x20\x7f-\xa0<>,;:"()\[\]\\\ud800-\udfff]{1,64}')
# Start of an encoded word in a header: RFC 2047.
_ENCODED = "=?"
LONGEST = 254
_LABEL = re.compile(r"\w([\w-]*\w)?")
_LONGEST_HOST = 253


def is_host_name(text: str) -> bool:
    """Whether it has labels of 1 to 63 letters, digits and hyphens, counted as looked up: other
    scripts in their IDNA encoding.
    """
    try:
        encoded = text.encode("idna")  # refuses empty and long labels
    except UnicodeError:
        return False
    labels = text.split(".")
    return 0 < len(encoded) <= _LONGEST_HOST and all(_LABEL.fullmatch(label) for label in labels)


def is_address(text: str) -> bool:
    """Whether mail can be sent there, as one recipient in one line of a header."""
    local, _, host = text.rpartition("@")
    if len(text) > LONGEST or _ENCODED in text or not text.isprintable():
        return False
    return _LOCAL.fullmatch(local) is not None and is_host_name(host)


def _require_address(text: str) -> str:
    if not is_address(text):
        raise PydanticCustomError("bad_email", "Write an email address, such as ada@example.org")
    return text


ADDRESS = AfterValidator(_require_address)
