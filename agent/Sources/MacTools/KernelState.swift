import Base
import Document
import Formats

/// The machine according to `sysctl`: its chip and core tiers, whether it is a virtual machine,
/// whether this process runs under Rosetta.
package struct KernelState: Codable, Equatable, Sendable {
  package var model: String?
  package var chip: String?
  /// This process's architecture: "x86_64" also under Rosetta.
  package var architecture: String?
  package var memoryBytes: Int?
  /// Logical processors; in a virtual machine, its vCPUs.
  package var processors: Int?
  /// Fastest first, under Apple's names; nil unless every tier is known.
  package var coreTiers: [CoreTier]?
  package var isVirtual: Bool?
  package var isTranslated: Bool?
  /// Mean number of runnable threads over the last minute.
  package var load: Double?

  /// Read "name: value" lines (or "name = value", as older systems print). Unknown names are
  /// skipped, so the input may be the whole tree or selected names.
  package static func read(_ text: String) -> KernelState {
    let values = values(text)
    var state = KernelState()
    state.model = documentText(values["hw.model"]).flatMap { HardwareProfile.isModel($0) || MacModel.isVirtual($0) ? $0 : nil }
    state.chip = chip(values["machdep.cpu.brand_string"])
    state.architecture = architecture(values["hw.machine"])
    state.memoryBytes = positive(values["hw.memsize"])
    state.processors = positive(values["hw.logicalcpu_max"]) ?? positive(values["hw.ncpu"])
    state.isVirtual = isVirtual(values)
    state.isTranslated = isTranslated(values)
    state.coreTiers = coreTiers(values, isVirtual: state.isVirtual == true)
    // vm.loadavg is "{ 1,23 1,45 1,67 }" in the region's own digits.
    state.load = values["vm.loadavg"]?.split { "{} ".contains($0) }.first.flatMap(Quantity.number)
      .flatMap { (0..<1e6).contains($0) ? $0 : nil }
    return state
  }

  private static func values(_ text: String) -> [String: String] {
    var values: [String: String] = [:]
    for line in Lines.of(text) {
      guard let sign = line.firstIndex(where: { $0 == ":" || $0 == "=" }) else { continue }
      let name = trimmed(line[..<sign])
      let value = trimmed(line[line.index(after: sign)...])
      if !Redacted.isPlaceholder(value) { values[name] = value }
    }
    return values
  }

  private static func architecture(_ name: String?) -> String? {
    name.flatMap { ["arm64", "x86_64"].contains($0) ? $0 : $0 == "arm64e" ? "arm64" : nil }
  }

  private static func positive(_ text: String?) -> Int? {
    text.flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
  }

  /// The chip's name; nil for names that mean nothing: early macOS on M1 calls every chip "Apple
  /// processor", Rosetta "VirtualApple @ 2.50GHz".
  package static func chip(_ name: String?) -> String? {
    guard let name = documentText(name) else { return nil }
    let plain = name.split { $0.isWhitespace }.joined(separator: " ")
    let lower = plain.lowercased()
    let isNameless = lower == "apple processor" || lower == "unknown" || lower.hasPrefix("virtualapple")
    return isNameless ? nil : plain
  }

  private static func isTranslated(_ values: [String: String]) -> Bool? {
    switch values["sysctl.proc_translated"] {
    case "1": true
    case "0": false
    default: values["machdep.cpu.brand_string"]?.hasPrefix("VirtualApple") == true ? true : nil
    }
  }

  private static func isVirtual(_ values: [String: String]) -> Bool? {
    switch values["kern.hv_vmm_present"] {
    case "1": true
    case "0": false
    default: MacModel.isVirtual(values["hw.model"]) ? true : nil
    }
  }

  /// Read hw.perflevelN, N counted from the fastest. nil unless every level and core that the
  /// kernel counts is listed.
  private static func coreTiers(_ values: [String: String], isVirtual: Bool) -> [CoreTier]? {
    var tiers: [CoreTier] = []
    while tiers.count < 16 {
      let prefix = "hw.perflevel\(tiers.count)."
      let counted = positive(values[prefix + "physicalcpu_max"]) ?? positive(values[prefix + "physicalcpu"])
      guard let cores = counted else { break }
      let name = documentText(values[prefix + "name"]) ?? unprintedName(level: tiers.count, values)
      guard let name else { return nil }
      let inCluster = positive(values[prefix + "cpusperl2"]) ?? 0
      let clusters = isVirtual ? nil : even(cores, inCluster: inCluster)
      tiers.append(CoreTier(name: name, cores: cores, clusters: clusters))
    }
    guard !tiers.isEmpty else { return nil }
    let levels = positive(values["hw.nperflevels"])
    if let levels, levels != tiers.count { return nil }
    let totals = ["hw.physicalcpu_max", "hw.physicalcpu", "hw.ncpu"].compactMap { positive(values[$0]) }
    if let total = totals.first, total != tiers.reduce(0, { $0 + $1.cores }) { return nil }
    return levels == nil && totals.isEmpty ? nil : tiers
  }

  /// Split cores into clusters that share a level 2 cache. Uneven ones (a chip with a disabled
  /// core) can't be distinguished.
  private static func even(_ cores: Int, inCluster: Int) -> [Int]? {
    guard inCluster > 0, cores % inCluster == 0 else { return nil }
    return Array(repeating: inCluster, count: cores / inCluster)
  }

  /// The tier's name on macOS before 13, whose kernel printed none. Only M1 and M2 chips ran it,
  /// and Apple calls their tiers Performance and Efficiency.
  private static func unprintedName(level: Int, _ values: [String: String]) -> String? {
    let families = ["458787763", "-634136515", "3660830781"]
    let isOfFamily = values["hw.cpufamily"].map(families.contains) ?? false
    let chip = chip(values["machdep.cpu.brand_string"]) ?? ""
    let isNamed = ["Apple M1", "Apple M2"].contains { chip == $0 || chip.hasPrefix($0 + " ") }
    guard isOfFamily || isNamed, values["hw.nperflevels"] == "2", level < 2 else { return nil }
    return level == 0 ? "Performance" : "Efficiency"
  }
}

extension KernelState {
  private static let readNames: Set<String> = [
    "hw.model", "machdep.cpu.brand_string", "hw.machine", "hw.memsize", "hw.logicalcpu_max", "hw.ncpu", "hw.cpufamily",
    "hw.nperflevels", "hw.physicalcpu_max", "hw.physicalcpu", "kern.hv_vmm_present", "sysctl.proc_translated", "vm.loadavg",
  ]
  private static let ofLevel: Set<String> = ["physicalcpu_max", "physicalcpu", "name", "cpusperl2"]

  /// Keep the kernel's names of all values, to show what else is available.
  package static let recorded = Recorded(line: { line, _, names in
    guard let sign = line.firstIndex(where: { $0 == ":" || $0 == "=" }) else { return nil }
    let name = trimmed(line[..<sign])
    let parts = name.split(separator: ".").map(String.init)
    let isRead = readNames.contains(name) || (parts.count == 3 && parts[1].hasPrefix("perflevel") && ofLevel.contains(parts[2]))
    let value = trimmed(line[line.index(after: sign)...])
    if isRead { return "\(name)\(line[sign]) \(Redacted.isPlaceholder(value) ? names.name(value) : value)" }
    let isKernels = parts.count > 1 && ["hw", "machdep", "kern", "vm", "sysctl"].contains(parts[0])
      && name.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || "._".contains($0)) }
    return isKernels ? "\(name)\(line[sign]) \(Int(value) == nil ? names.name(value) : "0")" : nil
  })
}

/// Facts that a model identifier reveals.
enum MacModel {
  static func isVirtual(_ model: String?) -> Bool {
    guard let model else { return false }
    return ["VirtualMac", "VMware", "Parallels", "VMM", "QEMU"].contains { model.hasPrefix($0) }
  }

  /// Whether drives fit into internal slots: any Mac Pro, including the last, "Mac14,8".
  static func hasSlots(_ model: String?) -> Bool { model?.hasPrefix("MacPro") == true || model == "Mac14,8" }

  /// The software whose virtual machines have that model. Apple's framework, which many programs
  /// use, names none.
  static func virtualMachineSoftware(_ model: String?) -> String? {
    guard let model else { return nil }
    if model.hasPrefix("VMware") { return "VMware" }
    return model.hasPrefix("Parallels") ? "Parallels" : nil
  }
}
