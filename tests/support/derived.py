"""Golden documents, and the file beside this one with what is derived from them: `derived.ndjson`.

A change of a stored figure, flag or dimension shows there, and needs a new DERIVATION_VERSION. Then
`PYTHONPATH=tests python -m support.derived` rewrites the file, which it refuses without one.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from macmeter.documents.derive import DERIVATION_VERSION, derive
from macmeter.documents.parse import parse_stored

from support.documents import disk_run, encoded

Json = dict[str, Any]
TESTS = Path(__file__).parents[1]
GOLDEN = Path(__file__).with_name("derived.ndjson")
RECORDED = TESTS / "recorded" / "0.1" / "documents.ndjson.gz"
# Not derived from the document.
_LATER = ("derivation_version",)


# Documents that make the server flag a run or a result, add one, or find a dimension elsewhere.
_INTERNAL = {"storage": "internal", "encryption": "filevault"}
_IMAGE: Json = {"storage": "disk_image", "encryption": "image_aes256"}
_IMAGE["image"] = {"format": "raw", "state": "new", "host": {"storage": "usb4", "device_id": "d"}}
_TIMES = [
    {
        "metric": "compression.duration",
        "parameters": {"file_size": 10**9, "threads": 2},
        "values": [2, 4, 8],
    }
]
_WARNINGS = ("gremlins", "slept", "reads_may_be_cached", "derived", "withdrawn", "low_confidence")
_STORIES: dict[str, Json] = {
    "warned": {"warnings": [{"code": code} for code in _WARNINGS]},
    "a value that nothing resolves": {"write": [5e-324, 4e9, 5e9]},
    "incomplete": {"state": "incomplete"},
    "simulated": {"simulated": True},
    "quick": {"method": {"name": "graded-files-quick", "version": 2}},
    "quick, a series of its own": {"method": {"name": "graded-files-quick", "version": 1}},
    "on battery": {"environment": {"power_source": "battery", "power_mode": "low"}},
    "hot": {"environment": {"thermal_state": "serious", "busy": ["spotlight"], "rosetta": True}},
    "nearly full": {"target": {**_INTERNAL, "capacity_bytes": 10**12, "free_bytes": 10**10}},
    "faster than its link": {"storage": "usb4", "write": [9e9, 1e9, 9e9]},
    "faster than the rate": {"target": {"storage": "usb4", "link_speed": 2e10}, "write": 2.6e9},
    "an image on a slow drive": {"target": _IMAGE, "write": 6e9},
    "a guest": {"environment": {"virtual_machine": {"vcpus": 4}, "os_version": "15.2 beta"}},
    "times alone": {"series": _TIMES, "warnings": [{"code": "derived"}]},
    "an even number of samples": {"write": [4e9, 1e9, 3e9, 2e9]},
    "an unknown chip": {"chip": "Apple M9 Quadra", "environment": {"os_version": "beta"}},
    "imported": {"source": "imported", "tool": {"name": "fio"}, "started_at": None},
    "at midnight elsewhere": {"started_at": "2026-10-31T23:30:00-05:00"},
}


def documents() -> Iterator[tuple[str, bytes]]:
    """Golden documents, each with a stable name."""
    for path in sorted((TESTS / "documents").glob("*.json")):
        yield path.name, path.read_bytes()
    for name, changes in _STORIES.items():
        story = disk_run(**{"machine": str(uuid.UUID(int=1)), **changes})
        yield name, encoded({**story, "id": str(uuid.UUID(int=2))})
    for line in gzip.decompress(RECORDED.read_bytes()).splitlines():
        yield f"0.1/{json.loads(line)['id']}", line


def derived(content: bytes) -> Json:
    """The figures, flags and dimensions that a server stores of a document, as JSON."""
    run = derive(*parse_stored(content))
    results = [
        {
            **result._asdict(),
            "samples": len(result.samples),
            # A digest of all samples, in place of a long list.
            "samples_sha256": hashlib.sha256(repr(result.samples).encode()).hexdigest()[:16],
        }
        for result in run.results
    ]
    columns = {name: value for name, value in run.columns.items() if name not in _LATER}
    stored = {"columns": columns, "results": results, "published": run.published_figures}
    plain: Json = json.loads(json.dumps(stored, default=str))
    return plain


def known() -> tuple[int, dict[str, Json]]:
    """Content of the file: the version that derived it, and the result of each document."""
    head, *lines = GOLDEN.read_text("utf-8").splitlines()
    return json.loads(head)["derivation_version"], {
        name: run for line in lines for name, run in json.loads(line).items()
    }


def main() -> int:
    """Write the file; refuse if results changed and the version did not."""
    runs = {name: derived(content) for name, content in documents()}
    version, before = known() if GOLDEN.exists() else (0, {})
    changed = [name for name in before if before[name] != runs.get(name)]
    if changed and version >= DERIVATION_VERSION:
        print(f"{len(changed)} documents changed, such as {changed[0]}: raise DERIVATION_VERSION")
        return 1
    lines = [{"derivation_version": DERIVATION_VERSION}, *({n: runs[n]} for n in sorted(runs))]
    content = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    GOLDEN.write_text(content, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
