"""The target of a storage run, and how fast it truly is."""

from __future__ import annotations

from macmeter import Json

from demo import laws
from demo.fleet import Drive, Planned


def target(run: Planned) -> Json:
    mac, detail = run.mac, run.detail
    if mac.host is not None:
        return {
            "storage": "virtual_disk",
            "device": "Apple Inc. VirtIO Block",
            "simultaneous": 1,
            "encryption": "none",
            "file_system": "apfs",
            "capacity_bytes": 93637623808,
            "free_bytes": 61637623808,
        }
    drive: Drive | None = detail.get("drive")
    if drive is not None:
        target: Json = {
            "storage": drive.storage,
            "link_speed": laws.LINKS[drive.storage],
            "device": drive.device,
            "device_id": drive.device_id,
        }
        if "via" in detail:
            target["via"] = detail["via"]
        return target | {
            "simultaneous": 2 if run.kind == "simultaneous" else 1,
            "encryption": drive_encryption(run),
            "file_system": "apfs",
            "capacity_bytes": drive.capacity,
            "free_bytes": drive.capacity * 7 // 10,
        }
    internal: Json = {
        "storage": "internal",
        "device": mac.chip.ssd,
        "device_id": mac.device_id,
        "simultaneous": 1,
        "encryption": mac.encryption,
        "file_system": "apfs",
        "capacity_bytes": mac.chip.capacity,
        "free_bytes": mac.chip.capacity * 55 // 100,
    }
    if "image" not in detail:
        return internal
    held_by = {k: internal[k] for k in ("storage", "encryption", "device", "device_id")}
    return {
        "storage": "disk_image",
        "simultaneous": 1,
        "image": {
            "format": detail["image"],
            "state": "new",
            "capacity_bytes": 100 * 10**9,
            "host": held_by,
        },
        "encryption": detail["encryption"],
        "file_system": "apfs",
        "capacity_bytes": 99895439360,
        "free_bytes": 99620712448,
    }


def drive_encryption(run: Planned) -> str:
    return "apfs_encrypted" if run.detail.get("encrypted") else "none"


def speeds(run: Planned) -> tuple[float, float]:
    """True speeds of the run's target over a whole run: written and read, in B/s."""
    mac, detail = run.mac, run.detail
    if mac.host is not None:
        return laws.virtual_disk(mac.host.chip, mac.host.encryption, "26.1")
    drive: Drive | None = detail.get("drive")
    if drive is not None:
        simultaneous = 2 if run.kind == "simultaneous" else 1
        encryption = drive_encryption(run)
        return laws.external(
            drive.storage, drive.device, encryption, detail.get("via"), simultaneous
        )
    version = mac.os_version(run.week)
    if "image" in detail:
        return laws.image(mac.chip, detail["image"], detail["encryption"], version)
    return laws.internal(mac.chip, mac.encryption, version)
