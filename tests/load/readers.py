"""Answers to many readers at once, relative to few of them."""

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain

import httpx

from load.figure import Figure, figure, percentile

# Each of them asks this many questions, whose answers uploads outdate within two seconds.
_QUESTIONS = 24
_FEW, _MANY = 2, 8


def readers(url: str, paths: Sequence[str]) -> Iterator[Figure]:
    """Yield `readers.rate`, answers a second of 8 readers relative to 2, and `readers.p95`, the
    time of their answers relative to that of one reader.
    """
    _, alone = _asked(url, paths, 1)
    few, _ = _asked(url, paths, _FEW)
    many, seconds = _asked(url, paths, _MANY)
    print(f"  {few:.2f} answers/s of {_FEW} readers, {many:.2f} of {_MANY}", flush=True)
    yield figure("readers.rate", many / few, "", 0.8, len(seconds))
    ratio = percentile(seconds, 95) / percentile(alone, 95)
    yield figure("readers.p95", ratio, "", 10, len(seconds))


def _asked(url: str, paths: Sequence[str], number: int) -> tuple[float, list[float]]:
    """Answers a second of `number` readers at once, and the seconds of each answer."""
    start = time.perf_counter()
    with ThreadPoolExecutor(number) as pool:
        shares = [
            [paths[(reader + number * turn) % len(paths)] for turn in range(_QUESTIONS)]
            for reader in range(number)
        ]
        seconds = [*chain.from_iterable(pool.map(lambda share: _read(url, share), shares))]
    return len(seconds) / (time.perf_counter() - start), seconds


def _read(url: str, paths: Sequence[str]) -> list[float]:
    seconds = []
    with httpx.Client(base_url=f"{url}/api/v1/", timeout=300) as client:
        for path in paths:
            start = time.perf_counter()
            client.get(path).raise_for_status()
            seconds.append(time.perf_counter() - start)
    return seconds
