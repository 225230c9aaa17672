import Base
import MacTools

/// Charge of the machine's own battery.
package enum BatteryCharge {
  /// 0...1; nil if there is no battery or its charge is unknown.
  package static func read(_ world: World) -> Double? {
    if let answer = world.run("pmset", ["-g", "batt"], nil) { return PowerState.read(answer.text).charge }
    let folder = "/sys/class/power_supply"
    let charges = world.list(folder).filter { name in
      world.readText("\(folder)/\(name)/type").map(trimmed) == "Battery"
        && world.readText("\(folder)/\(name)/scope").map(trimmed) != "Device"
    }.compactMap { world.readText("\(folder)/\($0)/capacity").map(trimmed).flatMap { Double($0) } }
    return charges.max().flatMap { (0...100).contains($0) ? $0 / 100 : nil }
  }
}
