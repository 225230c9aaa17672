"""The chips of the demo's machines: invented figures under Apple's names, orders of size kept."""

from __future__ import annotations

from dataclasses import dataclass

GB = 10**9
MHZ = 10**6


@dataclass(frozen=True)
class Tier:
    """Cores of one kind. `clusters` says how many stand in each, frequencies are in hertz."""

    name: str
    clusters: tuple[int, ...]
    low: int
    high: int

    @property
    def cores(self) -> int:
        return sum(self.clusters)


@dataclass(frozen=True)
class Chip:
    """`write` and `read` are what its internal SSD does over a whole run, FileVault off, in B/s."""

    name: str
    tiers: tuple[Tier, ...]
    write: float
    read: float
    ssd: str
    capacity: int
    gpu_cores: int
    memory: int
    # Identifier, name, and whether it runs on a battery.
    models: tuple[tuple[str, str, bool], ...]
    # Of a hundred Macs.
    share: float
    links: tuple[str, ...] = ("thunderbolt3", "usb4", "usb3")

    @property
    def family(self) -> str:
        return self.name.split()[1]

    @property
    def cores(self) -> int:
        return sum(tier.cores for tier in self.tiers)


def _performance(clusters: tuple[int, ...], low: int, high: int) -> Tier:
    return Tier("Performance", clusters, low * MHZ, high * MHZ)


def _efficiency(cores: int, low: int, high: int) -> Tier:
    return Tier("Efficiency", (cores,), low * MHZ, high * MHZ)


def _super(cores: int) -> Tier:
    return Tier("Super", (cores,), 1308 * MHZ, 4608 * MHZ)


_TB5 = ("thunderbolt3", "usb4", "usb3", "thunderbolt5")
_AIR, _PRO, _MINI, _IMAC, _STUDIO = (
    "MacBook Air",
    "MacBook Pro",
    "Mac mini",
    "iMac",
    "Mac Studio",
)

CHIPS = (
    Chip(
        "Apple M1",
        (_performance((4,), 600, 3204), _efficiency(4, 600, 2064)),
        2.45e9,
        2.85e9,
        "APPLE SSD AP0512Q",
        500 * GB,
        8,
        16 << 30,
        (("MacBookAir10,1", _AIR, True), ("Macmini9,1", _MINI, False)),
        12,
    ),
    Chip(
        "Apple M1 Pro",
        (_performance((4, 4), 600, 3228), _efficiency(2, 600, 2064)),
        5.1e9,
        5.4e9,
        "APPLE SSD AP1024R",
        994 * GB,
        16,
        32 << 30,
        (("MacBookPro18,3", _PRO, True),),
        8,
    ),
    Chip(
        "Apple M1 Max",
        (_performance((4, 4), 600, 3228), _efficiency(2, 600, 2064)),
        6.0e9,
        6.1e9,
        "APPLE SSD AP2048R",
        1995 * GB,
        32,
        64 << 30,
        (("Mac13,1", _STUDIO, False),),
        4,
    ),
    Chip(
        "Apple M2",
        (_performance((4,), 660, 3504), _efficiency(4, 912, 2424)),
        2.7e9,
        2.9e9,
        "APPLE SSD AP0512Z",
        494 * GB,
        10,
        16 << 30,
        (("Mac14,2", _AIR, True), ("Mac14,3", _MINI, False)),
        11,
    ),
    Chip(
        "Apple M2 Pro",
        (_performance((4, 4), 660, 3504), _efficiency(4, 912, 2424)),
        5.7e9,
        5.2e9,
        "APPLE SSD AP1024Z",
        994 * GB,
        19,
        32 << 30,
        (("Mac14,12", _MINI, False), ("Mac14,9", _PRO, True)),
        6,
    ),
    Chip(
        "Apple M3",
        (_performance((4,), 744, 4056), _efficiency(4, 744, 2748)),
        3.2e9,
        3.1e9,
        "APPLE SSD AP0512Z",
        494 * GB,
        10,
        16 << 30,
        (("Mac15,12", _AIR, True), ("Mac15,5", _IMAC, False)),
        9,
    ),
    Chip(
        "Apple M3 Pro",
        (_performance((6,), 744, 4056), _efficiency(6, 744, 2748)),
        5.0e9,
        5.3e9,
        "APPLE SSD AP1024Z",
        994 * GB,
        18,
        36 << 30,
        (("Mac15,6", _PRO, True),),
        8,
    ),
    Chip(
        "Apple M3 Max",
        (_performance((6, 6), 744, 4056), _efficiency(4, 744, 2748)),
        7.1e9,
        6.4e9,
        "APPLE SSD AP2048Z",
        1995 * GB,
        40,
        64 << 30,
        (("Mac15,8", _PRO, True),),
        4,
    ),
    Chip(
        "Apple M4",
        (_performance((4,), 1020, 4464), _efficiency(6, 1020, 2892)),
        3.4e9,
        3.0e9,
        "APPLE SSD AP0512Z",
        494 * GB,
        10,
        16 << 30,
        (("Mac16,10", _MINI, False), ("Mac16,12", _AIR, True)),
        11,
        ("thunderbolt3", "usb4", "usb3"),
    ),
    Chip(
        "Apple M4 Pro",
        (_performance((5, 5), 1260, 4512), _efficiency(4, 1020, 2592)),
        6.9e9,
        6.2e9,
        "APPLE SSD AP1024Z",
        994 * GB,
        20,
        48 << 30,
        (("Mac16,11", _MINI, False), ("Mac16,8", _PRO, True)),
        18,
        _TB5,
    ),
    Chip(
        "Apple M4 Max",
        (_performance((6, 6), 1260, 4512), _efficiency(4, 1020, 2592)),
        7.6e9,
        6.7e9,
        "APPLE SSD AP2048Z",
        1995 * GB,
        40,
        64 << 30,
        (("Mac16,9", _STUDIO, False),),
        4,
        _TB5,
    ),
    Chip(
        "Apple M5",
        (_super(4), _efficiency(6, 972, 3048)),
        6.4e9,
        6.6e9,
        "APPLE SSD AP0512Z",
        494 * GB,
        10,
        16 << 30,
        (("Mac17,2", _PRO, True),),
        3,
    ),
    Chip(
        "Apple M5 Pro",
        (_super(5), _performance((5, 5), 1308, 4380)),
        7.8e9,
        7.3e9,
        "APPLE SSD AP1024Z",
        994 * GB,
        20,
        48 << 30,
        (("Mac99,6", _PRO, True),),
        1,
        _TB5,
    ),
    Chip(
        "Apple M5 Max",
        (_super(6), _performance((6, 6), 1308, 4380)),
        8.4e9,
        7.9e9,
        "APPLE SSD AP2048Z",
        1995 * GB,
        40,
        64 << 30,
        (("Mac99,7", _PRO, True),),
        1,
        _TB5,
    ),
)
