"""Names of hosts, as the name service takes them."""

from __future__ import annotations

import re

_LABEL = re.compile(r"\w([\w-]*\w)?")
_LONGEST = 253


def is_host_name(text: str) -> bool:
    """Whether it has labels of 1 to 63 letters, digits and hyphens; those of other scripts count as
    they are looked up.
    """
    try:
        encoded = text.encode("idna")  # refuses empty and long labels
    except UnicodeError:
        return False
    labels = text.split(".")
    return 0 < len(encoded) <= _LONGEST and all(_LABEL.fullmatch(label) for label in labels)
