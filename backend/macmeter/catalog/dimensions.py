"""Every dimension, in the order in which they are read: the first lead in tables and titles."""

from __future__ import annotations

from functools import lru_cache

from macmeter.catalog.traits import Dimension, Kind

# Any label: those of a workload name the configuration under test, and any key may.
ANY_LABEL = "label:*"
# Where these change a value: elsewhere macOS versions of one chip are what an answer pools.
DETERMINES_WHERE = {"os_version": ("storage", "disk_image")}

STORAGE = {
    "internal": "Internal SSD",
    "thunderbolt3": "Thunderbolt 3",
    "thunderbolt4": "Thunderbolt 4",
    "usb4": "USB4",
    "thunderbolt5": "Thunderbolt 5",
    "usb3": "USB 3",
    "sd_card": "SD card",
    "network": "Network",
    "disk_image": "Disk image",
    "virtual_disk": "Virtual disk",
    "ebs": "EBS volume",
    "other": "Other",
}
ENCRYPTION = {
    "none": "Not encrypted",
    "hardware": "FileVault off (hardware encryption)",
    "filevault": "FileVault",
    "apfs_encrypted": "APFS encrypted",
    "image_aes128": "Image, AES-128",
    "image_aes256": "Image, AES-256",
    "dm_crypt": "dm-crypt (Linux)",
    "unknown": "Not known",
}
IMAGE_FORMAT = {
    "raw": "RAW (UDRW)",
    "asif": "ASIF",
    "sparsebundle": "Sparse bundle",
    "sparseimage": "Sparse image",
    "other": "Other",
}
IMAGE_STATE = {"new": "New", "part_filled": "Part filled", "emptied": "Emptied"}
# What no and yes mean.
VIRTUAL = {"false": "Host", "true": "In a VM"}
SOURCE = {
    "measured": "Measured",
    "imported": "Imported",
    "published": "Published",
}

DIMENSIONS: dict[str, Dimension] = {
    dimension.name: dimension
    for dimension in (
        Dimension("chip", "Chip", plural="chips"),
        Dimension("chip_family", "Chip family", plural="chip families"),
        Dimension("chip_variant", "Chip variant", plural="chip variants"),
        Dimension("model", "Model", plural="models"),
        Dimension("machine", "Machine", plural="machines"),
        Dimension("fleet", "Fleet", plural="fleets"),
        Dimension("storage", "Storage", values=STORAGE, plural="kinds of storage"),
        Dimension("link_speed", "Link speed", Kind.NUMBER, unit="bit/s", plural="link speeds"),
        Dimension("device", "Device", plural="devices"),
        Dimension(
            "via",
            "Connection",
            about="Dock or hub in the path to the device.",
            plural="connections",
            absent=True,
        ),
        Dimension(
            "simultaneous",
            "Drives at once",
            Kind.NUMBER,
            plural="numbers of drives at once",
        ),
        Dimension("image_format", "Image format", values=IMAGE_FORMAT, plural="image formats"),
        Dimension("image_state", "Image state", values=IMAGE_STATE, plural="image states"),
        Dimension(
            "encryption",
            "Encryption",
            values=ENCRYPTION,
            about="Apple silicon always encrypts its internal storage: "
            "FileVault off is not unencrypted.",
            plural="kinds of encryption",
        ),
        Dimension("file_system", "File system", plural="file systems"),
        Dimension(
            "virtual",
            "Virtual machine",
            Kind.BOOLEAN,
            values=VIRTUAL,
            plural="kinds of machine (host and VM)",
        ),
        Dimension("vcpus", "Virtual CPUs", Kind.NUMBER, plural="numbers of virtual CPUs"),
        Dimension("os_version", "macOS version", plural="macOS versions"),
        Dimension("os_major", "macOS", Kind.NUMBER, plural="macOS releases"),
        Dimension("power_mode", "Power mode", plural="power modes"),
        Dimension("power_source", "Power source", plural="power sources"),
        Dimension("source", "Source", values=SOURCE, plural="sources"),
        Dimension("tool", "Tool", plural="tools"),
        Dimension("article", "Article", plural="articles"),
        Dimension("suite", "Suite", plural="suites"),
        Dimension("method", "Method", plural="methods"),
        Dimension(
            "month", "Month", about="Month in which the run started, as 2026-11.", plural="months"
        ),
        Dimension("file_size", "File size", Kind.NUMBER, "sample", "B", plural="file sizes"),
        Dimension("threads", "Threads", Kind.NUMBER, "sample", plural="numbers of threads"),
        Dimension("qos", "Quality of service", Kind.TEXT, "sample", plural="qualities of service"),
        Dimension("core_context", "Core context", Kind.TEXT, "sample", plural="core contexts"),
        Dimension("tier", "Core tier", Kind.TEXT, "sample", plural="core tiers"),
        Dimension("kernel", "Kernel", Kind.TEXT, "sample", plural="kernels"),
        Dimension(
            "active_cores", "Active cores", Kind.NUMBER, "sample", plural="numbers of active cores"
        ),
        Dimension("elapsed", "Elapsed time", Kind.NUMBER, "sample", "s", plural="elapsed times"),
        Dimension("test", "Test", Kind.TEXT, "sample", plural="tests"),
        Dimension("loops", "Loops", Kind.NUMBER, "sample", plural="numbers of loops"),
    )
}

LABEL_PREFIX = "label:"


@lru_cache(maxsize=4096)
def dimension(name: str) -> Dimension | None:
    """The dimension of that name; `label:KEY` is a text dimension of runs for any key."""
    if name.startswith(LABEL_PREFIX) and len(name) > len(LABEL_PREFIX):
        return Dimension(name, name.removeprefix(LABEL_PREFIX))
    return DIMENSIONS.get(name)


@lru_cache(maxsize=4096)
def is_of_sample(name: str) -> bool:
    found = dimension(name)
    return found is not None and found.of == "sample"


# Bytes a second that the raw link can carry: a faster transfer came from a cache.
LINK_LIMIT = {
    "thunderbolt3": 5e9,
    "thunderbolt4": 5e9,
    "usb4": 5e9,
    "thunderbolt5": 10e9,
    "usb3": 2.5e9,
}
