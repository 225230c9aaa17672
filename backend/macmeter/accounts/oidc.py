"""Sign-in with an organisation's account: OpenID Connect's code flow, with PKCE, state and nonce.

The issuer's metadata and keys are fetched at sign-in and cached for an hour. A token is accepted if
its signature, issuer, audience, nonce and times are valid.
"""

import base64
import hashlib
import hmac
import json
import secrets
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import TypedDict
from urllib.parse import quote, urlencode

from macmeter import Json
from macmeter.accounts.service import Identity
from macmeter.platform.errors import Problem
from macmeter.platform.mail import is_address
from macmeter.platform.outbound import OutboundThreads
from macmeter.platform.plain_text import safe
from macmeter.platform.settings import Settings

CHALLENGE = "oidc"
RETURN_PATH = "/api/v1/session/oidc/return"
_SCOPE = "openid profile email"
_TIMEOUT_SECONDS = 10.0
_MOST_BYTES = 1_000_000
_CACHE_SECONDS = 3600.0
# Asymmetric only: a public key must not pass for a shared secret.
_ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA"]
_LEEWAY_SECONDS = 120
_THREADS = OutboundThreads("issuer", 4)
_START_AGAIN = "Start again on the sign-in page."


class Secrets(TypedDict):
    """Secrets of one sign-in: the issuer's answer is valid only with them."""

    nonce: str
    verifier: str


@dataclass(frozen=True)
class SignInResult:
    """Person who has signed in at the issuer."""

    identity: Identity
    name: str
    email: str | None


class Issuer:
    """The OpenID Connect issuer that the settings name, as its client sees it."""

    def __init__(self, settings: Settings) -> None:
        assert settings.oidc_issuer is not None, "asked for only where one is set"
        self._issuer = settings.oidc_issuer
        self._client = settings.oidc_client_id or ""
        self._secret = settings.oidc_client_secret
        self._cache: dict[str, tuple[float, Json]] = {}

    async def begin(self, site: str, state: bytes) -> tuple[str, Secrets]:
        """Return the address to send the browser to, and the secrets that `finish` needs.

        `site` is this server's own address, without a trailing slash.
        """
        discovery = await self._discovered()
        verifier, nonce = secrets.token_urlsafe(48), secrets.token_urlsafe(24)
        digest = hashlib.sha256(verifier.encode()).digest()
        parameters = {"response_type": "code", "client_id": self._client, "scope": _SCOPE}
        parameters |= {
            "redirect_uri": site + RETURN_PATH,
            "state": in_base64(state),
            "nonce": nonce,
        }
        parameters |= {"code_challenge": in_base64(digest), "code_challenge_method": "S256"}
        endpoint = str(discovery["authorization_endpoint"])
        separator = "&" if "?" in endpoint else "?"
        return f"{endpoint}{separator}{urlencode(parameters)}", {
            "nonce": nonce,
            "verifier": verifier,
        }

    async def finish(self, site: str, code: str, sign_in_secrets: Secrets) -> SignInResult:
        """Exchange the code and return who signed in.

        Raise 403 if the issuer's answer is invalid.
        """
        discovery = await self._discovered()
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": site + RETURN_PATH,
            "code_verifier": sign_in_secrets["verifier"],
        }
        headers = {}
        if self._secret is None:
            form["client_id"] = self._client
        else:
            credentials = f"{quote(self._client, safe='')}:{quote(self._secret, safe='')}".encode()
            headers["Authorization"] = f"Basic {base64.b64encode(credentials).decode()}"
        answer = await _THREADS.wait(_fetch, str(discovery["token_endpoint"]), form, headers)
        claims = await self._claims(str(answer.get("id_token", "")), discovery)
        if not hmac.compare_digest(str(claims.get("nonce", "")), sign_in_secrets["nonce"]):
            raise refusal("Your organisation answered another request. " + _START_AGAIN)
        if not claims.get("name") and "userinfo_endpoint" in discovery and "access_token" in answer:
            bearer = {"Authorization": f"Bearer {answer['access_token']}"}
            info = await _THREADS.wait(_fetch, str(discovery["userinfo_endpoint"]), None, bearer)
            if info.get("sub") == claims["sub"]:
                claims = info | claims
        email = claims.get("email")
        name = claims.get("name") or claims.get("preferred_username") or email or claims["sub"]
        return SignInResult(
            Identity(self._issuer, str(claims["sub"])),
            " ".join(safe(str(name)).split())[:80],
            _address(email) if claims.get("email_verified") is True else None,
        )

    async def _claims(self, token: str, discovery: Json) -> Json:
        from joserfc import jwt
        from joserfc.errors import JoseError
        from joserfc.jwk import KeySet

        keys = await self._cached("keys", str(discovery["jwks_uri"]))
        try:
            decoded = jwt.decode(token, KeySet.import_key_set(keys), algorithms=_ALGORITHMS)  # type: ignore[arg-type]
            jwt.JWTClaimsRegistry(
                leeway=_LEEWAY_SECONDS,
                iss={"essential": True, "value": discovery["issuer"]},
                aud={"essential": True, "value": self._client},
                sub={"essential": True},
                exp={"essential": True},
                iat={"essential": True},
            ).validate(decoded.claims)
        except (JoseError, ValueError, KeyError, TypeError):
            self._cache.pop("keys", None)
            detail = "Your organisation's token isn't valid. Try again, or tell your admin."
            raise refusal(detail) from None
        claims: Json = decoded.claims
        if not str(claims["sub"]).isprintable():
            raise refusal("Your organisation's token names nobody. Tell your admin.")
        several = isinstance(claims["aud"], list) and len(claims["aud"]) > 1
        if (several or "azp" in claims) and claims.get("azp") != self._client:
            raise refusal("Your organisation's token is for another service. Tell your admin.")
        return claims

    async def _discovered(self) -> Json:
        address = f"{self._issuer}/.well-known/openid-configuration"
        discovery = await self._cached("discovery", address)
        if str(discovery.get("issuer", "")).rstrip("/") != self._issuer:
            raise _unavailable("it names another issuer")
        return discovery

    async def _cached(self, name: str, address: str) -> Json:
        until, content = self._cache.get(name, (0.0, {}))
        if time.monotonic() >= until:
            content = await _THREADS.wait(_fetch, address, None, {})
            self._cache[name] = (time.monotonic() + _CACHE_SECONDS, content)
        return content


def _address(email: object) -> str | None:
    """Normalise an email address. Return None if no mail can be sent to it."""
    text = str(email or "").lower()
    return text if is_address(text) else None


def in_base64(content: bytes) -> str:
    """Encode in URL-safe base64 without padding."""
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def state_bytes(text: str) -> bytes:
    """Decode a state. Raise 403 if it isn't one that this server sends."""
    try:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        raise refusal(_START_AGAIN) from None


def refusal(detail: str, code: str = "sign_in_refused") -> Problem:
    return Problem(403, code, "Not signed in", detail)


def _unavailable(why: str) -> Problem:
    detail = f"Your organisation's sign-in failed: {why}."
    return Problem(503, "issuer_away", "Sign-in unavailable", detail)


def _fetch(address: str, form: Json | None, headers: dict[str, str]) -> Json:
    if not address.startswith(("https://", "http://")):
        raise _unavailable("it names an invalid address")
    body = urlencode(form).encode() if form is not None else None
    request = urllib.request.Request(address, body, {"Accept": "application/json", **headers})
    try:
        with urllib.request.urlopen(request, timeout=_TIMEOUT_SECONDS) as response:
            content = json.loads(response.read(_MOST_BYTES))
    except urllib.error.HTTPError as error:
        if form is not None and error.code < 500:
            raise refusal("Your organisation didn't confirm who you are. " + _START_AGAIN) from None
        raise _unavailable(f"it answered with status {error.code}") from None
    except (OSError, ValueError):
        raise _unavailable("it does not answer") from None
    if not isinstance(content, dict):
        raise _unavailable("it does not answer in JSON")
    return content
