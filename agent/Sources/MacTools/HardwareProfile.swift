import Base
import Document
import Formats
import Foundation

/// The Mac's hardware, from `system_profiler SPHardwareDataType` (and SPDisplaysDataType, for the
/// GPU). Its serial number and identifiers are never read.
package struct HardwareProfile: Codable, Equatable, Sendable {
  package var model: String?
  package var modelName: String?
  package var chip: String?
  package var memoryBytes: Int?
  package var cores: Int?
  /// Set only if the report or Apple's naming of the chip gives the tiers' names.
  package var coreTiers: [CoreTier]?
  package var gpuCores: Int?

  package static func read(_ data: Data) -> HardwareProfile? {
    guard let value = ToolValue(data) else { return read(text: String(decoding: data, as: UTF8.self)) }
    let hardware = ProfilerItems.read("SPHardwareDataType", in: value)?.first
    let displays = ProfilerItems.read("SPDisplaysDataType", in: value)
    guard hardware != nil || displays != nil else { return nil }
    var profile = HardwareProfile()
    profile.model = hardware?["machine_model"]?.text.flatMap { isModel($0) ? $0 : nil }
    profile.modelName = hardware?["machine_name"]?.text
    profile.chip = KernelState.chip(hardware?["chip_type"]?.text ?? hardware?["cpu_type"]?.text)
    profile.memoryBytes = hardware?["physical_memory"]?.text.flatMap(Quantity.memory)
    profile.count(hardware?["number_processors"])
    profile.gpuCores = displays.flatMap(gpuCores)
    return profile
  }

  /// Count cores. "proc 8:4:4" lists all, the first tier's and the Efficiency tier's; from macOS 26
  /// a fourth number is the Performance tier of chips whose first tier is Super ("proc 18:6:0:12").
  /// A plain number (Intel, virtual machines, Rosetta) is the total.
  private mutating func count(_ processors: ToolValue?) {
    if let plain = processors?.integer {
      cores = plain > 0 ? plain : nil
      return
    }
    guard let text = processors?.text, text.hasPrefix("proc ") else { return }
    let parts = text.dropFirst(5).split(separator: ":", omittingEmptySubsequences: false)
    let counts = parts.compactMap { Int($0) }
    guard counts.count == parts.count, let total = counts.first, total > 0 else { return }
    cores = total
    let fourth = counts.count == 4 ? counts[3] : 0
    guard (3...4).contains(counts.count), counts.dropFirst().reduce(0, +) == total else { return }
    let first: String
    if fourth > 0 {
      first = "Super"
    } else if isOfFamily(1...4) {
      first = "Performance"
    } else {
      return
    }
    coreTiers = [(first, counts[1]), ("Performance", fourth), ("Efficiency", counts[2])]
      .filter { $0.1 > 0 }.map { CoreTier(name: $0.0, cores: $0.1) }
  }

  /// Whether the chip is of one of these generations, whose tiers Apple calls Performance and
  /// Efficiency. From M5 on the first tier's name varies.
  private func isOfFamily(_ generations: ClosedRange<Int>) -> Bool {
    guard let chip, chip.hasPrefix("Apple M"), !chip.contains("Virtual") else { return false }
    let generation = chip.dropFirst("Apple M".count).prefix { $0.isNumber }
    return Int(generation).map(generations.contains) ?? false
  }

  private static func gpuCores(_ displays: [ToolValue]) -> Int? {
    let counts = displays.compactMap { $0["sppci_cores"]?.integer }.filter { $0 > 0 }
    return counts.count == 1 ? counts.first : nil
  }

  /// Whether the text looks like "Mac16,11" or "iMacPro1,1".
  package static func isModel(_ text: String) -> Bool {
    guard let comma = text.firstIndex(of: ","), text.first?.isLetter == true else { return false }
    let minor = text[text.index(after: comma)...]
    let major = text[..<comma].reversed().prefix { $0.isNumber }
    return !minor.isEmpty && minor.allSatisfy(\.isNumber) && !major.isEmpty
      && text[..<comma].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
  }
}

extension HardwareProfile {
  /// Read the human-readable report. Its labels are localised, so values are recognised by their
  /// form. The model's name is on the line before its identifier.
  private static func read(text: String) -> HardwareProfile? {
    let lines = LabelledText(text).lines
    guard let place = lines.firstIndex(where: { isModel($0.value) }) else { return nil }
    var profile = HardwareProfile()
    profile.model = lines[place].value
    if place > 0, !Redacted.isPlaceholder(lines[place - 1].value) { profile.modelName = documentText(lines[place - 1].value) }
    for line in lines[(place + 1)...] {
      let value = line.value
      if profile.chip == nil, isChip(value) {
        profile.chip = KernelState.chip(value)
      } else if profile.memoryBytes == nil, isMemory(value) {
        profile.memoryBytes = Quantity.memory(value)
      } else if profile.cores == nil, profile.chip != nil {
        profile.count(text: value)
      }
    }
    return profile
  }

  /// Whether this is "Apple M5 Max", "Apple A18 Pro" or an Intel processor.
  private static func isChip(_ value: String) -> Bool {
    let words = value.split(separator: " ")
    let isApples = words.count > 1 && words[0] == "Apple" && words[1].first?.isUppercase == true && words[1].dropFirst().first?.isNumber == true
    return isApples || value.contains("Intel")
  }

  /// Whether this is a whole number of gigabytes: caches are smaller.
  private static func isMemory(_ value: String) -> Bool {
    guard value.first?.wholeNumberValue != nil, let bytes = Quantity.memory(value) else { return false }
    return bytes >= 1 << 30 && bytes % (1 << 30) == 0
  }

  /// Count cores in "10 (8 performance and 2 efficiency)". Names are localised; only English ones
  /// are Apple's tier names.
  private mutating func count(text: String) {
    let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
    guard text.first?.isNumber == true, let total = numbers.first, (1...1024).contains(total) else { return }
    let rest = text.drop { $0.isNumber }
    guard rest.isEmpty || ["(", "（"].contains(trimmed(rest).prefix(1)) else { return }
    cores = total
    let words = rest.split { !($0.isLetter || $0.isNumber) }.map(String.init)
    let tiers = zip(words, words.dropFirst()).compactMap { count, word -> CoreTier? in
      let name = word.lowercased().capitalized
      guard let cores = Int(count), cores > 0, ["Super", "Performance", "Efficiency"].contains(name)
      else { return nil }
      return CoreTier(name: name, cores: cores)
    }
    let isWhole = !tiers.isEmpty && tiers.reduce(0) { $0 + $1.cores } == total
    coreTiers = isWhole ? tiers : nil
  }
}

extension HardwareProfile {
  static let recordedHardware = Shape.fields([
    "machine_model": .text { isModel($0) ? $0 : nil }, "machine_name": .fact, "chip_type": .fact, "cpu_type": .fact,
    "physical_memory": .fact, "number_processors": .fact,
  ])
  static let recordedDisplays = Shape.fields([
    "sppci_cores": .fact,
    "spdisplays_ndrvs": .each(.either { display in
      .fields([
        "_name": DisplayNames.isWithoutCable(display) ? .nothing : .fact, "spdisplays_virtualdevice": .fact,
        "spdisplays_connection_type": .fact,
      ])
    }),
  ])

  private static let names: Set<String> = [
    "Mac", "MacBook", "MacBook Air", "MacBook Pro", "MacBook Neo", "Mac mini", "Mac Studio", "Mac Pro", "iMac", "iMac Pro",
  ]

  /// Recognise values by their form, whatever the language of their labels.
  static let recordedLine: @Sendable (Substring, String, StandIns) -> String? = { line, _, _ in
    guard let value = LabelledText(line).lines.first?.value else { return nil }
    let isName = names.contains(value) || value.hasPrefix("Apple Virtual Machine")
    let number = value.prefix { $0.isNumber }
    let isCount = (1...4).contains(number.count) && (value == number || trimmed(value.dropFirst(number.count)).first.map { "(（".contains($0) } == true)
    return isName || isModel(value) || isChip(value) || isMemory(value) || isCount ? "label: \(value)" : nil
  }
}
