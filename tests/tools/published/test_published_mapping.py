"""Every stored figure has the dimensions that its source row states, and no others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from published.build import documents
from support.published import measurements

Json = dict[str, Any]

RUNS = {run["citation"]["row"]: run for run in documents()}

STORAGE = {
    "VM Data volume (host storage not stated)": "virtual_disk",
    "VM disk on host internal SSD": "virtual_disk",
    "internal SSD": "internal",
    "internal SSD (assumed)": "internal",
    "disk image on internal SSD": "disk_image",
    "sparse bundle on internal SSD": "disk_image",
    "external TB3": "thunderbolt3",
    "external USB4": "usb4",
    "external TB5": "thunderbolt5",
}
ENCRYPTION = {
    "FileVault on": "filevault",
    "guest FileVault on": "filevault",
    "guest FileVault off": "none",
    "none (no FileVault or other encryption)": "none",
    "AES-256 disk image": "image_aes256",
    "APFS Encrypted": "apfs_encrypted",
    "none": "none",
    "none (unencrypted APFS)": "none",
    "encrypted image (cipher strength not stated)": "unknown",
}
IMAGE = {"RAW (VM disk)": "raw", "RAW": "raw", "ASIF": "asif", "sparse bundle": "sparsebundle"}
IMAGE["read-write disk image"] = "raw"
POWER_MODE = {"Automatic and High Power (same)": "automatic", "Low Power": "low"}
MACHINE = {
    "mac-mini-m4-pro": "Apple M4 Pro",
    "mac-studio-m1-max": "Apple M1 Max",
    "mbp-m1-pro": "Apple M1 Pro",
    "mbp-m3-pro": "Apple M3 Pro",
    "m3-pro-unspecified": "Apple M3 Pro",
}
KERNEL = {"fp64": "fp64", "neon": "neon", "vDSP_mmul": "vdsp_mmul", "compression": None}


def rows() -> Iterator[tuple[Json, Json]]:
    """Yield each stored row of the source with its document."""
    for entry in measurements():
        if entry["id"] in RUNS:
            yield entry, RUNS[entry["id"]]


def test_storage_encryption_and_image() -> None:
    for entry, run in rows():
        target = run.get("target", {})
        image = target.get("image", {})
        vm = entry.get("host_or_vm") == "vm"
        storage = STORAGE.get(entry.get("storage", ""))
        assert target.get("storage") == ("virtual_disk" if vm and storage else storage), entry["id"]
        encryption = ENCRYPTION.get(entry.get("encryption", ""))
        if target.get("storage") == "internal" and encryption == "none":
            # Apple silicon encrypts its internal storage, whatever the article calls it.
            encryption = "hardware"
        assert target.get("encryption") == encryption, entry["id"]
        assert image.get("format") == IMAGE.get(entry.get("image_format", "")), entry["id"]
        capacity = entry.get("image_size_gb")
        assert image.get("capacity_bytes") == (capacity and capacity * 10**9), entry["id"]
        assert target.get("file_system") == (entry.get("file_system") and "apfs"), entry["id"]


def test_path_to_the_device() -> None:
    for entry, run in rows():
        target = run.get("target", {})
        assert ("via" in target) == ("via" in entry), entry["id"]
        assert target.get("simultaneous", 1) == entry.get("simultaneous_devices", 1), entry["id"]


def test_machine_and_virtual_machine() -> None:
    for entry, run in rows():
        machine = run["machine"]
        assert machine.get("chip") == MACHINE.get(entry["machine"]), entry["id"]
        unspecified = "unspecified" in entry["machine"] or entry["machine"] == "m1-m3-earlier"
        assert machine.get("unspecified", False) == unspecified, entry["id"]
        virtual_machine = run.get("environment", {}).get("virtual_machine")
        assert (virtual_machine is not None) == (entry.get("host_or_vm") == "vm"), entry["id"]
        if virtual_machine is not None:
            memory = entry.get("vm_memory_gb")
            assert virtual_machine.get("vcpus") == entry.get("vcpus"), entry["id"]
            assert virtual_machine.get("memory_bytes") == (memory and memory * 2**30), entry["id"]
            assert virtual_machine.get("software") == entry.get("virtualiser"), entry["id"]


def test_environment() -> None:
    for entry, run in rows():
        environment = run.get("environment", {})
        flags = {warning["code"] for warning in run["warnings"]}
        guest = entry.get("host_or_vm") == "vm" and entry.get("guest_macos")
        stated = guest or entry.get("macos")
        if stated is None and "os_implied" in flags:
            stated = "15.5"
        if entry["id"] == "m098":
            stated = "14.7.1"  # the article's only guest
        digits = re.search(r"\d[\d.]*", stated or "")
        assert environment.get("os_version") == (digits and digits.group()), entry["id"]
        mode = entry.get("power_mode")
        assert environment.get("power_mode") == POWER_MODE.get(mode or "", mode), entry["id"]
        virtual = entry.get("host_or_vm") == "vm"
        said = "os_version" in environment or virtual or "os_unstated" in flags
        assert said, entry["id"]


def test_parameters() -> None:
    for entry, run in rows():
        figure = _figure(run)
        parameters, metric = figure.get("parameters", {}), figure["metric"]
        threads = entry.get("threads")
        if isinstance(threads, int) and "to" not in figure:
            assert parameters.get("threads", threads) == threads, entry["id"]
        loops = entry.get("loops_per_thread")
        if loops is not None and "time" in metric:
            assert parameters["loops"] == loops, entry["id"]
        if "loops" in parameters:
            assert loops == parameters["loops"], entry["id"]
        size = entry.get("file_size_gb")
        if "file_size" in parameters:
            assert size is not None, entry["id"]
            assert parameters["file_size"] == round(size * 10**9), entry["id"]
        if "kernel" in parameters and entry.get("kernel") in KERNEL:
            assert parameters["kernel"] == KERNEL[entry["kernel"]], entry["id"]
        if "active_cores" in parameters and "to" not in figure:
            assert parameters["active_cores"] * 100 == entry.get(
                "active_residency_pct", 100 * parameters["active_cores"]
            ), entry["id"]


def test_core_context() -> None:
    for entry, run in rows():
        figure = _figure(run)
        context = figure.get("parameters", {}).get("core_context")
        spill = figure["metric"] == "cores.frequency"
        contexts: dict[str, set[str | None]] = {
            "P": {"Performance/high", None},
            "E slow": {"Efficiency/background"},
            "E fast": {"Performance+Efficiency/high" if spill else "Efficiency/high"},
            "P and E (all 14 cores)": {"Performance+Efficiency/high"},
        }
        expected = contexts.get(entry.get("core_context", ""))
        if expected is not None:
            assert context in expected, entry["id"]


def test_cautions_that_follow_from_the_row() -> None:
    for entry, run in rows():
        flags = {warning["code"] for warning in run["warnings"]}
        cited = entry["status"].startswith("cited")
        assert ("cited_earlier" in flags) == cited, entry["id"]
        assert ("storage_assumed" in flags) == ("(assumed)" in entry.get("storage", "")), entry[
            "id"
        ]
        unspecified = run["machine"].get("unspecified", False)
        assert ("machine_unstated" in flags) == unspecified, entry["id"]
        if "assumes the order" in entry.get("note", ""):
            assert "order_assumed" in flags, entry["id"]
        if "slope" in entry.get("note", ""):
            assert "slope" in flags, entry["id"]


def test_how_many_rows_these_tests_compare() -> None:
    assert len(list(rows())) == len(RUNS) == 157


def _figure(run: Json) -> Json:
    for kind in ("series", "published_ratios", "published_ranges"):
        if kind in run:
            figure: Json = run[kind][0]
            return figure
    raise AssertionError(run["citation"]["row"])
