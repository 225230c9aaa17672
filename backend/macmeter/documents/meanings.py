"""Meaning of each field of a run document, for its schema and for whoever audits a fleet."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from macmeter.documents import document as parts

_DIGEST = "It tells two drives of one model apart, and says nothing else"

MEANINGS: Mapping[type[msgspec.Struct], Mapping[str, str]] = {
    parts.RunDocument: {
        "schema": "Version of this format",
        "id": "Random id of the run",
        "suite": "Kind of test",
        "source": "Measured by the agent, imported from another tool, or published in an article",
        "state": "Whether the run ended as planned",
        "method": "How it was measured",
        "machine": "The Mac",
        "simulated": "Whether a recording was replayed instead of measuring a Mac",
        "started_at": "Start of the run, by the Mac's clock",
        "finished_at": "End of the run, by the Mac's clock",
        "agent": "The program that measured",
        "tool": "Another tool whose output was imported",
        "citation": "Article of a published figure; a Mac never sends one",
        "environment": "State of the Mac during the run",
        "target": "Storage that was measured",
        "labels": "Labels that you gave to the runs, in preferences or on the command line",
        "series": "Results",
        "published_ratios": "Ratios printed in an article; a Mac never sends any",
        "published_ranges": "Ranges printed in an article; a Mac never sends any",
        "traces": "Readings over time, such as the power of each cluster of cores",
        "warnings": "Conditions that may explain a result",
    },
    parts.Method: {
        "name": "Name of the method",
        "version": "Version of the method; only equal versions are compared",
        "parameters": "Its settings, such as sizes and numbers of files",
    },
    parts.Machine: {
        "id": "Random id that the agent made; it isn't derived from the hardware",
        "model": "Apple's identifier of the model",
        "model_name": "Apple's name of the model",
        "chip": "Name of the chip",
        "gpu_cores": "Number of GPU cores",
        "memory_bytes": "Size of the memory, in bytes",
        "core_tiers": "Kinds of cores of the chip",
        "unspecified": "Whether an imported or published result doesn't say which Mac it is of",
    },
    parts.CoreTier: {
        "name": "Apple's name for this kind of core",
        "cores": "Number of its cores",
        "clusters": "Number of cores in each cluster",
        "max_frequency": "Highest frequency, in hertz",
        "min_frequency": "Lowest frequency, in hertz",
    },
    parts.Agent: {
        "version": "Version of the agent",
        "commit": "Commit that the agent was built from",
        "platform": "System and architecture that the agent was built for",
    },
    parts.Tool: {"name": "Name of the tool", "version": "Version of the tool"},
    parts.Citation: {
        "article": "Short name of the article",
        "title": "Title of the article",
        "author": "Author of the article",
        "publisher": "Publisher of the article",
        "row": "Short name of the figure in it",
        "published": "Day of publication",
    },
    parts.Environment: {
        "os_version": "Version of macOS",
        "os_build": "Build of macOS",
        "power_source": "Mains power or battery",
        "power_mode": "Low Power, Automatic or High Power",
        "thermal_state": "Thermal pressure as macOS states it",
        "busy": "Kinds of background work that were running, such as indexing or a backup",
        "rosetta": "Whether the agent was translated from Intel code",
        "virtual_machine": "The virtual machine, if it is one",
    },
    parts.VirtualMachine: {
        "vcpus": "Number of virtual processors",
        "memory_bytes": "Its memory, in bytes",
        "software": "Name of the virtualisation software",
        "host_machine_id": "Random id of the Mac that it runs on, if somebody stated it",
    },
    parts.Target: {
        "storage": "How the storage is attached",
        "link_speed": "Speed of the link, in bits per second",
        "device": "Model name of the drive",
        "device_id": f"Digest of the drive's serial number under the agent's own key. {_DIGEST}",
        "via": "Model name of a dock or hub between the Mac and the drive, or direct",
        "enclosure": "Model name of the drive's case, if it has one",
        "simultaneous": "Number of drives that were measured at the same time",
        "image": "The disk image, if it is one",
        "encryption": "How the storage is encrypted",
        "file_system": "File system",
        "capacity_bytes": "Size of the volume, in bytes",
        "free_bytes": "Free space at the start, in bytes",
    },
    parts.Image: {
        "format": "Format of the disk image",
        "state": "Whether the image was new, part filled or emptied",
        "capacity_bytes": "Size of the image, in bytes",
        "host": "Storage that the image's file is on",
    },
    parts.ImageHost: {
        "storage": "How that storage is attached",
        "encryption": "How it is encrypted",
        "link_speed": "Speed of its link, in bits per second",
        "device": "Model name of its drive",
        "device_id": f"Digest of that drive's serial number, as above. {_DIGEST}",
    },
    parts.Series: {
        "metric": "What was measured",
        "values": "Each sample, in base units: bytes per second, seconds, watts",
        "parameters": "Conditions of this series, such as the file size or the number of threads",
        "positions": "Place of each sample in the order of the run",
        "printed": "A published figure as printed; a Mac never sends it",
        "qualifier": "Words beside a published figure, such as about",
    },
    parts.PublishedRatio: {
        "metric": "What the ratio is of",
        "value": "The ratio",
        "of": "Case above the line",
        "to": "Case below the line",
        "printed": "The ratio as printed",
        "parameters": "Conditions of both cases",
        "qualifier": "Words beside it, such as about",
    },
    parts.PublishedRange: {
        "metric": "What the range is of",
        "low": "Lowest value",
        "high": "Highest value",
        "printed": "The range as printed",
        "parameters": "Conditions of the range",
        "qualifier": "Words beside it, such as about",
    },
    parts.Trace: {
        "kind": "What was read",
        "columns": "Names of the columns",
        "rows": "One row of numbers for each reading",
        "interval": "Time between two readings, in seconds",
    },
    parts.Warned: {
        "code": "Code of the warning",
        "detail": "What it is about, such as the kind of work or the missing fact",
    },
}


def fields() -> Iterator[tuple[str, str]]:
    """Paths and meanings of the fields that hold values, such as `machine.core_tiers[].cores`, in
    the order of a document.
    """
    yield from _paths(parts.RunDocument, "")


def _paths(struct: type[msgspec.Struct], prefix: str) -> Iterator[tuple[str, str]]:
    info = msgspec.inspect.type_info(struct)
    assert isinstance(info, msgspec.inspect.StructType)
    for field in info.fields:
        path = prefix + field.name
        inner, suffix = _struct_type_of(field.type)
        if inner is None:
            yield path, MEANINGS[struct][field.name]
        else:
            yield from _paths(inner, f"{path}{suffix}.")


def _struct_type_of(info: Any) -> tuple[type[msgspec.Struct] | None, str]:
    """Return the struct type that a field holds, and `[]` if it holds a list of them."""
    match info:
        case msgspec.inspect.Metadata(type=inner):
            return _struct_type_of(inner)
        case msgspec.inspect.UnionType(types=types):
            return next((pair for kind in types if (pair := _struct_type_of(kind))[0]), (None, ""))
        case msgspec.inspect.ListType(item_type=item):
            return _struct_type_of(item)[0], "[]"
        case msgspec.inspect.StructType(cls=cls):
            return cls, ""
        case _:
            return None, ""
