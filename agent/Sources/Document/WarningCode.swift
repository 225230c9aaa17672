/// A warning's code in the server's catalogue of flags, and its meaning for terminal users.
package struct WarningCode: OpenName {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  package static let readsMayBeCached = WarningCode("reads_may_be_cached")
  package static let cacheNotBypassed = WarningCode("cache_not_bypassed")
  package static let writesMayBeCached = WarningCode("writes_may_be_cached")
  package static let fasterThanLink = WarningCode("faster_than_link")
  package static let fasterThanStorage = WarningCode("faster_than_storage")
  package static let hostCacheUnknown = WarningCode("host_cache_unknown")
  package static let busySystem = WarningCode("busy_system")
  package static let onBattery = WarningCode("on_battery")
  package static let lowPowerMode = WarningCode("low_power_mode")
  package static let hot = WarningCode("hot")
  package static let rosetta = WarningCode("rosetta")
  package static let nearlyFull = WarningCode("nearly_full")
  package static let lowSpaceAllowed = WarningCode("low_space_allowed")
  package static let flushFailed = WarningCode("flush_failed")
  package static let slept = WarningCode("slept")
  package static let powerSourceChanged = WarningCode("power_source_changed")
  package static let storageUnclear = WarningCode("storage_unclear")
  package static let linkNegotiatedDown = WarningCode("link_negotiated_down")
  package static let oneVolume = WarningCode("one_volume")
  package static let threadsAreVCPUs = WarningCode("threads_are_vcpus")
  package static let threadsNotExact = WarningCode("threads_not_exact")
  package static let incomplete = WarningCode("incomplete")
  package static let toolVersionUnstated = WarningCode("tool_version_unstated")
  package static let cacheStateUnstated = WarningCode("cache_state_unstated")
  package static let rounded = WarningCode("rounded")
  package static let inconsistent = WarningCode("inconsistent")

  /// Its meaning as a clause: "other work is running".
  package var meaning: String { Self.words[self]?.meaning ?? "this run is marked \"\(rawValue)\"" }

  /// The remedy as a sentence; nil if there is none.
  package var remedy: String? { Self.words[self]?.remedy }

  /// The remedy if another tool measured: the option it needs.
  func remedy(importedFrom tool: String) -> String? {
    guard self == .cacheNotBypassed else { return remedy }
    let options = ["fio": "--direct=1", "sysbench": "--file-extra-flags=direct"]
    return options[tool].map { "Measure again with \($0)." }
  }

  private static let words: [WarningCode: (meaning: String, remedy: String?)] = [
    .readsMayBeCached: (
      "some files were still cached in memory when they were read, so read speeds may be too high",
      "Measure again with more free memory, or on a volume that can be remounted."
    ),
    .cacheNotBypassed: (
      "this file system or test does not bypass the cache, so speeds may be those of memory",
      "Choose a directory on an ordinary disk."
    ),
    .writesMayBeCached: ("small writes went through the system's cache, so their times may be those of memory", nil),
    .fasterThanLink: (
      "a speed is higher than the link to the drive allows, so it came from memory",
      "Measure again after restarting, or with a file larger than memory."
    ),
    .fasterThanStorage: (
      "a speed is higher than this Mac's internal storage can reach, so it came from memory",
      "Measure again after restarting, or with a file larger than memory."
    ),
    .hostCacheUnknown: ("this is a virtual machine: its host may cache data without this system noticing", nil),
    .busySystem: ("other work is running", "Stop it and measure again to get comparable results."),
    .onBattery: ("this machine is on battery", "Connect power to get comparable results."),
    .lowPowerMode: ("Low Power Mode is on", "Turn it off to get comparable results."),
    .hot: ("this machine is hot or throttled and may slow down", "Let it cool first."),
    .rosetta: ("this agent runs under Rosetta", "Install the build for Apple silicon."),
    .nearlyFull: ("the volume is nearly full, which slows down writing", "Free some space."),
    .lowSpaceAllowed: ("measured with less free space than recommended", nil),
    .flushFailed: ("the device refused a flush, so speeds including the flush are not reported", nil),
    .slept: ("this machine slept during the run", "Measure again; `caffeinate` keeps a Mac awake."),
    .powerSourceChanged: ("the power source changed during the run", "Measure again without changing it."),
    .storageUnclear: (
      "the system's tools do not agree on what storage this is, or do not say", "Send in a recording: `macmeter doctor --record DIR`."
    ),
    .linkNegotiatedDown: ("the link is slower than the device supports", "Check cable, port and dock."),
    .oneVolume: ("some directories measured at once are on the same volume and share its speed", nil),
    .threadsAreVCPUs: ("this is a virtual machine: its threads run on the cores that its host gives it", nil),
    .threadsNotExact: ("the system used a different number of threads than requested", nil),
    .incomplete: ("parts were not measured, or could not be read", nil),
    .toolVersionUnstated: ("the file does not say which version of the tool was used", nil),
    .cacheStateUnstated: (
      "the file does not say whether the cache was bypassed, so speeds may be those of memory", nil
    ),
    .rounded: ("the file has rounded figures", nil),
    .inconsistent: ("the file contradicts itself", nil),
  ]
}

extension Warning {
  /// Its meaning with the detail: "other work is running (indexing)".
  package var meaning: String { code.meaning + (detail.map { " (\($0))" } ?? "") }

  /// Its meaning and remedy in one or two sentences.
  /// - Parameter tool: the tool whose results were imported; nil if the agent measured.
  package func advice(importedFrom tool: String? = nil) -> String {
    let sentence = meaning.prefix(1).uppercased() + meaning.dropFirst() + "."
    let remedy = tool.map { code.remedy(importedFrom: $0) } ?? code.remedy
    return [sentence, remedy].compactMap { $0 }.joined(separator: " ")
  }
}
