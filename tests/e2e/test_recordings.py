"""Private names in recordings of `macmeter doctor --record`, found by an independent search.

Every captured output of a Mac's tools is given to the real binary as the answer to every command.
Names and numbers that could identify the Mac are gathered from the raw output by this file's own
rules, and looked for in the recording. Text of a structured output survives only under keys that
were checked one by one.
"""

from __future__ import annotations

import json
import os
import plistlib
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from xml.parsers.expat import ExpatError

import pytest
from support.agent import ROOT

FIXTURES = ROOT / "agent" / "Tests" / "Fixtures" / "mac"
MACS = ROOT / "tests" / "documents" / "macs"
CAPTURES = ROOT.parent / "shared" / "captures"
COMPOSED = ROOT / "tests" / "documents" / "private_names"
KNOWN_CAPTURES = 126

KERNEL = [
    "sysctl",
    "hw",
    "hw.model",
    "machdep.cpu.brand_string",
    "sysctl.proc_translated",
    "kern.hv_vmm_present",
    "vm.loadavg",
]
DISKS = [f"disk{n}{part}" for n in range(12) for part in ("", "s1", "s2", "s4s1", "s5", "s1s1")]
COMMANDS = [
    KERNEL,
    ["sw_vers"],
    ["system_profiler", "-json", "-detailLevel", "mini", "SPHardwareDataType"],
    *[
        ["system_profiler", "-json", kind]
        for kind in (
            "SPDisplaysDataType",
            "SPThunderboltDataType",
            "SPUSBHostDataType",
            "SPUSBDataType",
            "SPNVMeDataType",
            "SPSerialATADataType",
            "SPStorageDataType",
        )
    ],
    ["ioreg", "-w0", "-rc", "AGXAccelerator", "-d1"],
    ["ioreg", "-w0", "-rn", "pmgr"],
    ["pmset", "-g", "batt"],
    ["pmset", "-g"],
    ["pmset", "-g", "therm"],
    ["ps", "-Acxo", "%cpu=,comm="],
    ["tmutil", "status"],
    ["fdesetup", "status"],
    ["diskutil", "list", "-plist"],
    ["diskutil", "apfs", "list", "-plist"],
    ["diskutil", "info", "-plist", "/"],
    ["hdiutil", "info", "-plist"],
    ["mount"],
    *[["diskutil", "info", "-plist", disk] for disk in DISKS],
]
MOUNTED = "Filesystem 512-blocks Used Available Capacity Mounted on\n/dev/{} 1 1 1 1% /x\n"

# Names that every Mac has, and words that were already redacted.
COMMON = {
    "macintosh hd", "macintosh hd - data", "preboot", "recovery", "vm", "data", "update",
    "hardware", "xart", "iscpreboot", "disk image", "efi", "efi system partition", "shared",
    "no name", "not provided", "apple inc.", "container", "guest", "root", "system", "unknown",
    "removed",
}  # fmt: skip

# Keys under which a text may survive, as one of our readers uses it.
KEPT_KEYS = {
    "DeviceIdentifier", "DeviceNode", "ParentWholeDisk", "APFSContainerReference",
    "APFSPhysicalStore", "CoreStoragePVDisk", "ContainerReference", "SnapshotBSD", "dev-entry",
    "BusProtocol", "MediaName", "DeviceLocation", "VirtualOrPhysical", "FilesystemType",
    "Content", "Roles", "image-type", "volume-kind", "filesystem-type", "Format",
    "Format Description", "Image Format", "Class Name", "_dataType", "machine_model",
    "machine_name", "chip_type", "cpu_type", "physical_memory", "number_processors", "_name",
    "device_name_key", "vendor_name_key", "mode_key", "current_speed_key",
    "receptacle_status_key", "USBDeviceKeyVendorName", "USBDeviceKeyLinkSpeed",
    "USBDeviceKeyUSB4Tunnel", "manufacturer", "device_speed", "bsd_name", "device_model", "size",
    "size_in_bytes", "free_space_in_bytes", "detachable_drive", "file_system", "writable",
    "device_name", "protocol", "is_internal_disk", "medium_type", "sppci_cores", "Running",
    "Percent", "Encryption", "FileVault", "Internal", "Encrypted", "encrypted", "TotalSize",
    "Size", "FreeSpace", "VolumeSize", "spsata_medium_type", "spdisplays_connection_type",
    "spdisplays_virtualdevice",
}  # fmt: skip
# Buses whose devices have a manufacturer's name.
HARDWARE = {
    "Apple Fabric", "PCI-Express", "PCI", "NVMe", "SATA", "ATA", "ATAPI", "SAS", "USB", "FireWire",
    "Thunderbolt", "Secure Digital",
}  # fmt: skip


def leaves(value: Any, key: str = "", around: Any = None) -> list[tuple[str, str, dict[str, Any]]]:
    """Each text with its key and the dictionary around it."""
    if isinstance(value, dict):
        return [leaf for k, v in value.items() for leaf in leaves(v, str(k), value)]
    if isinstance(value, list):
        return [leaf for item in value for leaf in leaves(item, key, around)]
    return [(key, value, around or {})] if isinstance(value, str) else []


def structured(data: bytes) -> Any:
    """The value of JSON or of the first of several property lists; None for other text."""
    text = data.replace(b"\0", b"").strip()
    try:
        if text.startswith(b"<"):
            return plistlib.loads(text.partition(b"</plist>")[0] + b"</plist>")
        return json.loads(text) if text[:1] in (b"{", b"[") else None
    except (ValueError, ExpatError, plistlib.InvalidFileException):
        return None


NAMED_BY_PEOPLE = {"VolumeName", "volume-name", "Name", "mount_point", "MountPoint", "mount-point",
    "image-path", "shadow-path", "computer_name", "local_host_name", "user_name"}  # fmt: skip
NUMBERED = re.compile(r"serial|udid|uuid|_uid|unique|guid", re.IGNORECASE)


def private(data: bytes) -> set[str]:
    """Names that must not be found again."""
    text = data.decode("utf-8", "replace")
    names: set[str] = set()
    for pattern in (
        r"\b[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\b",
        r"\b0x[0-9A-Fa-f]{12,}\b",
        r"(?<![0-9A-Fa-f:])(?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}(?![0-9A-Fa-f:])",
        r"/Users/([^/\s\"<>]+)",
        r"/Volumes/([^/\"<>\n]+)",
        r"(?i)serial number[^:\n]*:\s+(\S[^\n]*)",
        r"(?i)\"[^\"\n]*(?:serial|uuid)[^\"\n]*\"\s*=\s*<?\"([^\"\n]+)\"",
        r"(?:Volume|Set) Name:[ \t]+(\S[^\n]*)",
        r"Name:[ \t]+([^\n]+) \(Case-",
        r"prevented by ([^)\n]+)\)",
        r"Battery-\d+ \(id=(\d{5,})\)",
        r"active for user '([^']+)'",
        r"(?:kern\.hostname|ComputerName)[\"=: ]+([^\"\n]+)",
        r"^//(?:[^@/\s]*@)?([^/\s]+)/",
        r"(?m)^\s*image-path\s*:\s*(\S[^\n]*)",
    ):
        for found in re.findall(pattern, text):
            names.update(part.strip() for part in found.split(", "))
    for key, value, around in leaves(structured(data)):
        keys = {name.lower() for name in around}
        of_volume = bool(keys & {"mount_point", "volume_uuid", "file_system", "apfsvolumeuuid"})
        of_part = re.fullmatch(r"(/dev/)?disk\d+s\d+\w*", str(around.get("DeviceIdentifier", "")))
        of_mac = "services_title" in around
        of_software = (
            around.get("BusProtocol") not in HARDWARE
            or around.get("VirtualOrPhysical") == "Virtual"
            or any(name.startswith("RAID") and around[name] is not False for name in around)
        ) and not value.startswith(("APPLE SSD", "APPLE HDD", "AppleAPFSMedia"))
        of_air = around.get("spdisplays_connection_type") == "spdisplays_airplay"
        if (
            (key in NAMED_BY_PEOPLE and (key != "Name" or of_volume or "Roles" in around))
            or NUMBERED.search(key)
            or (key == "_name" and (of_volume or of_mac or of_air))
            or (key in ("IORegistryEntryName", "MediaName") and (of_part or of_software))
        ):
            names.add(value.strip())
    return {
        name
        for name in names
        if len(name) >= 4
        # Zeros mean a bridge without a serial number.
        and len(set(name)) > 1
        and name.lower() not in COMMON
        and not re.fullmatch(
            r"[\d.,%\s-]{1,6}|[*#x_.<>\[\]\-–—]+|<[^>]*>|\(null\)", name, re.IGNORECASE
        )
        and "redacted" not in name.lower()
    }


def processes(data: bytes) -> set[str]:
    """Programs of a process list, except for macOS's own that a reader looks for."""
    own = {"mds", "mds_stores", "mdworker", "mdworker_shared", "backupd", "softwareupdated"}
    found = re.findall(r"(?m)^\s*\d+[.,]\d+ +(\S.*)$", data.decode("utf-8", "replace"))
    return {name.strip() for name in found if len(name) >= 4} - own


def holds(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) is not None


def record(command: str, raw: Path, replies: list[dict[str, Any]], home: Path) -> dict[str, bytes]:
    """Files of a recording of a Mac with these replies."""
    mac = home / "mac"
    mac.mkdir(parents=True)
    (mac / "replies.json").write_text(json.dumps(replies))
    (mac / "df.txt").write_text(MOUNTED.format("disk5s2"))
    environment = os.environ | {
        "MACMETER_HOME": str(home / "state"),
        "MACMETER_REPLAY": str(mac),
        "NO_COLOR": "1",
    }
    path = home / "asked"
    path.mkdir()
    done = subprocess.run(
        [command, "doctor", str(path), "--record", str(home / "made")],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{raw}: {done.stderr}"
    assert "gives the same facts about this Mac" in done.stderr, f"{raw}: {done.stderr}"
    return {file.name: file.read_bytes() for file in (home / "made").iterdir()}


def is_kernels(raw: Path) -> bool:
    return "sysctl" in (raw.parent.name, raw.stem)


def check(command: str, raw: Path, home: Path) -> int:
    """Record with one output as the reply to everything; return the count of names searched."""
    # The profiler's text is recognised by values that other texts have by chance.
    commands = [each for each in COMMANDS if each[0] != "system_profiler" or not is_kernels(raw)]
    replies = [{"command": each, "file": str(raw)} for each in commands]
    files = record(
        command, raw, [*replies, {"command": ["df", "-P", "PATH"], "file": "df.txt"}], home
    )
    data = raw.read_bytes()
    names = private(data)
    if raw.name.startswith("ps"):
        names |= processes(data)
    # A repeated character means a redacted value, or no serial number.
    raw_values = {value for _, value, _ in leaves(structured(data)) if len(set(value.strip())) > 1}
    raw_values = {value for value in raw_values if len(value) >= 4}
    # Most commands got the same reply: each distinct file is searched once.
    for content, name in {content: name for name, content in files.items()}.items():
        text = content.decode()
        left = [each for each in names if holds(text, each)]
        assert not left, f"{raw.name} as {name}: {left}"
        value = structured(content)
        if structured(data) is not None and name != "replies.json" and not name.endswith("_df.txt"):
            assert value is not None, f"{raw.name} as {name} is neither JSON nor a property list"
        for key, kept, _ in leaves(value) if name != "replies.json" else []:
            if kept in raw_values and kept.lower() not in COMMON:
                assert key in KEPT_KEYS or "ncrypt" in key, f"{raw.name}: {key} kept {kept!r}"
    return len(names)


def check_all(command: str, raws: list[Path], home: Path, what: str) -> int:
    with ThreadPoolExecutor(2) as pool:
        searched = sum(pool.map(lambda n: check(command, raws[n], home / str(n)), range(len(raws))))
    print(f"recordings: {len(raws)} {what}, searched for {searched} names, 0 left")
    return searched


def test_no_name_is_left_of_any_composed_output(agent_command: str, tmp_path: Path) -> None:
    raws = [
        path
        for folder in (FIXTURES, COMPOSED)
        for path in sorted(folder.iterdir())
        if path.suffix != ".md"
    ]
    assert check_all(agent_command, raws, tmp_path, "composed outputs") > 50


# A quarter of them has nearly all the names.
@pytest.mark.parametrize("most", [32, pytest.param(None, marks=pytest.mark.thorough)])
def test_no_name_is_left_of_any_captured_output(
    agent_command: str, tmp_path: Path, most: int | None
) -> None:
    raws = [p for p in sorted(CAPTURES.rglob("*")) if p.is_file() and p.name != "INDEX.md"]
    if not raws:
        pytest.skip(f"0 of {KNOWN_CAPTURES} captures read: {CAPTURES} is not here")
    assert len(raws) >= KNOWN_CAPTURES
    raws.sort(key=lambda raw: len(private(raw.read_bytes())), reverse=True)
    what = f"of {KNOWN_CAPTURES} captures"
    assert check_all(agent_command, raws[:most], tmp_path, what) > 150


@pytest.mark.parametrize("name", sorted(path.name for path in MACS.iterdir() if path.is_dir()))
def test_a_recording_of_a_recording_previews_the_same_document(
    agent_command: str, tmp_path: Path, name: str
) -> None:
    replies = json.loads((MACS / name / "replies.json").read_text())
    for reply in replies:
        reply["file"] = str(MACS / name / reply["file"])
    record(agent_command, MACS / name, replies, tmp_path)
    (tmp_path / "asked").mkdir(exist_ok=True)

    def preview(mac: Path) -> Any:
        environment = os.environ | {
            "MACMETER_HOME": str(tmp_path / "state"),
            "MACMETER_REPLAY": str(mac),
        }
        done = subprocess.run(
            [agent_command, "preview", str(tmp_path / "asked"), "--seed", "7", "--json"],
            env=environment, capture_output=True, text=True, check=True,
        )  # fmt: skip
        document = json.loads(done.stdout)
        for target in (document["target"], document["target"].get("image", {}).get("host", {})):
            # Derived from the serial number, which differs in a recording.
            target["device_id"] = "device_id" in target
        return document | {"id": ""}

    assert preview(tmp_path / "made") == preview(tmp_path / "mac")
