"""Passwords, by Argon2id with the library's parameters: a guess costs a core some tens of
milliseconds and 64 MB, here and wherever a stolen database is tried.
"""

from __future__ import annotations

import asyncio

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

SHORTEST, LONGEST = 12, 200
_HASHER = PasswordHasher()
# Of a password that nobody has: an address without an account takes as long as one with.
_NOBODYS = (
    "$argon2id$v=19$m=65536,t=3,p=4$AAAAAAAAAAAAAAAAAAAAAA"
    "$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
)
# Few at a time: each takes 64 MB.
_TURNS = asyncio.Semaphore(2)


async def hashed(password: str) -> str:
    async with _TURNS:
        return await asyncio.to_thread(_HASHER.hash, password)


async def matches(password: str, kept: str | None) -> bool:
    """Whether it is the password; takes as long where there is none."""
    async with _TURNS:
        return await asyncio.to_thread(_verify, password, kept)


def _verify(password: str, kept: str | None) -> bool:
    try:
        _HASHER.verify(kept or _NOBODYS, password)
    except (VerificationError, InvalidHashError):
        return False
    return kept is not None
