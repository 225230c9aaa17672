import Administration
import Base
import Document
import LocalState
import Machine

/// Objections to a run that protect the owner's drive, battery and data.
struct Care {
  let planned: [PlannedRun]
  /// Targets by path.
  let targets: [String: TargetRecord]
  let facts: MachineFacts
  let session: Session
  let preferences: Preferences

  /// A reason not to measure.
  struct Objection {
    let code: ExitCode
    /// The reason, and what to do.
    let sentence: String
    /// The option that overrides it; nil if nothing may.
    let allowedBy: String?
    /// The warning added to the document if overridden, unless it is recorded anyway.
    let warning: Warning?
    /// The title of the run it concerns; nil for all.
    var run: String?
  }

  /// The options that overrule an objection.
  static let options = [
    Option(name: "allow-low-space", help: "measure even if this leaves little free space"),
    Option(name: "allow-battery", help: "measure even if the battery is low"),
    Option(name: "allow-backup", help: "measure even during a Time Machine backup"),
    Option(name: "ignore-limit", help: "measure even beyond the weekly limit on bytes written"),
  ]

  /// Minimum battery charge to measure, as a share of 1.
  static let leastCharge = 0.2

  /// Most urgent first.
  func objections() throws -> [Objection] {
    let shortages = planned.flatMap { run in
      run.paths.compactMap { targets[$0] }.compactMap { shortage(run, $0) }
    }
    return try shortages + [battery(), backup(), limit()].compactMap { $0 }
  }

  /// Add the bytes that the runs plan to write to the weekly count.
  func count() throws {
    try WrittenBytes(state: session.state).add(bytesWritten, at: session.world.wallClock())
  }

  private var bytesWritten: Int { planned.map(\.bytesWritten).reduce(0, +) }

  private func shortage(_ run: PlannedRun, _ target: TargetRecord) -> Objection? {
    guard run.bytesNeeded > 0, let capacity = target.capacityBytes, let free = target.freeBytes else {
      return nil
    }
    let space = VolumeSpace(capacity: capacity, free: free)
    guard !space.hasRoom(for: run.bytesNeeded) else { return nil }
    let shortage = "\(Figures.bytes(free)) free, but \(run.title) needs \(Figures.bytes(run.bytesNeeded)) "
      + "and should leave \(Figures.bytes(space.reserve))"
    // What doesn't fit fails in the middle, whatever is allowed.
    let advice = run.bytesNeeded > free
      ? "Free some space, write less, or measure in a directory of a larger volume."
      : "Free some space, write less, or use --allow-low-space."
    return Objection(
      code: .spaceShort, sentence: "\(shortage). \(advice)",
      allowedBy: "allow-low-space", warning: Warning(.lowSpaceAllowed, shortage), run: run.title)
  }

  private func battery() -> Objection? {
    guard facts.environment.powerSource == "battery", let charge = BatteryCharge.read(session.world),
      charge < Self.leastCharge
    else { return nil }
    let left = "the battery is at \(Int((charge * 100).rounded()))%"
    return Objection(
      code: .batteryLow, sentence: "\(left). Connect power, or use --allow-battery.",
      allowedBy: "allow-battery", warning: nil)
  }

  private func backup() -> Objection? {
    guard facts.environment.busy?.contains("backup") == true else { return nil }
    return Objection(
      code: .backupRunning,
      sentence: "Time Machine is backing up. Wait until it has finished, or use --allow-backup.",
      allowedBy: "allow-backup", warning: nil)
  }

  private func limit() throws -> Objection? {
    guard let limit = preferences.bytesPerWeek, bytesWritten > 0 else { return nil }
    let written = try WrittenBytes(state: session.state).inWeek(of: session.world.wallClock())
    guard written > limit - bytesWritten else { return nil }
    let sentence = "runs have written \(Figures.bytes(written)) since Monday, and "
      + "\(Figures.bytes(bytesWritten)) more would exceed the weekly limit of \(Figures.bytes(limit))"
    if let place = preferences.managed["bytes_per_week"] {
      return Objection(
        code: .limitReached, sentence: "\(sentence) set in \(place).", allowedBy: nil, warning: nil)
    }
    return Objection(
      code: .limitReached, sentence: "\(sentence). Wait until Monday, or use --ignore-limit.",
      allowedBy: "ignore-limit", warning: nil)
  }
}
