"""Passwords, by Argon2id with the library's parameters: a guess costs a core some tens of
milliseconds and 64 MB, here and wherever a stolen database is tried.
"""

from __future__ import annotations

import asyncio

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

SHORTEST, LONGEST = 12, 200
# Tests put a cheaper one in its place.
hasher = PasswordHasher()
# Few at a time: each takes 64 MB.
_TURNS = asyncio.Semaphore(2)


async def hashed(password: str) -> str:
    async with _TURNS:
        return await asyncio.to_thread(hasher.hash, password)


async def matches(password: str, kept: str | None) -> bool:
    """Whether it is the password; takes as long where there is none."""
    async with _TURNS:
        return await asyncio.to_thread(_verify, password, kept)


def _verify(password: str, kept: str | None) -> bool:
    try:
        hasher.verify(kept or _nobodys(), password)
    except (VerificationError, InvalidHashError):
        return False
    return kept is not None


def _nobodys() -> str:
    """The hash of a password that nobody has: an unknown address takes as long as a known one."""
    costs = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    return f"$argon2id$v=19${costs}${'A' * 22}${'A' * 43}"
