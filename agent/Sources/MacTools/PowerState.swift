import Base
import Formats

/// Power source and remaining charge, from `pmset -g batt`.
package struct PowerState: Codable, Equatable, Sendable {
  /// "ac", "battery" or "ups".
  package var source: String?
  /// Charge of the internal battery, 0...1.
  package var charge: Double?
  package var isCharging: Bool?

  package static func read(_ text: String) -> PowerState {
    var state = PowerState()
    for line in Lines.of(text) {
      if line.contains("drawing from") { state.source = source(line) }
      guard state.charge == nil, line.contains("InternalBattery"),
        let percent = line.firstIndex(of: "%")
      else { continue }
      let digits = String(line[..<percent].reversed().prefix { $0.isNumber }.reversed())
      state.charge = Double(digits).flatMap { $0 <= 100 ? $0 / 100 : nil }
      state.isCharging = isCharging(line[percent...])
    }
    return state
  }

  private static func source(_ line: Substring) -> String? {
    if line.contains("'AC Power'") { return "ac" }
    if line.contains("'Battery Power'") { return "battery" }
    return line.contains("'UPS Power'") ? "ups" : nil
  }

  private static func isCharging(_ rest: Substring) -> Bool? {
    let words = rest.split(separator: ";").map(trimmed)
    if words.contains(where: { $0.hasPrefix("not charging") }) { return false }
    if words.contains("charging") || words.contains("finishing charge") { return true }
    return words.contains("discharging") || words.contains("charged") ? false : nil
  }
}

extension PowerState {
  /// Drop battery ids and the names that owners give to UPS devices.
  package static let recorded = Recorded(line: { line, _, _ in
    if line.contains("drawing from") {
      let named = ["AC Power", "Battery Power", "UPS Power"].first { line.contains("'\($0)'") }
      return "Now drawing from" + (named.map { " '\($0)'" } ?? "")
    }
    let state = read(String(line))
    guard let charge = state.charge else { return nil }
    let words = state.isCharging.map { $0 ? "charging; " : "discharging; " } ?? ""
    return " -InternalBattery-0 (id=0)\t\(Int((charge * 100).rounded()))%; \(words)0:00 remaining present: true"
  })
}

/// The power mode, from `pmset -g` or `pmset -g custom`.
package struct PowerMode: Codable, Equatable, Sendable {
  /// The mode in use, "automatic", "low" or "high"; only plain `pmset -g` reports it.
  package var inUse: String?
  /// The mode set for each source ("ac", "battery", "ups"), from `pmset -g custom`.
  package var bySource: [String: String]?

  package static func read(_ text: String) -> PowerMode {
    var settings: [String: [String: String]] = [:]
    var section = "inUse"
    for line in Lines.of(text) {
      let words = line.split { $0.isWhitespace }
      if let name = sectionName(line) {
        section = name
      } else if words.count >= 2 {
        settings[section, default: [:]][words[0].lowercased()] = String(words[1])
      }
    }
    let modes = settings.compactMapValues(mode)
    let sources = modes.filter { $0.key != "inUse" }
    return PowerMode(inUse: modes["inUse"], bySource: sources.isEmpty ? nil : sources)
  }

  /// The mode used with that source.
  package func mode(source: String?) -> String? {
    inUse ?? source.flatMap { bySource?[$0] }
  }

  private static func sectionName(_ line: Substring) -> String? {
    switch trimmed(line) {
    case "AC Power:": "ac"
    case "Battery Power:": "battery"
    case "UPS Power:": "ups"
    case "Currently in use:", "System-wide power settings:": "inUse"
    default: nil
    }
  }

  /// Read the mode. A Mac has either powermode (0 automatic, 1 low, 2 high) or lowpowermode, with
  /// the same numbers, with or without highpowermode.
  private static func mode(_ settings: [String: String]) -> String? {
    let names = ["0": "automatic", "1": "low", "2": "high"]
    if let mode = settings["powermode"] { return names[mode] }
    if settings["highpowermode"] == "1" { return "high" }
    return settings["lowpowermode"].flatMap { names[$0] }
  }
}

extension PowerMode {
  /// Keep only modes: the list also names programs that keep the Mac awake.
  package static let recorded = Recorded(line: { line, _, _ in
    if sectionName(line) != nil { return trimmed(line) }
    let words = line.split { $0.isWhitespace }
    guard words.count >= 2, ["powermode", "lowpowermode", "highpowermode"].contains(words[0].lowercased()), Int(words[1]) != nil
    else { return nil }
    return " \(words[0]) \(words[1])"
  })
}

/// Limits that macOS imposes on itself, mostly because of heat, from `pmset -g therm`. Apple
/// silicon seldom reports any.
package struct ThermalLimits: Codable, Equatable, Sendable {
  /// Allowed share of full speed, 0...1.
  package var speedLimit: Double?
  /// Share of processor time that is scheduled, 0...1.
  package var schedulerLimit: Double?
  package var availableProcessors: Int?
  /// Whether a warning level was recorded; nil if the tool doesn't say.
  package var isWarning: Bool?

  /// Read the limits; of several notices the last one applies.
  package static func read(_ text: String) -> ThermalLimits {
    var limits = ThermalLimits()
    for line in Lines.of(text) {
      let sign = line.firstIndex(of: "=")
      let value = sign.flatMap { Int(trimmed(line[line.index(after: $0)...])) }.flatMap { $0 >= 0 ? $0 : nil }
      let words = line.lowercased()
      if words.contains("thermal warning level"), let isWarning = isWarning(words, level: value) {
        limits.isWarning = isWarning
      }
      guard let sign else { continue }
      switch trimmed(line[..<sign]) {
      case "CPU_Speed_Limit": limits.speedLimit = share(value) ?? limits.speedLimit
      case "CPU_Scheduler_Limit": limits.schedulerLimit = share(value) ?? limits.schedulerLimit
      case "CPU_Available_CPUs": limits.availableProcessors = value ?? limits.availableProcessors
      default: continue
      }
    }
    return limits
  }

  /// Parse "No thermal warning level has been recorded" or a level: 0 is normal, 255 unknown.
  private static func isWarning(_ words: String, level: Int?) -> Bool? {
    guard !words.contains("no thermal warning level") else { return false }
    return level == 255 ? nil : level != 0
  }

  private static func share(_ percent: Int?) -> Double? {
    percent.flatMap { $0 <= 100 ? Double($0) / 100 : nil }
  }

  /// The limits in words; nil if there are none.
  package func words(processors: Int?) -> String? {
    func limit(_ share: Double?, _ words: (Int) -> String) -> String? {
      share.flatMap { $0 < 1 ? words(Int(($0 * 100).rounded())) : nil }
    }
    var parts = [
      limit(speedLimit) { "processor held to \($0)% of its speed" }, limit(schedulerLimit) { "\($0)% of its time given out" },
    ].compactMap { $0 }
    if let available = availableProcessors, let processors, available < processors {
      parts.append("\(available) of \(processors) processors in use")
    }
    if parts.isEmpty, isWarning == true { parts = ["thermal warning recorded"] }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}

extension ThermalLimits {
  package static let recorded = Recorded(line: { line, _, _ in
    let limits = read(String(line))
    func percent(_ share: Double) -> Int { Int((share * 100).rounded()) }
    if let share = limits.speedLimit { return "\tCPU_Speed_Limit \t= \(percent(share))" }
    if let share = limits.schedulerLimit { return "\tCPU_Scheduler_Limit \t= \(percent(share))" }
    if let count = limits.availableProcessors { return "\tCPU_Available_CPUs \t= \(count)" }
    return limits.isWarning.map { $0 ? "Thermal Warning Level = 1" : "Note: No thermal warning level has been recorded" }
  })
}

/// The power adapter, from `pmset -g ac`.
package struct PowerAdapter: Codable, Equatable, Sendable {
  /// Rated power in watts.
  package var power: Double?
  /// In volts.
  package var voltage: Double?
  /// In amperes.
  package var current: Double?

  package static func read(_ text: String) -> PowerAdapter {
    var adapter = PowerAdapter()
    for line in Lines.of(text) {
      guard let sign = line.firstIndex(of: "=") else { continue }
      let value = line[line.index(after: sign)...].lowercased()
      let amount = Double(trimmed(value.filter { !$0.isLetter }))
      switch trimmed(line[..<sign]) {
      case "Wattage": adapter.power = amount
      case "Voltage": adapter.voltage = amount.map { value.contains("mv") ? $0 / 1000 : $0 }
      case "Current": adapter.current = amount.map { value.contains("ma") ? $0 / 1000 : $0 }
      default: continue
      }
    }
    return adapter
  }
}
