"""Train a dictionary for backend/macmeter/documents/compression.py on a demo fleet's documents.

Usage: .venv/bin/python tools/train_dictionary.py NUMBER
A number that has a file already is refused: documents were stored with that.
"""

import random
import struct
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
from backports import zstd
from demo.documents import document
from demo.fleet import Planned, fleet
from macmeter.platform.demo import Scale

FOLDER = Path(__file__).resolve().parent.parent / "backend/macmeter/documents/dictionaries"
SIZE = 16 * 1024
DOCUMENTS = 2_000
_MAGIC_AND_NUMBER = struct.Struct("<II")


def main(number: int) -> None:
    runs = fleet(Scale(machines=80), datetime(2026, 11, 16, tzinfo=UTC)).runs
    sample = random.Random(number).sample(runs, DOCUMENTS)  # noqa: S311 - which ones is all the same
    trained = zstd.train_dict([_encoded(document(run), run) for run in sample], SIZE).dict_content
    magic, _ = _MAGIC_AND_NUMBER.unpack_from(trained)
    numbered = _MAGIC_AND_NUMBER.pack(magic, number) + trained[_MAGIC_AND_NUMBER.size :]
    with (FOLDER / f"documents-{number}.zdict").open("xb") as file:
        file.write(numbered)


def _encoded(content: dict[str, Any], run: Planned) -> bytes:
    """Encode half of them like the agent, with sorted keys, and half in the order of the schema."""
    return orjson.dumps(content, option=orjson.OPT_SORT_KEYS if run.ordinal % 2 else 0)


if __name__ == "__main__":
    main(int(sys.argv[1]))
