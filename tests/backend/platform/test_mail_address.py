"""Email addresses as people enter them: which ones mail can be sent to."""

from __future__ import annotations

import pytest
from macmeter.platform.mail import is_address


@pytest.mark.parametrize(
    "text",
    [
        *("ada@example.org", "ada.l+macs@sub.example.org", "o'neill@localhost", "a@192.0.2.1"),
        *("jörg@bücher.example", "x=y?z@example.org", "a@" + "l" * 63 + ".org", "a@my_host"),
    ],
)
def test_addresses(text: str) -> None:
    assert is_address(text)


@pytest.mark.parametrize(
    "text",
    [
        *("", "@", "ada", "ada@", "@example.org", "a b@example.org", "a@b@c", "a@b c"),
        *("=?utf-8?q?x=0ay?=@example.org", "=?utf-8?q??=@b", "a@=?utf-8?q?b?="),
        *("a@b..c", "a@.b", "a@b.", "a@" + "l" * 64, "a@-b", "a@b-", "a@" + "é" * 60),
        *("a\n@b", "a@b\r\nBcc: c", "a\0@b", "a@b\u2028", "a\ud800@b", "a@b\u3002c"),
        *("a,b@c", "a@b, c@d", "<a@b>", "a@b>", '"a"@b', "group:a@b", "l" * 65 + "@b"),
        "a@" + ".".join(["label"] * 50),
    ],
)
def test_no_addresses(text: str) -> None:
    assert not is_address(text)
