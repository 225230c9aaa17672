import Formats
import Foundation

/// Battery, charger and power mode, from `system_profiler SPPowerDataType`.
package struct BatteryProfile: Codable, Equatable, Sendable {
  /// "ac" or "battery".
  package var source: String?
  /// 0...1.
  package var charge: Double?
  package var isCharging: Bool?
  package var cycles: Int?
  /// Full-charge capacity relative to a new battery's, 0...1.
  package var health: Double?
  /// Rated power of the charger, in watts.
  package var chargerPower: Double?

  package static func read(_ data: Data) -> BatteryProfile? {
    guard let sections = ProfilerItems.read("SPPowerDataType", in: data) else {
      return ToolValue(data) == nil ? read(text: String(decoding: data, as: UTF8.self)) : nil
    }
    var profile = BatteryProfile()
    for section in sections { profile.take(section) }
    return profile
  }

  private mutating func take(_ section: ToolValue) {
    for (name, key) in [("ac", "AC Power"), ("battery", "Battery Power")]
    where section[key]?["Current Power Source"]?.boolean == true {
      source = name
    }
    if let charge = section["sppower_battery_charge_info"] {
      self.charge = Self.share(charge["sppower_battery_state_of_charge"]?.number)
      isCharging = charge["sppower_battery_is_charging"]?.boolean
    }
    if let health = section["sppower_battery_health_info"] {
      cycles = health["sppower_battery_cycle_count"]?.bytes
      self.health = Self.share(health["sppower_battery_health_maximum_capacity"].flatMap(Self.percent))
    }
    if let watts = section["sppower_ac_charger_watts"]?.number, watts > 0 { chargerPower = watts }
  }

  private static func percent(_ value: ToolValue) -> Double? {
    value.number ?? value.text.flatMap { Quantity.number($0.filter { $0 != "%" }) }
  }

  private static func share(_ percent: Double?) -> Double? {
    percent.flatMap { (0...100).contains($0) ? $0 / 100 : nil }
  }

  /// Read the human-readable report, in English. Older ones give the charge in mAh.
  private static func read(text: String) -> BatteryProfile? {
    let lines = LabelledText(text)
    guard lines.lines.contains(where: { $0.label == "Power" || $0.label == "Battery Information" })
    else { return nil }
    var profile = BatteryProfile()
    var section = ""
    for line in lines.lines {
      if line.value.isEmpty { section = line.label }
      if line.label == "Current Power Source", YesNo.read(line.value) == true {
        profile.source = ["AC Power": "ac", "Battery Power": "battery"][section]
      }
    }
    let remaining = lines["Charge Remaining (mAh)"].flatMap(Quantity.number)
    let full = lines["Full Charge Capacity (mAh)"].flatMap(Quantity.number)
    if let remaining, let full, full > 0 {
      profile.charge = share(remaining / full * 100)
    } else {
      profile.charge = share(lines["State of Charge (%)"].flatMap(Quantity.number))
    }
    profile.isCharging = lines["Charging"].flatMap(YesNo.read)
    profile.cycles = lines["Cycle Count"].flatMap { Int($0) }
    profile.health = share(lines["Maximum Capacity"].flatMap { percent(.string($0)) })
    profile.chargerPower = lines["Wattage (W)"].flatMap(Quantity.number)
    return profile
  }
}
