import Administration
import Base
import Document
import LocalState
import Machine
import Measure

/// Announcement of a run before it starts.
enum Announcement {
  static func lines(_ planned: [PlannedRun], _ targets: [String: TargetRecord], isMac: Bool) -> [String] {
    var lines = planned.map { planned.count > 1 ? "\($0.title): \($0.announcement)" : $0.announcement }
    let paths = Set(planned.flatMap(\.paths)).sorted()
    for path in paths {
      guard let target = targets[path] else { continue }
      let place = paths.count > 1 ? " of \(path)" : ""
      lines.append("Storage\(place): \(RunReport.targetLine(target)).")
      let remounts = planned.contains { $0.remounts && $0.paths.contains(path) }
      if isMac, remounts, RemountableVolume.isOffered(by: target) {
        lines.append(
          "Its volume is remounted between writing and reading, unless it is in use; --no-remount keeps it mounted.")
      }
    }
    let (written, seconds) = cost(planned, targets)
    let writes = written > 0 ? "Writes \(Figures.bytes(written)) in total" : "Writes nothing to a drive"
    guard planned.allSatisfy(\.isTimed) else { return lines }
    return lines + ["\(writes); takes about \(Figures.duration(seconds))."]
  }

  /// What scheduled runs cost this machine in a week: said before the first one.
  static func line(of planned: [PlannedRun], _ interval: Schedule.Interval, _ session: Session) -> String {
    let (written, seconds) = cost(planned, targets(of: planned, MachineFacts.read(session.world), session))
    let runs = interval.runsPerWeek
    let writes = written > 0 ? "writes \(Figures.bytes(runs * written))" : "writes nothing to a drive"
    return "Each week this \(writes) and takes about \(Figures.duration(Double(runs) * seconds))."
  }

  /// The storage that these runs measure, by path.
  static func targets(
    of planned: [PlannedRun], _ facts: MachineFacts, _ session: Session
  ) -> [String: TargetRecord] {
    let key = session.identity.keyBytes
    return Dictionary(uniqueKeysWithValues: Set(planned.flatMap(\.paths)).map { path in
      (path, Target.probe(path, facts: facts, deviceKey: key, world: session.world))
    })
  }

  /// Bytes written, and estimated seconds.
  static func cost(_ planned: [PlannedRun], _ targets: [String: TargetRecord]) -> (Int, Double) {
    let seconds = planned.map { expected($0, targets) }.reduce(0, +)
    return (planned.map(\.bytesWritten).reduce(0, +), max(1, seconds))
  }

  /// Estimated seconds, a rough guide to how long to wait.
  private static func expected(_ run: PlannedRun, _ targets: [String: TargetRecord]) -> Double {
    let moving = run.paths.compactMap { targets[$0] }.map { Double(run.bytesMoved) / pace(of: $0) }.max()
    return run.seconds + (moving ?? 0)
  }

  /// Typical bytes per second of a kind of storage.
  private static func pace(of target: TargetRecord) -> Double {
    switch target.storage {
    case .internal, .thunderbolt5: 4e9
    case .thunderbolt3, .thunderbolt4, .usb4: 2e9
    case .usb3: 0.7e9
    case .internalHardDisk, .fusionDrive: 0.15e9
    case .sdCard, .network: 0.08e9
    default: 1e9
    }
  }
}
