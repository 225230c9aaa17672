import Foundation

/// This machine's facts as macOS tells them, through its own tools. Pure parsing of their output,
/// and so tested on any system.
enum MacFacts {
  static func read(_ world: World) -> MachineFacts {
    let kernel = fields(world.run("sysctl", sysctlNames, nil)?.text ?? "")
    let hardware = profile("SPHardwareDataType", world).first ?? [:]
    let display = profile("SPDisplaysDataType", world).first ?? [:]
    let system = fields(world.run("sw_vers", [], nil)?.text ?? "")
    var facts = MachineFacts()
    facts.model = documentText(kernel["hw.model"])
    facts.modelName = documentText(hardware["machine_name"] as? String)
    facts.chip = chip(profiled: hardware["chip_type"] as? String, kernel: kernel["machdep.cpu.brand_string"])
    facts.gpuCores = (display["sppci_cores"] as? String).flatMap { Int($0) }
    facts.memoryBytes = kernel["hw.memsize"].flatMap { Int($0) }
    facts.coreTiers = coreTiers(kernel)
    facts.load = load(kernel)
    facts.environment.osVersion = documentText(system["ProductVersion"])
    facts.environment.osBuild = documentText(system["BuildVersion"])
    facts.environment.powerSource = powerSource(world.run("pmset", ["-g", "batt"], nil)?.text ?? "")
    facts.environment.powerMode = powerMode(world.run("pmset", ["-g"], nil)?.text ?? "")
    facts.environment.thermalState = world.thermalState()
    let processes = world.run("ps", ["-Acxo", "%cpu=,comm="], nil)?.text ?? ""
    facts.environment.busy = busy(processes)
    if kernel["sysctl.proc_translated"] == "1" { facts.environment.rosetta = true }
    if kernel["kern.hv_vmm_present"] == "1" {
      facts.environment.virtualMachine = VirtualMachine(
        vcpus: kernel["hw.ncpu"].flatMap { Int($0) }, memoryBytes: facts.memoryBytes)
    }
    return facts
  }

  /// Clones of a virtual machine share the platform's UUID but not the network address.
  static func ownIdentifiers(_ world: World) -> [String: String] {
    var identifiers: [String: String] = [:]
    let platform = world.run("ioreg", ["-rd1", "-c", "IOPlatformExpertDevice"], nil)?.text ?? ""
    identifiers["platform-uuid"] = quotedValue("IOPlatformUUID", in: platform)
    if world.run("sysctl", ["-n", "kern.hv_vmm_present"], nil)?.text.hasPrefix("1") == true {
      let answer = world.run("networksetup", ["-getmacaddress", "en0"], nil)?.text ?? ""
      identifiers["network-address"] = answer.split(separator: " ").first { $0.contains(":") && $0.count == 17 }
        .map(String.init)
    }
    return identifiers
  }

  private static let sysctlNames = [
    "hw.model", "hw.memsize", "hw.ncpu", "hw.nperflevels", "hw.perflevel0", "hw.perflevel1",
    "hw.perflevel2", "machdep.cpu.brand_string", "sysctl.proc_translated", "kern.hv_vmm_present",
    "vm.loadavg",
  ]

  /// "name: value" lines, as sysctl and sw_vers print them.
  static func fields(_ text: String) -> [String: String] {
    var fields: [String: String] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      fields[LinuxFacts.trimmed(parts[0])] = LinuxFacts.trimmed(parts[1])
    }
    return fields
  }

  /// The chip's name. Early M1 systems call the processor "Apple processor", so the profiler's name
  /// comes first; under Rosetta the profiler says "Unknown" and the kernel "VirtualApple".
  static func chip(profiled: String?, kernel: String?) -> String? {
    [profiled, kernel].compactMap(documentText).first { $0 != "Unknown" && !$0.hasPrefix("VirtualApple") }
  }

  /// The tiers with Apple's own names, fastest first, as the kernel numbers them.
  static func coreTiers(_ kernel: [String: String]) -> [CoreTier]? {
    let tiers = (0..<8).compactMap { level -> CoreTier? in
      let prefix = "hw.perflevel\(level)."
      guard let name = documentText(kernel[prefix + "name"]),
        let cores = kernel[prefix + "physicalcpu"].flatMap({ Int($0) }), cores > 0
      else { return nil }
      let inCluster = kernel[prefix + "cpusperl2"].flatMap { Int($0) } ?? 0
      let even = inCluster > 0 && cores % inCluster == 0
      let clusters = even ? Array(repeating: inCluster, count: cores / inCluster) : nil
      return CoreTier(name: name, cores: cores, clusters: clusters)
    }
    return tiers.isEmpty ? nil : tiers
  }

  /// vm.loadavg is "{ 1.23 1.45 1.67 }".
  static func load(_ kernel: [String: String]) -> Double? {
    guard let processors = kernel["hw.ncpu"].flatMap({ Double($0) }), processors > 0 else { return nil }
    let numbers = kernel["vm.loadavg"]?.split(separator: " ").compactMap { Double($0) } ?? []
    return numbers.first.map { $0 / processors }
  }

  /// pmset -g batt: "Now drawing from 'AC Power'".
  static func powerSource(_ text: String) -> String? {
    if text.contains("'Battery Power'") { return "battery" }
    return text.contains("'AC Power'") ? "ac" : nil
  }

  /// pmset -g: "lowpowermode 1", or with three modes "powermode 0", "1" (low) or "2" (high).
  static func powerMode(_ text: String) -> String? {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count >= 2 else { continue }
      switch (words[0], words[1]) {
      case ("powermode", "0"), ("lowpowermode", "0"): return "automatic"
      case ("powermode", "1"), ("lowpowermode", "1"): return "low"
      case ("powermode", "2"): return "high"
      default: continue
      }
    }
    return nil
  }

  /// Which of macOS's own background work takes more than a fifth of a core. Names of other
  /// processes are looked at and forgotten.
  static func busy(_ processes: String) -> [String]? {
    let kinds = ["mds_stores": "indexing", "mdworker_shared": "indexing", "backupd": "backup"]
    var shares: [String: Double] = [:]
    for line in processes.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 1)
      guard words.count == 2, let share = Double(words[0]),
        let kind = kinds[LinuxFacts.trimmed(words[1])]
      else { continue }
      shares[kind, default: 0] += share
    }
    guard !processes.isEmpty else { return nil }
    return shares.filter { $0.value > 20 }.keys.sorted()
  }

  /// The items of a system_profiler data type.
  static func profile(_ type: String, _ world: World) -> [[String: Any]] {
    guard let answer = world.run("system_profiler", ["-json", type], nil) else { return [] }
    return items(of: type, in: answer.output)
  }

  static func items(of type: String, in json: Data) -> [[String: Any]] {
    let parsed = try? JSONSerialization.jsonObject(with: json) as? [String: Any]
    return parsed?[type] as? [[String: Any]] ?? []
  }

  private static func quotedValue(_ key: String, in text: String) -> String? {
    guard let line = text.split(separator: "\n").first(where: { $0.contains("\"\(key)\"") }) else {
      return nil
    }
    let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
    return parts.count >= 4 ? String(parts[3]) : nil
  }
}
