"""Three whole fleets, unlike the demo and unlike one another."""

from __future__ import annotations

from support.unlike.design import (
    COMPRESSION,
    CORES,
    DISK,
    HASH,
    Design,
    Effect,
    Lot,
    Noise,
    Value,
    Values,
)

ALL = (DISK, HASH, COMPRESSION, CORES)


def ci_provider() -> Design:
    """Racks of minis and studios, nearly all with two guests each; one chip per data centre.

    macOS is confounded with the chip among hosts, with the number of virtual CPUs among guests.
    """
    minis: Values = {"chip": "Apple M4 Pro", "model": "Mac16,11", "os_version": "26.3"}
    old: Values = {"chip": "Apple M2 Pro", "model": "Mac14,12", "os_version": "15.7"}
    studios: Values = {"chip": "Apple M1 Ultra", "model": "Mac13,2", "os_version": "26.1"}
    guest: Values = {"storage": "virtual_disk", "encryption": "none", "os_version": "26.2"}
    suites = (DISK, COMPRESSION)
    lots = (
        Lot("mini", 24, minis, ALL, runs=4),
        Lot("old mini", 12, {**old, "encryption": "hardware"}, suites, runs=3),
        Lot("studio", 4, studios, suites, runs=2),
        Lot("guest", 48, {**minis, **guest, "vcpus": 5}, suites, runs=3, host="mini", cut=0.05),
        Lot(
            "old guest",
            24,
            {**old, **guest, "os_version": "26.3", "vcpus": 4},
            suites,
            runs=3,
            host="old mini",
            later={"os_version": ((75.0, "26.4"),)},
        ),
    )
    effects = (
        Effect(0.90, {"virtual": True}, ("disk.",)),
        Effect(0.85, {"virtual": True, "os_version": "26.4"}, ("compression.",)),
        Effect(1.12, {"os_version": "26.3", "virtual": False}, ("disk.write",)),
    )
    about = "A provider of builds: most of its machines are guests, and no drive is external."
    return Design("ci", lots, effects, Noise(mac=0.01, run=0.02), about)


def school() -> Design:
    """Old Macs that measured once or twice, on battery, each model bought in one year."""
    airs: Values = {"chip": "Apple M1", "model": "MacBookAir10,1", "power_source": "battery"}
    lots = (
        Lot("air", 40, {**airs, "encryption": "hardware", "os_version": "15.5"}),
        Lot("air", 8, {**airs, "os_version": "15.7"}, (DISK, HASH), first=40, runs=2),
        Lot("air", 4, {**airs, "power_mode": "low", "os_version": "15.7"}, (COMPRESSION,)),
        Lot("imac", 16, {"chip": "Apple M1", "model": "iMac21,1", "os_version": "15.5"}),
        Lot("imac", 5, {"chip": "Apple M1", "model": "iMac21,1"}, (COMPRESSION, CORES)),
        Lot("m2", 6, {"chip": "Apple M2", "model": "Mac14,2", "os_version": "26.4"}, ALL),
        Lot("office", 1, {"chip": "Apple M4", "model": "Mac16,10", "os_version": "26.5"}, ALL),
    )
    effects = (
        Effect(0.96, {"encryption": "filevault"}),
        Effect(0.93, {"model": "iMac21,1"}, ("disk.",)),
        Effect(0.80, {"power_source": "battery"}, ("compression.", "cores.")),
    )
    about = "A school: many old Macs of two models, few runs each."
    return Design("school", lots, effects, Noise(model=0.01, mac=0.05, run=0.03), about)


_DRIVES: dict[str, tuple[str, ...]] = {
    "thunderbolt5": ("Envoy Ultra", "Example TB5 Case"),
    "usb4": ("Express 1M2", "Example USB4 Case", "Own USB4 SSD"),
    "thunderbolt3": ("Example TB3 SSD",),
    "usb3": ("Stick A", "Stick B"),
}


def reviewers() -> Design:
    """Five people with many drives: encryption, link and device all vary, chips hardly do.

    Thunderbolt 5 was measured only on M4 Pro, and mostly encrypted; sticks are never encrypted.
    """
    lots: list[Lot] = []
    owners = (
        ("ann", "Apple M4 Pro", "26.4"),
        ("bo", "Apple M4 Pro", "26.3"),
        ("cy", "Apple M1 Max", "26.4"),
        ("dee", "Apple M3 Pro", "26.4"),
        ("ed", "Apple M1", "15.7"),
    )
    for owner, chip, version in owners:
        base: Values = {"chip": chip, "os_version": version}
        lots.append(Lot(owner, 1, base, ALL, runs=6))
        for link, devices in _DRIVES.items():
            for device in devices if link != "thunderbolt5" or chip == "Apple M4 Pro" else ():
                drive = {**base, "storage": link, "device": device}
                lots += _of_drive(owner, drive)
        for image in ("raw", "asif", "sparsebundle") if version != "15.7" else ("raw",):
            for encryption in ("none", "image_aes256"):
                image_of: Values = {"image_format": image, "encryption": encryption}
                lots.append(Lot(owner, 1, {**base, "storage": "disk_image", **image_of}, runs=2))
    effects = (
        Effect(0.90, {"encryption": "apfs_encrypted"}),
        Effect(0.75, {"encryption": "image_aes256"}),
        Effect(1.35, {"storage": "thunderbolt5"}),
        Effect(0.85, {"storage": "thunderbolt3"}),
        Effect(0.8, {"device": ("Own USB4 SSD", "Stick B")}),
        Effect(0.6, {"via": "Example Dock"}),
        Effect(0.9, {"os_version": "15.7", "storage": "disk_image"}),
    )
    about = "Reviewers: few Macs, many drives."
    return Design("reviewers", tuple(lots), effects, Noise(mac=0.015, run=0.008), about)


def _of_drive(owner: str, drive: dict[str, Value]) -> list[Lot]:
    """Lots of a drive: plain, encrypted if its link is fast, docked if its owner has a dock."""
    link = drive["storage"]
    plain = Lot(owner, 1, {**drive, "encryption": "none"}, runs=1 if link == "thunderbolt5" else 3)
    lots = [plain]
    if link != "usb3":
        lots.append(Lot(owner, 1, {**drive, "encryption": "apfs_encrypted"}, (DISK, HASH), 3))
    if owner in ("ann", "cy") and link in ("usb4", "thunderbolt3"):
        docked = {**drive, "encryption": "none", "via": "Example Dock"}
        lots.append(Lot(owner, 1, docked, runs=2))
    return lots


FLEETS = {design.name: design for design in (ci_provider(), school(), reviewers())}
