"""The agent's compression compared with the same zlib called from C, on the same corpus.

The C program is compiled where the agent was and runs with the same zlib. Its corpus is the agent's
own: the file of a file-to-file run, kept through a second hard link and checked against the SHA-256
in the run's document.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from load.agent import ROOT, alternated, built, compared, compiled, measure

PAIRS = 3
# By name: `make bench ONLY=compress`.
THOROUGH_PAIRS = 7
SOURCE = Path(__file__).with_suffix(".c")


def figures() -> list[dict[str, Any]]:
    """`compress.1/zlib` and `compress.all/zlib`: B/s with one thread and with all."""
    return _figures(PAIRS)


def thorough_figures() -> list[dict[str, Any]]:
    """Do the same with more pairs."""
    return _figures(THOROUGH_PAIRS)


def _figures(pairs: int) -> list[dict[str, Any]]:
    agent = built()
    # Inside the repository: where the compiler runs it sees no other directory.
    with tempfile.TemporaryDirectory(prefix=".bench-compress-", dir=ROOT) as name:
        directory = Path(name)
        corpus = kept_corpus(agent, directory)
        reference = compiled(SOURCE, directory / "reference", "-lz", "-lpthread")
        threads = {"1": 1, "all": os.cpu_count() or 1}
        return [
            compared(
                f"compress.{name}/zlib",
                "B/s",
                alternated(
                    pairs,
                    speed_of_agent(agent, directory, count),
                    speed_of_reference(reference, corpus, count),
                ),
            )
            for name, count in threads.items()
        ]


def kept_corpus(agent: str, directory: Path) -> Path:
    """Keep the corpus of a quick run as a file."""
    target, corpus = directory / "target", directory / "corpus"
    target.mkdir()
    finished = threading.Event()

    def link() -> None:
        while not finished.wait(0.01):
            for path in target.glob(".macmeter-*/corpus.macmeter"):
                os.link(path, corpus)
                return

    keeper = threading.Thread(target=link)
    keeper.start()
    threads = str(os.cpu_count() or 1)
    command = ("compress", str(target), "--quick", "--threads", threads, "--allow-low-space")
    result = measure(agent, directory / "home", *command)
    finished.set()
    keeper.join()
    digest = result.documents[-1]["method"]["parameters"]["corpus_sha256"]
    with corpus.open("rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != digest:
            raise RuntimeError("the corpus that was kept is not the one that was measured")
    return corpus


def speed_of_agent(agent: str, directory: Path, threads: int) -> Callable[[], float]:
    command = ("compress", "--memory-only", "--quick", "--threads", str(threads))

    def speed() -> float:
        return measure(agent, directory / "home", *command).values("compression.speed")[0]

    return speed


def speed_of_reference(command: list[str], corpus: Path, threads: int) -> Callable[[], float]:
    def speed() -> float:
        process = subprocess.run(
            [*command, str(corpus), str(threads)], check=True, stdout=subprocess.PIPE, text=True
        )
        return corpus.stat().st_size / float(process.stdout)

    return speed
