import Base
import Document
import Foundation

/// This machine's facts on Linux, from /proc, /sys and /etc.
enum LinuxFacts {
  static func read(_ world: World) -> MachineFacts {
    let processors = processorRecords(world.readText("/proc/cpuinfo") ?? "")
    let memory = memoryBytes(world.readText("/proc/meminfo") ?? "")
    var facts = MachineFacts()
    facts.model = product(world)
    facts.chip = documentText(processors.first?["model name"]) ?? documentText(processors.first?["Hardware"])
    facts.memoryBytes = memory
    if let chip = facts.chip {
      facts.coreTiers = [CoreTier(name: chip, cores: coreCount(processors))]
    }
    facts.load = load(world, processors: processors.count)
    facts.environment.osVersion = systemVersion(world.readText("/etc/os-release") ?? "")
    facts.environment.osBuild = documentText(world.readText("/proc/sys/kernel/osrelease"))
    facts.environment.powerSource = powerSource(world)
    facts.environment.virtualMachine = virtualMachine(processors, memory: memory, world)
    return facts
  }

  static func ownIdentifiers(_ world: World) -> [String: String] {
    var identifiers: [String: String] = [:]
    identifiers["machine-id"] = world.readText("/etc/machine-id").map(trimmed)
    identifiers["product-uuid"] = world.readText("/sys/class/dmi/id/product_uuid").map(trimmed)
    return identifiers.filter { !$0.value.isEmpty }
  }

  /// One dictionary per logical processor.
  static func processorRecords(_ text: String) -> [[String: String]] {
    text.components(separatedBy: "\n\n").map { block in
      var record: [String: String] = [:]
      for line in block.split(separator: "\n") {
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { continue }
        record[trimmed(parts[0])] = trimmed(parts[1])
      }
      return record
    }.filter { $0["processor"] != nil }
  }

  /// Physical cores; logical ones if the system doesn't distinguish them.
  static func coreCount(_ processors: [[String: String]]) -> Int {
    let cores = Set(processors.compactMap { record -> String? in
      guard let package = record["physical id"], let core = record["core id"] else { return nil }
      return package + "." + core
    })
    return cores.isEmpty ? processors.count : cores.count
  }

  static func memoryBytes(_ text: String) -> Int? {
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("MemTotal:") }) else {
      return nil
    }
    return line.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
  }

  /// Name and version without the branding: "Debian GNU/Linux 12".
  static func systemVersion(_ text: String) -> String? {
    var fields: [String: String] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { continue }
      fields[String(parts[0])] = parts[1].trimmingCharacters(in: ["\"", "'"])
    }
    guard let name = fields["NAME"] else { return nil }
    return documentText([name, fields["VERSION_ID"]].compactMap { $0 }.joined(separator: " "))
  }

  /// "battery" while any battery discharges, "ac" if there is another supply, otherwise nil.
  static func powerSource(_ world: World) -> String? {
    let folder = "/sys/class/power_supply"
    let supplies = world.list(folder)
    let discharging = supplies.contains { name in
      world.readText("\(folder)/\(name)/type").map(trimmed) == "Battery"
        && world.readText("\(folder)/\(name)/scope").map(trimmed) != "Device"
        && world.readText("\(folder)/\(name)/status").map(trimmed) == "Discharging"
    }
    return discharging ? "battery" : supplies.isEmpty ? nil : "ac"
  }

  /// Load over the last minute as a share of the processors.
  static func load(_ world: World, processors: Int) -> Double? {
    guard processors > 0, let text = world.readText("/proc/loadavg"),
      let minute = text.split(separator: " ").first.flatMap({ Double($0) })
    else { return nil }
    return minute / Double(processors)
  }

  static func virtualMachine(
    _ processors: [[String: String]], memory: Int?, _ world: World
  ) -> VirtualMachine? {
    let vendor = world.readText("/sys/class/dmi/id/sys_vendor").map(trimmed) ?? ""
    let software = hypervisors.first { vendor.localizedStandardContains($0.vendor) }?.software
    let flags = processors.first?["flags"]?.split(separator: " ") ?? []
    guard software != nil || flags.contains("hypervisor") else { return nil }
    return VirtualMachine(
      vcpus: processors.isEmpty ? nil : processors.count, memoryBytes: memory, software: software)
  }

  private static let hypervisors: [(vendor: String, software: String)] = [
    ("QEMU", "QEMU"), ("VMware", "VMware"), ("innotek", "VirtualBox"), ("Xen", "Xen"),
    ("Parallels", "Parallels"), ("Microsoft Corporation", "Hyper-V"), ("Amazon EC2", "Amazon EC2"),
    ("Google", "Google Compute Engine"), ("Apple", "Apple Virtualization"),
  ]

  /// The product's name; nil for a possible serial number or a manufacturer's unfilled field.
  static func product(_ world: World) -> String? {
    guard let name = documentText(world.readText("/sys/class/dmi/id/product_name")),
      !["To Be Filled By O.E.M.", "System Product Name", "None", "Default string"].contains(name),
      !looksLikeSerial(name)
    else { return nil }
    return name
  }

  /// Whether a long word mixes digits and capitals without a lower-case letter or a break.
  static func looksLikeSerial(_ name: String) -> Bool {
    name.split(separator: " ").contains { word in
      word.count >= 10 && word.contains(where: \.isNumber)
        && word.allSatisfy { $0.isNumber || $0.isUppercase }
    }
  }
}
