"""Every dimension, in the order in which they are read: the first lead in tables and titles."""

from __future__ import annotations

from functools import lru_cache

from macmeter.catalog.traits import Dimension, Each, Kind, Trait

# Any label: those of a workload name the configuration under test, and any key may.
ANY_LABEL = "label:*"
STORAGE = {
    "internal": "Internal SSD",
    "internal_hard_disk": "Internal hard disk",
    "fusion_drive": "Fusion Drive",
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
POWER_MODE = {"low": "Low Power", "automatic": "Automatic", "high": "High Power"}
POWER_SOURCE = {"ac": "AC", "battery": "Battery"}
FILE_SYSTEM = {"apfs": "APFS", "hfs": "HFS+", "exfat": "exFAT", "msdos": "FAT"}
# What no and yes mean.
VIRTUAL = {"false": "Host", "true": "In a VM"}
SOURCE = {
    "measured": "Measured",
    "imported": "Imported",
    "published": "Published",
}
TRUST = {
    "verified_fleet": "Verified fleet",
    "claimed": "Claimed",
    "anonymous": "Anonymous",
}

_NONE: frozenset[Trait] = frozenset()
# What a run was measured on, and what else may move its figures.
_TARGET = frozenset({Trait.CONFIGURATION, Trait.WATCHED})
_POINTS = frozenset({Trait.AXIS, Trait.POINT})
_OF_A_CHIP = frozenset({"chip_family", "chip_variant"})
_OF_A_GUEST = frozenset({"virtual"})
_OF_STORAGE = frozenset({"storage"})

DIMENSIONS: dict[str, Dimension] = {
    dimension.name: dimension
    for dimension in (
        Dimension(
            "chip",
            "Chip",
            frozenset(
                {
                    Trait.LIKE,
                    Trait.SEARCHED,
                    Trait.MAY_BE_LIKE,
                    Trait.GROUPS_FIRST,
                    Trait.FILTERS_FIRST,
                }
            ),
            plural="chips",
            stated="machine.chip",
            settles=_OF_A_CHIP,
        ),
        Dimension(
            "chip_family", "Chip family", frozenset({Trait.REPEATED}), plural="chip families"
        ),
        Dimension(
            "chip_variant", "Chip variant", frozenset({Trait.REPEATED}), plural="chip variants"
        ),
        Dimension(
            "model",
            "Model",
            frozenset({Trait.SEARCHED, Trait.GROUPS_FIRST}),
            plural="models",
            settles=_OF_A_CHIP | {"chip"},
            tells=_OF_A_GUEST,
        ),
        Dimension(
            "machine",
            "Mac",
            _NONE,
            plural="Macs",
            settles=_OF_A_CHIP | {"chip", "model"},
        ),
        Dimension("fleet", "Fleet", _NONE, plural="fleets"),
        Dimension(
            "storage",
            "Storage",
            _TARGET | {Trait.LIKE, Trait.TELLS_RUNS, Trait.MAY_BE_LIKE},
            values=STORAGE,
            plural="kinds of storage",
            stated="target.storage",
            settles=_OF_A_GUEST,
        ),
        Dimension(
            "link_speed",
            "Link speed",
            _TARGET | {Trait.AXIS},
            Kind.NUMBER,
            unit="bit/s",
            plural="link speeds",
            stated="target.link_speed",
            tells=_OF_STORAGE,
        ),
        Dimension(
            "device",
            "Device",
            frozenset({Trait.CONFIGURATION}),
            plural="devices",
            stated="target.device",
            settles=_OF_A_GUEST,
            tells=_OF_STORAGE | {"link_speed"},
        ),
        Dimension(
            "enclosure",
            "Enclosure",
            _TARGET | {Trait.OPTIONAL},
            about="The case that a drive is in, where it has a name of its own.",
            plural="enclosures",
            stated="target.enclosure",
            settles=_OF_A_GUEST,
            tells=_OF_STORAGE | {"link_speed"},
        ),
        Dimension(
            "via",
            "Connection",
            _TARGET | {Trait.OPTIONAL, Trait.ABSENCE_COUNTS, Trait.TELLS_VIEWS},
            about="Dock or hub in the path to the device.",
            plural="connections",
            stated="target.via",
            absent="Direct",
            settles=_OF_A_GUEST,
        ),
        Dimension(
            "simultaneous",
            "Drives at once",
            _TARGET | {Trait.OPTIONAL},
            Kind.NUMBER,
            plural="numbers of drives at once",
            stated="target.simultaneous",
            each=Each("drive at once", "drives at once"),
        ),
        Dimension(
            "image_format",
            "Image format",
            _TARGET | {Trait.OPTIONAL, Trait.IMAGES_APART, Trait.TELLS_RUNS, Trait.MAY_BE_LIKE},
            values=IMAGE_FORMAT,
            plural="image formats",
            stated="target.image.format",
            absent="Format not stated",
            expected_of=("disk_image", "virtual_disk"),
            settles=_OF_A_GUEST,
            tells=_OF_STORAGE,
        ),
        Dimension(
            "image_state",
            "Image state",
            _TARGET | {Trait.OPTIONAL},
            values=IMAGE_STATE,
            plural="image states",
            stated="target.image.state",
            settles=_OF_A_GUEST,
            tells=_OF_STORAGE,
        ),
        Dimension(
            "encryption",
            "Encryption",
            _TARGET | {Trait.LIKE, Trait.TELLS_RUNS, Trait.MAY_BE_LIKE},
            values=ENCRYPTION,
            about="Apple silicon always encrypts its internal storage: "
            "FileVault off is not unencrypted.",
            plural="kinds of encryption",
            stated="target.encryption",
            settles=_OF_A_GUEST,
            # Of internal storage nothing else can be stated: what matters is who has the key.
            alike_across={"hardware": "none", "filevault": "apfs_encrypted"},
        ),
        Dimension(
            "file_system",
            "File system",
            _TARGET,
            values=FILE_SYSTEM,
            plural="file systems",
            stated="target.file_system",
        ),
        Dimension(
            "virtual",
            "Virtual machine",
            frozenset({Trait.WATCHED, Trait.TELLS_VIEWS, Trait.MAY_BE_LIKE}),
            Kind.BOOLEAN,
            values=VIRTUAL,
            plural="kinds of machine (host and VM)",
        ),
        Dimension(
            "vcpus",
            "Virtual CPUs",
            frozenset({Trait.CONFIGURATION, Trait.OPTIONAL, Trait.AXIS}),
            Kind.NUMBER,
            plural="numbers of virtual CPUs",
            stated="environment.virtual_machine.vcpus",
            settles=_OF_A_GUEST,
        ),
        Dimension(
            "os_version",
            "macOS version",
            frozenset(
                {
                    Trait.WATCHED,
                    Trait.IMAGES_APART,
                    Trait.AXIS,
                    Trait.SEARCHED,
                    Trait.MAY_BE_LIKE,
                    Trait.GROUPS_FIRST,
                }
            ),
            plural="macOS versions",
            stated="environment.os_version",
            settles=frozenset({"os_major"}),
            # Elsewhere macOS versions of one chip are what an answer pools.
            determines_where=("storage", "disk_image"),
        ),
        Dimension(
            "os_major",
            "macOS",
            frozenset({Trait.AXIS, Trait.REPEATED}),
            Kind.NUMBER,
            plural="macOS releases",
        ),
        Dimension(
            "power_mode",
            "Power mode",
            _TARGET | {Trait.CASES, Trait.TELLS_VIEWS, Trait.MAY_BE_LIKE},
            values=POWER_MODE,
            plural="power modes",
            stated="environment.power_mode",
        ),
        Dimension(
            "power_source",
            "Power source",
            frozenset({Trait.WATCHED}),
            values=POWER_SOURCE,
            plural="power sources",
            stated="environment.power_source",
        ),
        Dimension("source", "Source", _NONE, values=SOURCE, plural="sources", stated="source"),
        Dimension(
            "trust",
            "Trust",
            _NONE,
            values=TRUST,
            about="Who vouches for a run: a fleet that this server's admins have verified, "
            "a person or another fleet, or nobody.",
            plural="degrees of trust",
        ),
        Dimension("tool", "Tool", _TARGET, plural="tools", stated="tool.name"),
        Dimension("article", "Article", _NONE, plural="articles", stated="citation.article"),
        Dimension("suite", "Suite", _NONE, plural="suites", stated="suite"),
        Dimension("method", "Method", _NONE, plural="methods", stated="method.name"),
        Dimension(
            "month",
            "Month",
            frozenset({Trait.AXIS}),
            about="Month in which the run started, in UTC, as 2026-11.",
            plural="months",
            tells=frozenset({"os_version", "os_major"}),
        ),
        Dimension(
            "file_size", "File size", _POINTS, Kind.NUMBER, "sample", "B", plural="file sizes"
        ),
        Dimension(
            "threads", "Threads", _POINTS, Kind.NUMBER, "sample", plural="numbers of threads"
        ),
        Dimension("qos", "Quality of service", _NONE, of="sample", plural="qualities of service"),
        Dimension(
            "core_context",
            "Core context",
            frozenset({Trait.POINT}),
            of="sample",
            plural="core contexts",
        ),
        Dimension("tier", "Core tier", frozenset({Trait.POINT}), of="sample", plural="core tiers"),
        Dimension("kernel", "Kernel", _NONE, of="sample", plural="kernels"),
        Dimension(
            "active_cores",
            "Active cores",
            _POINTS,
            Kind.NUMBER,
            "sample",
            plural="numbers of active cores",
        ),
        Dimension(
            "elapsed", "Elapsed time", _POINTS, Kind.NUMBER, "sample", "s", plural="elapsed times"
        ),
        Dimension("test", "Test", _NONE, of="sample", plural="tests"),
        # Tells cases apart: nothing is joined over it.
        Dimension(
            "loops",
            "Loops",
            frozenset({Trait.POINT}),
            Kind.NUMBER,
            "sample",
            plural="numbers of loops",
        ),
    )
}


def having(trait: Trait) -> tuple[str, ...]:
    """The names of the dimensions with this trait, in the catalogue's order."""
    return tuple(name for name, found in DIMENSIONS.items() if trait in found.traits)


# Where these change a value: elsewhere they don't.
DETERMINES_WHERE = {
    name: found.determines_where
    for name, found in DIMENSIONS.items()
    if found.determines_where is not None
}
LABEL_PREFIX = "label:"


@lru_cache(maxsize=4096)
def dimension(name: str) -> Dimension | None:
    """The dimension of that name; `label:KEY` is a text dimension of runs for any key."""
    if name.startswith(LABEL_PREFIX) and len(name) > len(LABEL_PREFIX):
        return Dimension(name, name.removeprefix(LABEL_PREFIX), _NONE)
    return DIMENSIONS.get(name)


def has(name: str, trait: Trait) -> bool:
    """Whether that dimension has this trait; a label has none."""
    found = DIMENSIONS.get(name)
    return found is not None and trait in found.traits


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
