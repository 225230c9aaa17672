"""Webhooks: signed, sent once, never into a private network or along a redirect."""

from __future__ import annotations

import hashlib
import hmac
from typing import Any

import pytest
from macmeter.alerts import webhooks
from macmeter.alerts.webhooks import WebhookError, parse_address, post, require_public, signature
from macmeter.platform.errors import Problem
from macmeter.platform.settings import CHECKOUT
from support.listener import listening
from support.live_server import free_port

BODY = b'{"text":"A test."}'


def test_a_body_arrives_as_it_is_and_signed() -> None:
    with listening() as listener:
        post(listener.url, "a secret", BODY, private=True)
        ((headers, body),) = listener.taken
    assert body == BODY
    assert headers["content-type"] == "application/json"
    at, signed = headers["macmeter-signature"].split(",")
    expected = hmac.new(b"a secret", at.removeprefix("t=").encode() + b"." + BODY, hashlib.sha256)
    assert signed == f"v1={expected.hexdigest()}"


def test_another_secret_time_or_body_is_another_signature() -> None:
    signed = signature("a secret", 1, BODY)
    assert signed == signature("a secret", 1, BODY)
    others = [signature("another", 1, BODY), signature("a secret", 2, BODY)]
    others.append(signature("a secret", 1, BODY + b" "))
    assert signed.split(",")[1] not in {other.split(",")[1] for other in others}


@pytest.mark.parametrize("status", [400, 404, 410, 500, 503])
def test_a_refusal_is_said_with_its_status(status: int) -> None:
    with listening() as listener:
        listener.statuses = [status]
        with pytest.raises(WebhookError, match=f"status {status}"):
            post(listener.url, "a secret", BODY, private=True)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_no_redirection_is_followed(status: int) -> None:
    with listening() as inward, listening() as listener:
        listener.statuses, listener.location = [status], inward.url
        with pytest.raises(WebhookError, match="redirects aren't followed"):
            post(listener.url, "a secret", BODY, private=True)
        assert not inward.taken


def test_whoever_does_not_answer_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhooks, "TIMEOUT_SECONDS", 0.3)
    with listening() as listener:
        listener.statuses = [0]
        with pytest.raises(WebhookError, match="No answer"):
            post(listener.url, "a secret", BODY, private=True)


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1", "localhost", "[::1]", "10.0.0.8", "172.16.3.4", "192.168.1.1", "0.0.0.0"),
        *("169.254.169.254", "[fe80::1]", "[fd00::1]", "[::ffff:127.0.0.1]", "100.64.0.1"),
        *("[64:ff9b::7f00:1]", "[2002:7f00:1::]", "224.0.0.1", "2130706433", "0x7f.1"),
        *("[fec0::1]", "[64:ff9b:1::1]", "[::127.0.0.1]", "[::ffff:0:127.0.0.1]"),
        *("192.0.0.192", "192.88.99.1"),
    ],
)
def test_no_address_leads_into_a_private_network(
    host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("it was connected to")

    monkeypatch.setattr("socket.create_connection", never)
    with pytest.raises(WebhookError, match=r"private network|No server has this name"):
        post(f"http://{host}:9/hook", "a secret", BODY, private=False)


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "10.0.0.8", "169.254.169.254", "localhost"])
def test_an_address_in_a_private_network_is_refused_when_it_is_named(host: str) -> None:
    with pytest.raises(Problem) as refused:
        require_public(f"http://{host}:9/hook")
    assert (refused.value.status, refused.value.code) == (422, "private_address")


def test_a_name_that_nobody_knows_today_may_be_known_when_it_is_sent_to() -> None:
    require_public("https://nobody.invalid/hook")


def test_whoever_can_t_be_reached_is_told_of_in_words() -> None:
    with pytest.raises(WebhookError, match="No server has this name"):
        post("https://nobody.invalid/hook", "a secret", BODY, private=True)
    with pytest.raises(WebhookError, match="the connection was refused"):
        post(f"http://127.0.0.1:{free_port()}/hook", "a secret", BODY, private=True)


def test_a_name_counts_by_all_that_it_stands_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def found(*_: object, **__: object) -> list[object]:
        return [(2, 1, 6, "", ("93.184.215.14", 443)), (2, 1, 6, "", ("10.0.0.1", 443))]

    monkeypatch.setattr("socket.getaddrinfo", found)
    with pytest.raises(WebhookError, match="private network"):
        post("https://hooks.example.org/x", "a secret", BODY, private=False)


def test_a_name_that_means_another_address_a_moment_later_leads_where_it_was_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hosts: list[str] = []
    connected: list[tuple[str, int]] = []

    def found(host: str, *_: object, **__: object) -> list[object]:
        hosts.append(host)
        return [(2, 1, 6, "", ("93.184.215.14" if len(hosts) == 1 else "127.0.0.1", 443))]

    def connect(address: tuple[str, int], **_: object) -> None:
        connected.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr("socket.getaddrinfo", found)
    monkeypatch.setattr("socket.create_connection", connect)
    with pytest.raises(WebhookError, match="No answer"):
        post("https://hooks.example.org/x", "a secret", BODY, private=False)
    assert (hosts, connected) == (["hooks.example.org"], [("93.184.215.14", 443)])


@pytest.mark.parametrize(
    "url",
    [
        *("ftp://example.org/", "example.org/hook", "https://", "https://user:pass@example.org/"),
        *("https://example.org/#part", "https://example.org:99999/", "javascript:alert(1)"),
        *("https://exa mple.org/", "https://example.org/\r\nHost: inside", "https://exämple.org/"),
        *("http://a..b/x", "http://.b/", "http://-a.org/", f"https://{'l' * 64}.org/"),
        *("https://" + "a." * 127 + "org/", "http://a%20b.org/"),
        "https://example.org/" + "x" * 2000,
    ],
)
def test_what_is_no_address_is_refused_when_it_is_named(url: str) -> None:
    with pytest.raises(Problem) as refused:
        parse_address(url)
    assert (refused.value.status, refused.value.code) == (422, "bad_url")


def test_the_guide_s_own_check_takes_what_is_sent() -> None:
    guide = (CHECKOUT / "docs" / "alerts.md").read_text(encoding="utf-8")
    namespace: dict[str, Any] = {}
    exec(guide.split("```python\n")[1].split("```")[0], namespace)  # noqa: S102 - our own page
    header = signature("a secret", 7, BODY)
    assert namespace["is_ours"]("a secret", header, BODY)
    assert not namespace["is_ours"]("another", header, BODY)
    assert not namespace["is_ours"]("a secret", header, BODY + b" ")
