"""Speeds of invented Macs without any effect, of realistic size.

Nothing here is from the server or its demo. Speeds are in B/s, rates in 1/s, times in s.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Values = Mapping[str, Any]
MB = 10**6
FILE_SIZES = tuple(
    n * MB for n in (2, 4, 6, 8, 10, 20, 40, 60, 80, 100, 200, 400, 600, 800, 1000, 2000)
)
# Sizes of the file that is hashed, and of the corpus that is compressed.
STREAM = 16_000 * MB
CORPUS = 1 << 30
KERNELS = ("int64", "fp64", "neon")
# Fastest cores and others, by what follows the family in a chip's name.
CORES = {"": (4, 4), "Pro": (8, 4), "Max": (10, 4), "Ultra": (16, 8)}
_INTERNAL = {"": 2.2e9, "Pro": 4.1e9, "Max": 4.7e9, "Ultra": 5.0e9}
_FAMILY = {"M1": 0.80, "M2": 0.86, "M3": 0.93, "M4": 1.0, "M5": 1.06}
# All external drives are the same drive behind several links, unless an effect changes one.
_EXTERNAL = 2.0e9
_LINKED = {"usb3": 0.4, "virtual_disk": 0.9, "sd_card": 0.05}
_IMAGES = {"raw": 0.7, "asif": 0.8, "sparsebundle": 0.9, "sparseimage": 0.4}
_LOOPS = {"int64": 1.1e9, "fp64": 0.9e9, "neon": 0.7e9}
_COMPRESSION = 0.42e9
_SHA256 = 2.3e9
# Speed of one of the other cores relative to a fastest one, and of any core in background.
_SLOWER, _BACKGROUND = 0.4, 0.2
# Share of its host's processor speed that a guest reaches.
_GUEST = 0.92
_FLUSHED = 0.96
# File size in bytes at which speed is half that of a large file.
_KNEE = 1.2e6


def family(values: Values) -> tuple[str, str]:
    """Return M4 and Pro for "Apple M4 Pro", as a host or a guest names its chip."""
    words = [word for word in str(values["chip"]).split() if word != "(Virtual)"]
    return words[1], " ".join(words[2:])


def cores(values: Values) -> tuple[int, int]:
    """Return the numbers of fastest and other cores; a guest has only virtual ones."""
    vcpus = values.get("vcpus")
    return (int(vcpus), 0) if vcpus else CORES[family(values)[1]]


def law(metric: str, values: Values, parameters: Values) -> float:
    """Value of a metric under these conditions."""
    suite, name = metric.split(".")
    if suite == "disk":
        return _disk(name, values, parameters)
    if suite == "hash":
        return _hash(name, values)
    if suite == "compression":
        speed = _COMPRESSION * _processor(values) * _together(values, parameters)
        return CORPUS / speed if name == "duration" else speed
    return _LOOPS[parameters["kernel"]] * _processor(values) * _each(values, parameters)


def _processor(values: Values) -> float:
    mode = 0.6 if values["power_mode"] == "low" else 1.0
    return _FAMILY[family(values)[0]] * mode * (_GUEST if values.get("virtual") else 1.0)


def _together(values: Values, parameters: Values) -> float:
    """Speed of that many threads, relative to one of the fastest cores."""
    threads, (fastest, slower) = int(parameters["threads"]), cores(values)
    if parameters.get("qos") == "background":
        return _BACKGROUND * threads
    return min(threads, fastest) + _SLOWER * min(max(threads - fastest, 0), slower)


def _each(values: Values, parameters: Values) -> float:
    return _together(values, parameters) / int(parameters["threads"])


def storage(values: Values) -> float:
    """Maximum write speed of a volume."""
    name, variant = family(values)
    internal = _INTERNAL[variant] * _FAMILY[name]
    kind = values["storage"]
    if kind in ("internal", "virtual_disk"):
        return internal * _LINKED.get(str(kind), 1.0)
    if kind == "disk_image":
        return internal * _IMAGES[str(values["image_format"])]
    return _EXTERNAL * _LINKED.get(str(kind), 1.0)


def _disk(name: str, values: Values, parameters: Values) -> float:
    speed = storage(values) * (1.05 if "read" in name else 1.0)
    if name == "write_flushed_average":
        return speed * _FLUSHED
    size = parameters.get("file_size")
    return speed if size is None or name == "stream_read_speed" else speed * size / (size + _KNEE)


def _hash(name: str, values: Values) -> float:
    memory = _SHA256 * _processor(values)
    return memory if name == "sha256_memory_speed" else min(memory, 1.05 * storage(values))
