/// The code of a warning in the server's catalogue of flags, and what it means to whoever reads it
/// on a terminal.
package struct WarningCode: OpenName {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  package static let readsMayBeCached = WarningCode("reads_may_be_cached")
  package static let cacheNotBypassed = WarningCode("cache_not_bypassed")
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
  package static let linkNegotiatedDown = WarningCode("link_negotiated_down")
  package static let oneVolume = WarningCode("one_volume")
  package static let threadsAreVCPUs = WarningCode("threads_are_vcpus")
  package static let threadsNotExact = WarningCode("threads_not_exact")
  package static let incomplete = WarningCode("incomplete")
  package static let toolVersionUnstated = WarningCode("tool_version_unstated")
  package static let cacheStateUnstated = WarningCode("cache_state_unstated")
  package static let rounded = WarningCode("rounded")
  package static let inconsistent = WarningCode("inconsistent")

  /// What happened and what to do about it, in one or two sentences.
  package var advice: String {
    switch self {
    case .readsMayBeCached:
      "Some files were still cached in memory when they were read: read speeds may be too high. "
        + "Measure again with more free memory, or on a volume that can be remounted."
    case .cacheNotBypassed:
      "Data went through the cache, so speeds may be those of memory: this file system or test "
        + "does not bypass it. Choose a directory on an ordinary disk."
    case .hostCacheUnknown:
      "This is a virtual machine: its host may cache data without this system noticing."
    case .busySystem:
      "Other work is running. Stop it and measure again to get comparable results."
    case .onBattery:
      "On battery. Connect power to get comparable results."
    case .lowPowerMode:
      "Low Power Mode is on. Turn it off to get comparable results."
    case .hot:
      "The machine is hot or throttled and may slow down. Let it cool first."
    case .rosetta:
      "This agent runs under Rosetta. Install the build for Apple silicon."
    case .nearlyFull:
      "The volume is nearly full, which slows writing down. Free some space."
    case .lowSpaceAllowed:
      "Measured with less free space than recommended (--allow-low-space)."
    case .flushFailed:
      "The device refused a flush: speeds including the flush are not reported."
    case .slept:
      "The machine slept during the run. Measure again; `caffeinate` keeps a Mac awake."
    case .powerSourceChanged:
      "The power source changed during the run. Measure again without changing it."
    case .linkNegotiatedDown:
      "The link is slower than the device supports. Check cable, port and dock."
    case .oneVolume:
      "Some directories measured at once are on the same volume and share its speed."
    case .threadsAreVCPUs:
      "This is a virtual machine: its threads run on the cores that its host gives it."
    case .threadsNotExact:
      "The system used a different number of threads than requested."
    case .toolVersionUnstated:
      "The file does not say which version of the tool was used."
    case .cacheStateUnstated:
      "The file does not say whether the cache was bypassed: speeds may be those of memory."
    case .inconsistent:
      "The file contradicts itself."
    case .incomplete:
      "Parts were not measured, or could not be read."
    default:
      "Kept with the run as \(rawValue)."
    }
  }
}
