import Formats
import Foundation

/// Current power flow, from `ioreg -w0 -rc AppleSmartBattery`. In volts, amperes, watts.
package struct BatteryTelemetry: Codable, Equatable, Sendable {
  package var voltage: Double?
  /// Current into the battery; negative while it discharges.
  package var current: Double?
  package var isCharging: Bool?
  package var isExternalConnected: Bool?
  package var cycles: Int?
  /// Power drawn by the whole Mac.
  package var systemPower: Double?
  /// Power from the charger.
  package var inputPower: Double?

  package static func read(_ data: Data) -> BatteryTelemetry? {
    if let value = ToolValue(data) { return (value.items.first ?? value).telemetry }
    let text = String(decoding: data, as: UTF8.self)
    guard let node = RegistryNode.find("AppleSmartBattery", in: text) else { return nil }
    var battery = BatteryTelemetry()
    battery.voltage = thousandth(node.integer("Voltage"))
    battery.current = thousandth(node.integer("InstantAmperage") ?? node.integer("Amperage"))
    battery.isCharging = node.boolean("IsCharging")
    battery.isExternalConnected = node.boolean("ExternalConnected")
    battery.cycles = node.integer("CycleCount")
    battery.systemPower = thousandth(node.integer("SystemLoad", inside: "PowerTelemetryData"))
    battery.inputPower = thousandth(node.integer("SystemPowerIn", inside: "PowerTelemetryData"))
    return battery.plausible()
  }

  fileprivate static func thousandth(_ value: Int?) -> Double? {
    value.map { Double($0) / 1000 }
  }

  /// Drop implausible sensor readings.
  fileprivate func plausible() -> BatteryTelemetry {
    var battery = self
    battery.voltage = voltage.flatMap { (0...60).contains($0) ? $0 : nil }
    battery.current = current.flatMap { (-50...50).contains($0) ? $0 : nil }
    battery.systemPower = systemPower.flatMap { (0...1000).contains($0) ? $0 : nil }
    battery.inputPower = inputPower.flatMap { (0...1000).contains($0) ? $0 : nil }
    battery.cycles = cycles.flatMap { (0...100_000).contains($0) ? $0 : nil }
    return battery
  }
}

extension ToolValue {
  /// The telemetry in `ioreg -a`.
  fileprivate var telemetry: BatteryTelemetry? {
    guard self["Voltage"] != nil || self["CycleCount"] != nil else { return nil }
    let flow = self["PowerTelemetryData"]
    return BatteryTelemetry(
      voltage: BatteryTelemetry.thousandth(self["Voltage"]?.integer),
      current: BatteryTelemetry.thousandth((self["InstantAmperage"] ?? self["Amperage"])?.integer),
      isCharging: self["IsCharging"]?.boolean, isExternalConnected: self["ExternalConnected"]?.boolean,
      cycles: self["CycleCount"]?.integer,
      systemPower: BatteryTelemetry.thousandth(flow?["SystemLoad"]?.integer),
      inputPower: BatteryTelemetry.thousandth(flow?["SystemPowerIn"]?.integer)
    ).plausible()
  }
}
