"""Every flag, in the order in which several are shown."""

from __future__ import annotations

from macmeter.catalog.traits import Flag, Severity

# The one flag that isn't derived: somebody decided it and gave a reason.
WITHDRAWN = "withdrawn"
# Older servers took values that no instrument resolves.
OUT_OF_RANGE = "out_of_range"

FLAGS: dict[str, Flag] = {
    flag.code: flag
    for flag in (
        Flag(WITHDRAWN, Severity.DOUBT, "was withdrawn, for a reason given on its page"),
        Flag("reads_may_be_cached", Severity.DOUBT, "may have read from the cache"),
        Flag("writes_may_be_cached", Severity.DOUBT, "may have written through the cache"),
        Flag(
            "cache_not_bypassed",
            Severity.DOUBT,
            "was written or read through the cache",
        ),
        Flag("incomplete", Severity.DOUBT, "ended early"),
        Flag("faster_than_link", Severity.DOUBT, "was faster than its link allows"),
        Flag(
            "faster_than_storage",
            Severity.DOUBT,
            "was faster than the internal storage beside its chip",
        ),
        Flag(
            OUT_OF_RANGE,
            Severity.DOUBT,
            "has values that its metric can't have",
        ),
        Flag("low_confidence", Severity.DOUBT, "is doubted by its own author"),
        Flag("simulated", Severity.DOUBT, "comes from a simulated Mac"),
        Flag(
            "host_cache_unknown",
            Severity.CAUTION,
            "ran in a VM, where the host may cache",
        ),
        Flag("quick", Severity.CAUTION, "was a quick run of few files"),
        Flag("on_battery", Severity.CAUTION, "ran on battery"),
        Flag("low_power_mode", Severity.CAUTION, "ran in Low Power Mode"),
        Flag("hot", Severity.CAUTION, "started on a Mac that was already hot"),
        Flag("busy_system", Severity.CAUTION, "ran while the system was busy"),
        Flag("nearly_full", Severity.CAUTION, "ran on a nearly full volume"),
        Flag(
            "low_space_allowed",
            Severity.CAUTION,
            "ran with less free space than advised",
        ),
        Flag("rosetta", Severity.CAUTION, "ran under Rosetta"),
        Flag("slept", Severity.CAUTION, "was interrupted by sleep"),
        Flag(
            "power_source_changed",
            Severity.CAUTION,
            "changed its power source midway",
        ),
        Flag(
            "storage_unclear",
            Severity.CAUTION,
            "ran on storage that its Mac's tools describe differently, or not at all",
        ),
        Flag(
            "link_negotiated_down",
            Severity.CAUTION,
            "ran on a link slower than its device",
        ),
        Flag("flush_failed", Severity.CAUTION, "could not flush its writes to the device"),
        Flag("machine_unstated", Severity.CAUTION, "does not name its Mac"),
        Flag("machine_implied", Severity.CAUTION, "has its machine inferred from context"),
        Flag("tool_unstated", Severity.CAUTION, "does not name the tool that measured it"),
        Flag("encryption_unstated", Severity.CAUTION, "does not state its encryption"),
        Flag("storage_assumed", Severity.CAUTION, "has its storage inferred from context"),
        Flag("os_unstated", Severity.CAUTION, "does not state its macOS version"),
        Flag("os_implied", Severity.CAUTION, "has its macOS version inferred from context"),
        Flag("order_assumed", Severity.CAUTION, "has its case inferred from the order of the text"),
        Flag("derived", Severity.CAUTION, "is computed from a printed time and the file's size"),
        Flag("rounded", Severity.CAUTION, "is printed rounded"),
        Flag("single_file", Severity.CAUTION, "comes from a single file"),
        Flag("slope", Severity.CAUTION, "is a slope fitted by the author"),
        Flag("cited_earlier", Severity.CAUTION, "is quoted from an earlier article"),
        Flag("method_implied", Severity.CAUTION, "has its method inferred from context"),
        Flag("tool_version_unstated", Severity.CAUTION, "does not state the version of its tool"),
        Flag("kernel_unstated", Severity.CAUTION, "does not say which kernel ran"),
        Flag("cache_state_unstated", Severity.CAUTION, "does not say how the cache was emptied"),
        Flag("fewer_files", Severity.CAUTION, "may have used fewer files than its method requires"),
        Flag("one_volume", Severity.CAUTION, "shared its volume with another target"),
        Flag("threads_not_exact", Severity.CAUTION, "ran more threads than were set"),
        Flag("threads_are_vcpus", Severity.CAUTION, "counts virtual CPUs as threads"),
        Flag("spilled", Severity.CAUTION, "timed threads that spilled over to slower cores"),
        Flag("one_phase", Severity.CAUTION, "covers only one phase of its run"),
        Flag("inconsistent", Severity.CAUTION, "disagrees with other figures of its article"),
        Flag("own_words", Severity.CAUTION, "has a reservation by its author"),
        Flag(
            "unknown_warning",
            Severity.CAUTION,
            "has a warning that this server does not know",
        ),
    )
}


def flag(code: str) -> Flag:
    """The flag of that code; one the catalogue does not know yet is a caution by its own name."""
    return FLAGS.get(code) or Flag(code, Severity.CAUTION, FLAGS["unknown_warning"].sentence)


def is_doubt(code: str) -> bool:
    return flag(code).severity is Severity.DOUBT
