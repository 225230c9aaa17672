"""Which IP addresses a webhook may lead to: those of the public internet, by a table of our own.

Python's `is_global` differs between its versions. The table is all of IANA's special-purpose
registries, also where they call a range reachable: nobody's webhook is there.
"""

from __future__ import annotations

import ipaddress
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_network

_NOT_PUBLIC_4 = [
    ip_network(written)
    for written in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private use
        "100.64.0.0/10",  # shared by a provider's customers; metadata of a cloud
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # a cloud's services for its own machines; in no registry
        "169.254.0.0/16",  # link-local; metadata of most clouds
        "172.16.0.0/12",  # private use
        "192.0.0.0/24",  # protocol assignments; metadata of a cloud
        "192.0.2.0/24",  # documentation
        "192.31.196.0/24",  # AS112
        "192.52.193.0/24",  # AMT
        "192.88.99.0/24",  # relays of 6to4
        "192.168.0.0/16",  # private use
        "192.175.48.0/24",  # AS112
        "198.18.0.0/15",  # benchmarking
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
    )
]
# All else of IPv6 is loopback, unique local, link-local, site-local, multicast or not assigned, or
# an IPv4 address in a form that no public server has: ::127.0.0.1, ::ffff:0:127.0.0.1.
_PUBLIC_6 = IPv6Network("2000::/3")
_NOT_PUBLIC_6 = [
    IPv6Network(written)
    for written in (
        "2001::/23",  # protocol assignments, Teredo among them
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4
        "2620:4f:8000::/48",  # AS112
        "3fff::/20",  # documentation
    )
]
# What leads where the IPv4 address in its last four bytes does. Not 64:ff9b:1::/48, whose
# translators are a network's own.
_TRANSLATED = [IPv6Network("::ffff:0:0/96"), IPv6Network("64:ff9b::/96")]
# The third quarter of an ISATAP address, whose last one is an IPv4 address of its network.
_ISATAP = {0x00005EFE, 0x02005EFE}


def is_public(number: str) -> bool:
    """Whether an IP address, written as a number, is on the public internet."""
    address = ipaddress.ip_address(number)
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _NOT_PUBLIC_4)
    if any(address in network for network in _TRANSLATED):
        return is_public(str(IPv4Address(int(address) & 0xFFFFFFFF)))
    return _is_public_6(address)


def _is_public_6(address: IPv6Address) -> bool:
    if int(address) >> 32 & 0xFFFFFFFF in _ISATAP:
        return False
    return address in _PUBLIC_6 and not any(address in network for network in _NOT_PUBLIC_6)
