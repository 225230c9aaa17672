"""Password hashing with Argon2id and the library's parameters.

A guess costs tens of milliseconds of a core and 64 MB, also for whoever has stolen the database.
"""

import asyncio

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

SHORTEST, LONGEST = 12, 200
# Tests replace it with a cheaper one.
hasher = PasswordHasher()
# Limits concurrency, since each hash takes 64 MB.
_TURNS = asyncio.Semaphore(2)


async def hashed(password: str) -> str:
    async with _TURNS:
        return await asyncio.to_thread(hasher.hash, password)


async def matches(password: str, password_hash: str | None) -> bool:
    """Return whether the password is right. Takes as long if none is stored."""
    async with _TURNS:
        return await asyncio.to_thread(_verify, password, password_hash)


def _verify(password: str, password_hash: str | None) -> bool:
    try:
        hasher.verify(password_hash or _nobodys(), password)
    except (VerificationError, InvalidHashError):
        return False
    return password_hash is not None


def _nobodys() -> str:
    """Hash of no real password, so that an unknown address takes as long as a known one."""
    costs = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    return f"$argon2id$v=19${costs}${'A' * 22}${'A' * 43}"
