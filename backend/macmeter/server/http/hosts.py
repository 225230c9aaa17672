"""The client's address, the scheme of a request, and the host names that this server answers to.

Links, previews and pictures carry the requested host, so an unknown one must not be trusted.
"""

import ipaddress
import re
import socket
from functools import lru_cache
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from macmeter.platform.errors import Problem
from macmeter.platform.settings import Settings


def client_address(request: Request, proxies: int) -> str:
    """Return the client's address, as the outermost of our proxies saw it, or as we see it."""
    # A proxy may add a line of its own instead of continuing the existing one.
    listed = ",".join(request.headers.getlist("x-forwarded-for"))
    addresses = [address.strip() for address in listed.split(",")]
    if 0 < proxies <= len(addresses):
        return addresses[-proxies]
    return request.client.host if request.client else ""


class Scheme:
    """Middleware that sets the scheme browsers see, for cookies, links and checks of Origin."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._proxies = settings.proxies
        self._is_always_https = bool(
            settings.public_url and settings.public_url.startswith("https:")
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._is_always_https or self._is_forwarded_https(scope):
            scope = {**scope, "scheme": "https"}
        await self._app(scope, receive, send)

    def _is_forwarded_https(self, scope: Scope) -> bool:
        """Return whether the outermost of our proxies saw HTTPS.

        Without proxies, don't trust the header.
        """
        listed = ",".join(Headers(scope=scope).getlist("x-forwarded-proto")).lower()
        schemes = [scheme.strip() for scheme in listed.split(",")]
        # Most proxies overwrite the header with one word.
        return self._proxies > 0 and schemes[-min(self._proxies, len(schemes))] == "https"


# Paths for monitoring, which may use any host name or address. Their responses have no links.
_ANY_HOST_PATHS = {"/healthz", "/readyz", "/metrics"}
_EVERYWHERE = {"0.0.0.0", "::"}
_HOST = re.compile(r"(?P<name>\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(:\d{1,5})?")
ANY = "*"


class KnownHosts:
    """Middleware that refuses requests to a host that this server doesn't answer to."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._names = host_names(settings)
        # A server that is bound to every address of this machine can be reached by any of them.
        self._accepts_own_addresses = settings.host in _EVERYWHERE

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] not in _ANY_HOST_PATHS:
            for host in Headers(scope=scope).getlist("host"):
                if not self._is_known(host):
                    await _refusal(host).response()(scope, receive, send)
                    return
        await self._app(scope, receive, send)

    def _is_known(self, host: str) -> bool:
        if not host:
            return True  # nothing to trust: links then carry the address served on
        match = _HOST.fullmatch(host)
        if match is None:
            return False
        name = match["name"].strip("[]").rstrip(".").lower()
        if name in self._names or ANY in self._names:
            return True
        return self._accepts_own_addresses and _is_own_address(name)


def host_names(settings: Settings) -> frozenset[str]:
    """Return the names and addresses that this server answers to, in lower case and without ports,
    since ports are often forwarded.
    """
    names = {"localhost", "127.0.0.1", "::1", *settings.allowed_hosts}
    if settings.host in _EVERYWHERE:
        hostname = socket.gethostname()
        names |= {hostname, f"{hostname.removesuffix('.local')}.local"}
    else:
        names.add(settings.host)
    if settings.public_url:
        names.add(urlsplit(settings.public_url).hostname or "")
    return frozenset(name.strip("[]").rstrip(".").lower() for name in names if name)


@lru_cache(maxsize=256)
def _is_own_address(name: str) -> bool:
    """Return whether it is an IP address of this machine: only those can be bound."""
    try:
        address = ipaddress.ip_address(name)
        family = socket.AF_INET if address.version == 4 else socket.AF_INET6
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((name, 0))
    except (ValueError, OSError):
        return False
    return not address.is_unspecified and not address.is_multicast


def _refusal(host: str) -> Problem:
    detail = (
        f"This server does not answer to the name {host[:100]!r}. Its operator can set "
        "PUBLIC_URL to the "
        "address that people use, or add the name to ALLOWED_HOSTS."
    )
    return Problem(421, "unknown_host", "Unknown host", detail)
