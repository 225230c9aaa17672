import Base
import Document

/// Conditions that make results less comparable, checked before a run. Pure.
package enum Preflight {
  /// Share of all cores in use above which a system counts as busy.
  static let busyLoad = 0.5

  package static func warnings(_ facts: MachineFacts, target: TargetRecord?) -> [Warning] {
    let environment = facts.environment
    var warnings: [Warning] = []
    if let load = facts.load, load > busyLoad {
      let share = Int((load * 100).rounded())
      warnings.append(Warning(.busySystem, "load over the last minute: \(share)% of all cores"))
    } else if let busy = environment.busy, !busy.isEmpty {
      let kinds = busy.map { kind in String(kind.map { $0 == "_" ? " " : $0 }) }
      warnings.append(Warning(.busySystem, kinds.joined(separator: ", ")))
    }
    if environment.powerSource == "battery" { warnings.append(Warning(.onBattery)) }
    if environment.powerMode == "low" { warnings.append(Warning(.lowPowerMode)) }
    // Each may report heat that the other doesn't; a weak battery also throttles the processor.
    let state = environment.thermalState.flatMap { $0 == "nominal" ? nil : "thermal state: \($0)" }
    let heat = [state, facts.limits].compactMap { $0 }
    if !heat.isEmpty { warnings.append(Warning(.hot, heat.joined(separator: "; "))) }
    if environment.rosetta == true { warnings.append(Warning(.rosetta)) }
    if let target, let capacity = target.capacityBytes, let free = target.freeBytes, free < capacity / 10 {
      warnings.append(Warning(.nearlyFull, "\(free / max(1, capacity / 100))% free"))
    }
    if let doubt = target?.doubt { warnings.append(Warning(.storageUnclear, documentText(doubt))) }
    if let target, let rate = negotiatedDown(target) { warnings.append(Warning(.linkNegotiatedDown, rate)) }
    if target != nil, environment.virtualMachine != nil { warnings.append(Warning(.hostCacheUnknown)) }
    return warnings
  }

  /// The rate of a Thunderbolt 3 or 4 link below its maximum: every such device can use all of it.
  /// What USB4 and USB devices can use is unknown.
  private static func negotiatedDown(_ target: TargetRecord) -> String? {
    let whole = 40e9
    guard [.thunderbolt3, .thunderbolt4].contains(target.storage), let speed = target.linkSpeed, speed < whole
    else { return nil }
    return "\(Figures.bitRate(speed)) of \(Figures.bitRate(whole))"
  }
}
