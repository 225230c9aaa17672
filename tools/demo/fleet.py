"""Plan of the demo's measurements: the machines of an organisation over twenty weeks.

Everything is drawn from the seed, so that a second start finds the same machines and runs; only the
Monday at the end is chosen when a demo is first made.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import TypedDict

from macmeter.platform.demo import Scale

from demo import laws
from demo.silicon import CHIPS, Chip

WEEKS = 20
# Per hundred machines.
GUESTS = 15
# Hosts of virtual machines: chips without the planted regression.
HOST_CHIPS = ("Apple M4 Pro", "Apple M4 Max", "Apple M3 Max", "Apple M2 Pro", "Apple M1 Max")
# Per hundred Macs: how many have, do or are …
FILEVAULT, OLD_SYSTEM, WITH_DRIVES, SECOND_DRIVE, WITH_DOCK = 72, 10, 55, 40, 35
WITH_IMAGES, SAMPLES_POWER, BUILDS, SCORED = 25, 35, 15, 75
LOW_POWER_LAPTOPS, ON_BATTERY, BUSY = 20, 6, 4
# One Mac in so many has also run the quick test, in the last week.
QUICK_EVERY = 4
# Per thousand runs: reads from memory, cut short, mistaken.
CACHED, CUT, MISTAKEN = 9, 4, 2
# Per hundred first runs of a drive: reads faster than the link.
BEYOND_LINK = 3
IMAGE_WEEKS = (1, 8, 16)
# Delay of a guest's run after the start of its host's.
DURING = timedelta(seconds=8)


@dataclass(frozen=True)
class Drive:
    storage: str
    device: str
    device_id: str
    capacity: int
    dock: bool
    both_ways: bool  # measured plain and, shortly or long after, encrypted


@dataclass(frozen=True)
class Mac:
    """One Mac, or one virtual machine if it has a `host`."""

    index: int
    id: str
    chip: Chip
    model: tuple[str, str, bool]
    encryption: str
    lag: int  # weeks by which its updates are late; without `updates` it never gets any
    updates: bool
    low_power: bool
    drives: tuple[Drive, ...] = ()
    images: bool = False
    power: bool = False
    builds: bool = False
    scored: bool = False
    iops: str | None = None
    host: Mac | None = None
    host_known: bool = True
    vcpus: int = 0
    device_id: str = ""
    # Deviation of this machine from others of its kind.
    disk_factor: float = 1.0
    cpu_factor: float = 1.0

    def os_version(self, week: int) -> str:
        if not self.updates:
            return "15.7"
        return [version for version, since in laws.OS_WEEKS if since + self.lag <= week][-1]


class Detail(TypedDict, total=False):
    """Settings that tell runs of one kind apart."""

    mode: str
    drive: Drive
    via: str
    place: int
    encrypted: bool
    image: str
    encryption: str
    files: bool
    whole: bool


@dataclass(frozen=True)
class Planned:
    """A run to be written down. `fault`: cached, cut, mistaken or beyond_link."""

    mac: Mac
    ordinal: int
    kind: str
    at: datetime
    week: int
    mode: str
    detail: Detail = field(default_factory=Detail)
    fault: str | None = None

    @cached_property
    def key(self) -> str:
        return f"{self.mac.id}/{self.ordinal}"

    @cached_property
    def id(self) -> str:
        """UUID version 7, as the agent generates one when the run starts."""
        milliseconds = int(self.at.timestamp() * 1000)
        tail = bytearray(hashlib.sha256(self.key.encode()).digest()[:10])
        tail[0] = 0x70 | (tail[0] & 0x0F)
        tail[2] = 0x80 | (tail[2] & 0x3F)
        return _uuid(milliseconds.to_bytes(6) + bytes(tail))


@dataclass(frozen=True)
class Fleet:
    scale: Scale
    base: datetime
    macs: list[Mac]
    runs: list[Planned]


def fleet(scale: Scale, base: datetime) -> Fleet:
    """The machines, and their runs in order of time."""
    macs = _macs(scale)
    runs = _joined([run for mac in macs for run in _runs(mac, scale, base)])
    runs.sort(key=lambda run: (run.at, run.key))
    return Fleet(scale, base, macs, runs)


def _joined(runs: list[Planned]) -> list[Planned]:
    """Move a guest's compression into its host's sampling, so that both can be viewed together."""
    sampled = {run.mac.id: run.at for run in runs if run.kind == "power" and run.mode != "low"}
    joined: set[str] = set()
    moved = []
    for run in runs:
        host = run.mac.host
        if host and run.mac.host_known and run.kind == "compression" and host.id in sampled:
            if run.mac.id not in joined:
                run = replace(run, at=sampled[host.id] + DURING)
            joined.add(run.mac.id)
        moved.append(run)
    return moved


def _macs(scale: Scale) -> list[Mac]:
    guests = scale.machines * GUESTS // 100
    chips = _chips(scale.machines - guests)
    random.Random(f"{scale.seed}/chips").shuffle(chips)
    macs = [_mac(index, chip, scale.seed) for index, chip in enumerate(chips)]
    hosts = [mac for mac in macs if mac.chip.name in HOST_CHIPS] or macs
    return macs + [
        _guest(len(macs) + index, hosts[index % len(hosts)], scale.seed) for index in range(guests)
    ]


def _chips(count: int) -> list[Chip]:
    """Whole numbers of machines by the chips' shares: the largest fractions are rounded up."""
    total = sum(chip.share for chip in CHIPS)
    exact = [chip.share * count / total for chip in CHIPS]
    counts = [int(share) for share in exact]
    order = sorted(range(len(CHIPS)), key=lambda i: counts[i] - exact[i])
    for index in order[: count - sum(counts)]:
        counts[index] += 1
    return [chip for chip, n in zip(CHIPS, counts, strict=True) for _ in range(n)]


def macs_of_chips(counts: Mapping[str, int], seed: str) -> list[Mac]:
    """So many Macs of each chip, without virtual machines."""
    chips = {chip.name: chip for chip in CHIPS}
    chips_of_macs = [chips[name] for name, count in counts.items() for _ in range(count)]
    return [_mac(index, chip, seed) for index, chip in enumerate(chips_of_macs)]


def _mac(index: int, chip: Chip, seed: int | str) -> Mac:
    chance = random.Random(f"{seed}/mac/{index}")

    def one_of(hundred: int) -> bool:
        return chance.random() * 100 < hundred

    model = chance.choice(chip.models)
    has_drives = one_of(WITH_DRIVES)
    kinds = chance.sample(chip.links, 2 if one_of(SECOND_DRIVE) else 1) if has_drives else []
    docked = one_of(WITH_DOCK)
    builds = one_of(BUILDS)
    return Mac(
        index=index,
        id=_uuid4(f"{seed}/mac/{index}"),
        chip=chip,
        model=model,
        encryption="filevault" if one_of(FILEVAULT) else "hardware",
        lag=chance.randrange(4),
        updates=not one_of(OLD_SYSTEM),
        low_power=model[2] and one_of(LOW_POWER_LAPTOPS),
        drives=tuple(_drive(kind, index, docked, chance, seed) for kind in kinds),
        images=one_of(WITH_IMAGES),
        power=one_of(SAMPLES_POWER),
        builds=builds,
        scored=one_of(SCORED),
        iops=chance.choice(["3000", "12000", None]) if builds else None,
        device_id=_hex(f"{seed}/ssd/{index}"),
        disk_factor=chance.lognormvariate(0, 0.02),
        cpu_factor=chance.lognormvariate(0, 0.008),
    )


def _drive(kind: str, index: int, docked: bool, chance: random.Random, seed: int | str) -> Drive:
    return Drive(
        storage=kind,
        device=laws.DEVICES[kind][chance.random() < 0.3],
        device_id=_hex(f"{seed}/drive/{index}/{kind}"),
        capacity=chance.choice([1, 2, 4]) * 1000 * 10**9,
        dock=docked and kind in laws.DOCKED,
        both_ways=chance.random() < 0.6,
    )


def _guest(index: int, host: Mac, seed: int) -> Mac:
    chance = random.Random(f"{seed}/guest/{index}")
    return Mac(
        index=index,
        id=_uuid4(f"{seed}/guest/{index}"),
        chip=host.chip,
        model=("VirtualMac2,1", "Apple Virtual Machine 1", False),
        encryption="none",
        lag=chance.randrange(4),
        updates=True,
        low_power=False,
        host=host,
        host_known=chance.random() < 0.9,
        vcpus=chance.choice([4, 5, 6]),
        # A guest's speed follows its host's.
        disk_factor=host.disk_factor * chance.lognormvariate(0, 0.01),
        cpu_factor=host.cpu_factor * chance.lognormvariate(0, 0.005),
    )


def _runs(mac: Mac, scale: Scale, base: datetime) -> Iterator[Planned]:
    chance = random.Random(f"{scale.seed}/runs/{mac.index}")
    slot = timedelta(days=chance.randrange(7), hours=chance.choice([2, 3, 12, 13, 18, 22]))
    asks = _guest_asks(mac, scale) if mac.host else _mac_asks(mac, scale, chance)
    for ordinal, (week, kind, detail) in enumerate(asks):
        spread = timedelta(minutes=chance.uniform(0, 100) + 7 * ordinal % 300)
        if kind != "graded":
            spread += timedelta(hours=chance.uniform(-20, 20))
        at = base - timedelta(weeks=WEEKS - week) + slot + spread
        # All runs end before the Monday; they start at whole seconds of the clock.
        at = min(at, base - timedelta(minutes=10 + ordinal)).replace(microsecond=0)
        mode = str(detail.get("mode", "automatic"))
        yield Planned(mac, ordinal, kind, at, week, mode, detail, _fault(kind, detail, chance))


def _fault(kind: str, detail: Detail, chance: random.Random) -> str | None:
    number = chance.random() * 1000
    if kind == "graded" and "drive" in detail and chance.random() * 100 < BEYOND_LINK:
        return "beyond_link" if detail["drive"].storage == "thunderbolt3" else None
    if kind != "graded":
        return None
    for fault, share in (("cached", CACHED), ("cut", CUT), ("mistaken", MISTAKEN)):
        if number < share:
            return fault
        number -= share
    return None


Asks = Iterator[tuple[int, str, Detail]]


def _guest_asks(mac: Mac, scale: Scale) -> Asks:
    for week in range(mac.index % 2, WEEKS, 2 * scale.every):
        yield week, "graded", {}
    for week in (4, 13):
        yield week, "compression", {}
        yield week, "cores", {}
    yield 9, "hash", {}


def _mac_asks(mac: Mac, scale: Scale, chance: random.Random) -> Asks:
    for week in range(0, WEEKS, scale.every):
        # A laptop that uses Low Power Mode is not always in it.
        low = mac.low_power and chance.random() < 0.3
        yield week, "graded", {"mode": "low"} if low else {}
    modes = ["automatic", "low"] if mac.low_power else ["automatic"]
    for week in (3, 12):
        yield week, "hash", {}
        yield week, "compression", {}
        for mode in modes:
            yield week, "cores", {"mode": mode}
    yield 7, "cores", {}
    yield 6, "compression", {"files": True}
    yield 5, "latency", {}
    if mac.power:
        for mode in modes:
            yield 11, "power", {"mode": mode, "whole": mac.index % 3 == 0}
    if mac.scored:
        yield 2, "score", {}
    for drive in mac.drives:
        yield from _drive_asks(mac, drive)
    if len(mac.drives) == 2:
        for place, drive in enumerate(mac.drives):
            yield 14, "simultaneous", {"drive": drive, "place": place}
    if mac.images:
        yield from _image_asks(mac)
    if mac.builds:
        for week in range(0, WEEKS, scale.every):
            yield week, "workload", {}
    if mac.index % QUICK_EVERY == 0:
        yield WEEKS - 1, "quick", {}


def _drive_asks(mac: Mac, drive: Drive) -> Asks:
    for week in (4, 10):
        yield week, "graded", {"drive": drive}
    if drive.both_ways:
        # If all encrypted runs came after the plain ones, time could explain the difference.
        for week in (15, 18) if mac.index % 2 else (5, 11):
            yield week, "graded", {"drive": drive, "encrypted": True}
    if drive.dock:
        for week in (8, 13):
            yield week, "graded", {"drive": drive, "via": laws.DOCK}
    yield 6, "sustained", {"drive": drive}
    yield 9, "compression", {"files": True, "drive": drive}
    yield 9, "hash", {"drive": drive}
    yield 5, "latency", {"drive": drive}


def _image_asks(mac: Mac) -> Asks:
    for week in IMAGE_WEEKS:
        for image_format in laws.IMAGES:
            if image_format == "asif" and mac.os_version(week) in laws.NO_ASIF:
                continue
            for encryption in ("none", "image_aes256"):
                yield week, "graded", {"image": image_format, "encryption": encryption}
        yield week, "graded", {"image": "sparsebundle", "encryption": "image_aes128"}


def _uuid(bytes_: bytes) -> str:
    text = bytes_.hex()
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))


def _uuid4(text: str) -> str:
    digest = bytearray(hashlib.sha256(text.encode()).digest()[:16])
    digest[6] = 0x40 | (digest[6] & 0x0F)
    digest[8] = 0x80 | (digest[8] & 0x3F)
    return _uuid(bytes(digest))


def _hex(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
