"""Signed requests to webhooks, never into the server's own network.

Host names are resolved once, and that IP address is checked and connected to: a second look-up
could give another. Redirects aren't followed.
"""

import contextlib
import hashlib
import hmac
import http.client
import ipaddress
import socket
import ssl
import threading
import time
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_network
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from macmeter.platform.errors import ItemError, Problem, invalid
from macmeter.platform.mail import is_host_name

TIMEOUT_SECONDS = 10.0
_MAX_URL_LENGTH = 2000
SIGNATURE_HEADER = "Macmeter-Signature"


class WebhookError(ItemError):
    """Failed delivery. The message says why, and nothing of the response."""


class Address(NamedTuple):
    host: str
    port: int
    https: bool
    path: str
    host_header: str


def parse_address(url: str) -> Address:
    """Parse a webhook's address. Raise 422 if it is invalid. Sending checks where it leads."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise _bad_url("Write https://HOST/PATH.") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or len(url) > _MAX_URL_LENGTH:
        raise _bad_url("Write https://HOST/PATH.")
    if not _is_host(parts.hostname):
        raise _bad_url("This host can't be looked up. Write https://HOST/PATH.")
    if parts.username is not None or parts.password is not None or parts.fragment:
        raise _bad_url("An address has no user, password or fragment here.")
    if any(ord(character) <= 32 or ord(character) > 126 for character in url):
        raise _bad_url("An address has neither spaces nor letters that are not ASCII.")
    https = parts.scheme == "https"
    return Address(
        parts.hostname, port or (443 if https else 80), https, _path(parts), parts.netloc
    )


def _is_host(host: str) -> bool:
    with contextlib.suppress(ValueError):
        return bool(ipaddress.ip_address(host))
    return is_host_name(host.removesuffix("."))


def _path(parts: SplitResult) -> str:
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def _bad_url(detail: str) -> Problem:
    return invalid("/url", detail, "bad_url")


def signature(secret: str, at: int, body: bytes) -> str:
    """Return the header `t=SECONDS,v1=HEX`: HMAC-SHA256 of `SECONDS.BODY`, to prevent replays."""
    signed = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256)
    return f"t={at},v1={signed.hexdigest()}"


def post(url: str, secret: str, body: bytes, *, private: bool) -> None:
    """Send `body`. Raise WebhookError unless the response is 2xx.

    Takes TIMEOUT_SECONDS at most, except for the look-up. `private` allows addresses of our own
    network.
    """
    try:
        address = parse_address(url)
        ip = _allowed_ip(address, private=private)
        status = _send(address, ip, secret, body)
    except Problem as problem:
        raise WebhookError(problem.detail) from None
    except (OSError, http.client.HTTPException) as error:
        raise WebhookError(_reason(error)) from None
    if 300 <= status < 400:
        raise WebhookError(
            f"The address redirects (status {status}), and redirects aren't followed"
        )
    if not 200 <= status < 300:
        raise WebhookError(f"The answer was status {status}")


def require_public(url: str) -> None:
    """Raise 422 for an invalid address, and for one in a private network.

    A name that is unknown today may be known later: sending checks again. Takes as long as the
    look-up.
    """
    address = parse_address(url)
    with contextlib.suppress(OSError):
        if not _all_public(_ips_of(address)):
            detail = (
                "This address is in a private network. Choose a public one, or ask the server's"
                " operator to set WEBHOOKS_PRIVATE=1."
            )
            raise invalid("/url", detail, "private_address")


def _allowed_ip(address: Address, *, private: bool) -> str:
    """Return one of the host's IP addresses, all of which must be allowed."""
    ips = _ips_of(address)
    if not private and not _all_public(ips):
        raise WebhookError("The address is in a private network, which is not allowed")
    return ips[0]


def _ips_of(address: Address) -> list[str]:
    infos = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
    return [str(info[4][0]).partition("%")[0] for info in infos]


def _all_public(ips: list[str]) -> bool:
    return all(is_public(ip) for ip in ips)


def _reason(error: Exception) -> str:
    match error:
        case socket.gaierror():
            return "No server has this name"
        case TimeoutError():
            return f"No answer within {TIMEOUT_SECONDS:g} seconds"
        case ConnectionRefusedError():
            return "No answer: the connection was refused"
        case ssl.SSLCertVerificationError():
            return "The server's certificate is not valid for this address"
    return "No answer: the connection was closed"


def _send(address: Address, ip: str, secret: str, body: bytes) -> int:
    """Return the response's status. The rest isn't read."""
    tcp_socket = socket.create_connection((ip, address.port), timeout=TIMEOUT_SECONDS)
    # Also cuts off servers that answer byte by byte.
    deadline = threading.Timer(TIMEOUT_SECONDS, _abort, (tcp_socket,))
    deadline.daemon = True
    deadline.start()
    try:
        connected = tcp_socket
        if address.https:
            trusted = ssl.create_default_context()
            connected = trusted.wrap_socket(tcp_socket, server_hostname=address.host)
        connection = http.client.HTTPConnection(address.host, address.port)
        connection.sock = connected
        headers = {
            "Host": address.host_header,
            "Content-Type": "application/json",
            "User-Agent": "Macmeter",
            SIGNATURE_HEADER: signature(secret, int(time.time()), body),
        }
        connection.request("POST", address.path, body, headers)
        status = connection.getresponse().status
        connected.close()
        return status
    finally:
        deadline.cancel()
        tcp_socket.close()


def _abort(tcp_socket: socket.socket) -> None:
    with contextlib.suppress(OSError):  # already closed
        tcp_socket.shutdown(socket.SHUT_RDWR)


# All of IANA's special-purpose registries, also ranges that they call reachable: nobody's webhook
# is there. Python's `is_global` differs between its versions.
_NOT_PUBLIC = [
    ip_network(cidr)
    for cidr in (
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
        "2001::/23",  # protocol assignments, Teredo among them
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4
        "2620:4f:8000::/48",  # AS112
        "3fff::/20",  # documentation
    )
]
# All else in IPv6 is loopback, unique local, link-local, site-local, multicast, unassigned, or an
# IPv4 address in a form that no public server has: ::127.0.0.1, ::ffff:0:127.0.0.1.
_PUBLIC_IPV6 = IPv6Network("2000::/3")
# Prefixes that lead to the IPv4 address in the last four bytes. Not 64:ff9b:1::/48, whose
# translators are a network's own.
_LEADING_TO_IPV4 = [IPv6Network("::ffff:0:0/96"), IPv6Network("64:ff9b::/96")]
# Third quarter of an ISATAP address; the last one is an IPv4 address of its network.
_ISATAP = {0x00005EFE, 0x02005EFE}


def is_public(ip: str) -> bool:
    """Return whether an IP address is on the public internet."""
    address = ipaddress.ip_address(ip)
    if isinstance(address, IPv6Address):
        if any(address in network for network in _LEADING_TO_IPV4):
            return is_public(str(IPv4Address(int(address) & 0xFFFFFFFF)))
        if address not in _PUBLIC_IPV6 or int(address) >> 32 & 0xFFFFFFFF in _ISATAP:
            return False
    return not any(address in network for network in _NOT_PUBLIC)
