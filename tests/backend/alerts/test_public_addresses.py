"""The table of addresses: its edges, and every form that an IPv4 address has within IPv6."""

from __future__ import annotations

import ipaddress
from ipaddress import IPv4Address

import pytest
from macmeter.alerts.webhooks import is_public

# First and last address of each range that is not public.
RANGES_4 = [
    *(("0.0.0.0", "0.255.255.255"), ("10.0.0.0", "10.255.255.255")),
    *(("100.64.0.0", "100.127.255.255"), ("127.0.0.0", "127.255.255.255")),
    *(("169.254.0.0", "169.254.255.255"), ("172.16.0.0", "172.31.255.255")),
    *(("192.0.0.0", "192.0.0.255"), ("192.0.2.0", "192.0.2.255")),
    *(("192.88.99.0", "192.88.99.255"), ("192.168.0.0", "192.168.255.255")),
    *(("198.18.0.0", "198.19.255.255"), ("198.51.100.0", "198.51.100.255")),
    *(("203.0.113.0", "203.0.113.255"), ("224.0.0.0", "255.255.255.255")),
    *(("168.63.129.16", "168.63.129.16"),),
]
RANGES_6 = [
    # Everything below and above 2000::/3: fc00::/7, fe80::/10, fec0::/10, ff00::/8, 5f00::/16 …
    *(("::", "1fff:" + "ffff:" * 6 + "ffff"), ("4000::", "ffff:" * 7 + "ffff")),
    *(("2001::", "2001:1ff:" + "ffff:" * 5 + "ffff"), ("2002::", "2002:" + "ffff:" * 6 + "ffff")),
    *(("2001:db8::", "2001:db8:" + "ffff:" * 5 + "ffff"),),
    *(("2620:4f:8000::", "2620:4f:8000:" + "ffff:" * 4 + "ffff"),),
    *(("3fff::", "3fff:fff:" + "ffff:" * 5 + "ffff"),),
]
PUBLIC_4 = ["1.1.1.1", "93.184.215.14", "192.0.1.1", "172.15.255.255", "172.32.0.0", "223.1.1.1"]
PUBLIC_6 = ["2606:4700::1111", "2a00:1450::1", "2001:200::1", "2620:4f:8001::1", "3ffe::1"]


@pytest.mark.parametrize(("first", "last"), RANGES_4 + RANGES_6)
def test_a_range_ends_where_the_registry_says(first: str, last: str) -> None:
    start, end = int(ipaddress.ip_address(first)), int(ipaddress.ip_address(last))
    family = type(ipaddress.ip_address(first))
    for number in {start, end, start + 1, end - 1, (start + end) // 2}:
        if start <= number <= end:
            assert not is_public(str(family(number))), family(number)


@pytest.mark.parametrize(("first", "last"), RANGES_4)
def test_the_addresses_around_a_range_are_public(first: str, last: str) -> None:
    # Unless another range begins there.
    for number in (int(IPv4Address(first)) - 1, int(IPv4Address(last)) + 1):
        if 0 <= number < 2**32 and str(IPv4Address(number)) != "192.0.1.255":
            assert is_public(str(IPv4Address(number))), IPv4Address(number)


@pytest.mark.parametrize("number", PUBLIC_4 + PUBLIC_6)
def test_what_is_public_is_taken(number: str) -> None:
    assert is_public(number)


PRIVATE = "7f00:1", "a00:8", "a9fe:a9fe", "c0a8:101", "c000:c0", "c058:6301", "6440:1"
# IPv4 address at the end: mapped, compatible, SIIT, NAT64 of both kinds, ISATAP of both.
FORMS = (
    *("::ffff:{}", "::{}", "::ffff:0:{}", "64:ff9b::{}", "64:ff9b:1::{}", "64:ff9b:1:fffe::{}"),
    *("fe80::5efe:{}", "fe80::200:5efe:{}", "2606:4700::5efe:{}", "2606:4700::200:5efe:{}"),
    # 6to4, and the server and the client of Teredo.
    *("2002:{}::1", "2001:0:{}::1", "2001::{}"),
)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("inner", PRIVATE)
def test_no_form_of_a_private_address_is_public(form: str, inner: str) -> None:
    assert not is_public(form.format(inner))


def test_a_translated_public_address_is_public() -> None:
    # A machine with only IPv6 reaches all IPv4 addresses this way.
    assert is_public("64:ff9b::5db8:d70e")
    assert is_public("::ffff:5db8:d70e")
    for form in ("::{}", "::ffff:0:{}", "64:ff9b:1::{}", "2002:{}::1", "2001::{}"):
        assert not is_public(form.format("5db8:d70e")), form
