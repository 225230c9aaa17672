"""A software passkey: makes keys and signs as a browser and its authenticator do together."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

PRESENT, VERIFIED, ATTESTED = 1, 4, 64
Json = dict[str, Any]


def packed(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


@dataclass
class Authenticator:
    """One passkey of one site, opened by pages of `origin`."""

    origin: str = "http://localhost"
    flags: int = PRESENT | VERIFIED
    credential_id: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )
    uses: int = 0

    def create(self, options: Json) -> Json:
        """Do the same as `navigator.credentials.create()`."""
        point = self.key.public_key().public_numbers()
        cose = {
            1: 2,
            3: -7,
            -1: 1,
            -2: point.x.to_bytes(32, "big"),
            -3: point.y.to_bytes(32, "big"),
        }
        attested = (
            bytes(16)
            + len(self.credential_id).to_bytes(2, "big")
            + self.credential_id
            + cbor2.dumps(cose)
        )
        data = self._data(options["rp"]["id"], ATTESTED) + attested
        statement = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client = self._client("webauthn.create", options)
        return self._answer(
            {"clientDataJSON": packed(client), "attestationObject": packed(statement)}
        )

    def get(self, options: Json) -> Json:
        """Do the same as `navigator.credentials.get()`."""
        self.uses += 1
        data, client = self._data(options["rpId"]), self._client("webauthn.get", options)
        signed = self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        return self._answer(
            {
                "clientDataJSON": packed(client),
                "authenticatorData": packed(data),
                "signature": packed(signed),
            }
        )

    def _data(self, host: str, extra_flags: int = 0) -> bytes:
        host_hash = hashlib.sha256(host.encode()).digest()
        return host_hash + bytes([self.flags | extra_flags]) + self.uses.to_bytes(4, "big")

    def _client(self, kind: str, options: Json) -> bytes:
        data = {"type": kind, "challenge": options["challenge"], "origin": self.origin}
        return json.dumps(data).encode()

    def _answer(self, response: Json) -> Json:
        identity = packed(self.credential_id)
        return {"id": identity, "rawId": identity, "type": "public-key", "response": response}
