import Administration
import Base
import Document
import Foundation
import LocalState
import Machine
import Measure
import Upload

/// The steps shared by measuring commands once they know what to measure: report doubtful
/// conditions and what will be written, check that this is safe, measure, spool each run, show it,
/// and upload.
struct Measuring {
  private let planned: [PlannedRun]
  private let invocation: Invocation
  private let labels: [String: String]?
  private let session: Session
  private let preferences: Preferences
  private let facts: MachineFacts
  /// Targets by path.
  private let targets: [String: TargetRecord]

  static let label = Option(
    name: "label", value: "KEY=VALUE", repeats: true, help: "a label for the run, shown with it; repeatable")

  /// Options of every measuring command.
  static let options = [
    label,
    Option(name: "strict", help: "refuse to measure under doubtful conditions"),
  ] + Care.options + [
    Option(name: "discard-incomplete", help: "discard a run that was stopped"),
    Option(name: "no-upload", help: "keep the run for a later `macmeter upload`"),
    Command.json,
  ]

  /// - Parameter carriesOn: whether later runs still start after one fails.
  static func run(
    _ planned: [PlannedRun], _ invocation: Invocation, _ world: World, carriesOn: Bool = false
  ) throws -> ExitCode {
    try Measuring(planned, invocation, world).run(carriesOn: carriesOn)
  }

  private init(_ planned: [PlannedRun], _ invocation: Invocation, _ world: World) throws {
    self.planned = planned
    self.invocation = invocation
    preferences = try Preferences.read(world)
    labels = try invocation.labels(preferences, world)
    session = try Session(world)
    let facts = MachineFacts.read(world)
    self.facts = facts
    targets = Announcement.targets(of: planned, facts, session)
  }

  private func run(carriesOn: Bool) throws -> ExitCode {
    let terminal = session.world.terminal
    if let obstacle = planned.lazy.compactMap(obstacle).first {
      terminal.say("macmeter: \(obstacle)")
      return .failure
    }
    guard let machine = FileLock(session.state.path("measuring.lock")), let locks = locks() else {
      terminal.say("macmeter: another macmeter is measuring here. Wait until it has finished: two at once slow each other down.")
      return .alreadyRunning
    }
    return try withExtendedLifetime((machine, locks)) { try run(locks, carriesOn: carriesOn) }
  }

  /// Measure while holding the locks.
  private func run(_ locks: [FileLock], carriesOn: Bool) throws -> ExitCode {
    let terminal = session.world.terminal
    let found = warnings(of: planned.flatMap(\.paths))
    RunReport.warningLines(found).forEach(terminal.say)
    if invocation.has("strict"), let doubtful = Self.strictObjection(found) {
      terminal.say("macmeter: not measured because of --strict: \(doubtful)")
      return .doubtfulConditions
    }
    Announcement.lines(planned, targets, isMac: session.world.system == .macOS).forEach(terminal.say)
    var allowed: [Care.Objection] = []
    let care = Care(
      planned: planned, targets: targets, facts: facts, session: session, preferences: preferences)
    for objection in try care.objections() {
      guard let option = objection.allowedBy, invocation.has(option) else {
        terminal.say("macmeter: \(objection.sentence)")
        return objection.code
      }
      allowed.append(objection)
    }
    for directory in directories { TestDirectory.removeLeftovers(in: directory, world: session.world) }
    try care.count()
    return try measure(found, allowed: allowed, locks, carriesOn: carriesOn)
  }

  /// Why a run can't create its test files, or read the file it was given.
  private func obstacle(_ run: PlannedRun) -> String? {
    for path in run.paths {
      if run.bytesWritten > 0, access(path, R_OK | W_OK | X_OK) != 0 {
        return "cannot create test files in \(path): \(String(cString: strerror(errno))). Choose another directory."
      }
      if access(path, R_OK) != 0 { return "cannot read \(path): \(String(cString: strerror(errno)))" }
    }
    return nil
  }

  /// The reason --strict refuses. In a virtual machine the host's cache is always unknown; that
  /// alone isn't one.
  private static func strictObjection(_ warnings: [Warning]) -> String? {
    let doubtful = warnings.filter { $0.code != .hostCacheUnknown }
    return doubtful.isEmpty ? nil : doubtful.map(\.code.meaning).joined(separator: "; ")
  }

  /// Warnings for these paths, each once; without paths, those of the machine.
  private func warnings(of paths: [String]) -> [Warning] {
    let all = paths.isEmpty
      ? Preflight.warnings(facts, target: nil)
      : paths.flatMap { Preflight.warnings(facts, target: targets[$0]) }
    var each: [Warning] = []
    for warning in all where !each.contains(warning) { each.append(warning) }
    return each
  }

  private var directories: [String] { Set(planned.flatMap(\.directories)).sorted() }

  /// Locks on every directory; nil if another run holds one.
  private func locks() -> [FileLock]? {
    let held = directories.compactMap(FileLock.init)
    return held.count == directories.count ? held : nil
  }

  private func measure(
    _ said: [Warning], allowed: [Care.Objection], _ locks: [FileLock], carriesOn: Bool
  ) throws -> ExitCode {
    let terminal = session.world.terminal
    var kept: [String] = []
    var failed: [String] = []
    var hasRoom = true
    for (index, run) in planned.enumerated() {
      if planned.count > 1 { terminal.say("\(index + 1) of \(planned.count): \(run.title)") }
      let context = RunContext(
        session: session, facts: facts, targets: run.paths.compactMap { targets[$0] }, labels: labels,
        preflight: warnings(of: run.paths)
          + allowed.filter { $0.run == nil || $0.run == run.title }.compactMap(\.warning),
        locks: locks)
      var measured: [MeasuredRun] = []
      do {
        measured = try run.perform(context)
      } catch is Interrupted {
        terminal.say("Stopped before anything was measured\(removed).")
        return .interrupted
      } catch {
        guard carriesOn else { throw error }
        terminal.say("macmeter: \(run.title): \(error)")
        failed.append(run.title)
      }
      for case .failed(let why) in measured.prefix(1).map(\.ending) { terminal.say("macmeter: \(run.title): \(why)") }
      let places = try measured.map { try keep($0, said: said) }
      kept += zip(measured, places).filter { $1 == .spool }.map(\.0.document.id)
      if places.contains(.elsewhere) { hasRoom = false }
      if !places.isEmpty, places.allSatisfy({ $0 == .nowhere }) { terminal.say("Nothing was kept\(removed).") }
      // A run on several targets ends on all of them at once, so the last one is enough.
      guard let last = measured.last, last.ending != .complete else { continue }
      if last.ending == .interrupted {
        if !kept.isEmpty { terminal.say("The next upload sends what was kept; `--discard-incomplete` keeps no stopped runs.") }
        return .interrupted
      }
      guard carriesOn else { return last.failure }
      failed.append(run.title)
    }
    if !failed.isEmpty { terminal.say("Not completed: \(failed.joined(separator: ", ")).") }
    guard !kept.isEmpty || hasRoom else { return .failure }
    let sent = try Self.upload(kept, invocation, session)
    return failed.isEmpty && hasRoom ? sent : .failure
  }

  private var removed: String { planned.contains { $0.bytesWritten > 0 } ? "; test files were removed" : "" }

  private enum Kept { case spool, elsewhere, nowhere }

  /// Spool a run and show it. A run that measured nothing is discarded.
  private func keep(_ measured: MeasuredRun, said: [Warning]) throws -> Kept {
    let terminal = session.world.terminal
    let document = measured.document
    let complete = measured.ending == .complete
    guard !document.series.isEmpty, complete || !invocation.has("discard-incomplete") else { return .nowhere }
    let bytes = try document.encoded()
    var trouble: (any Error)?
    do { try session.spool.add(bytes, id: document.id) } catch { trouble = error }
    if !complete, trouble == nil {
      terminal.say("Kept as an incomplete run\(removed): \(document.id)")
    }
    if invocation.has("json") {
      terminal.print(String(decoding: bytes, as: UTF8.self))
    } else {
      RunReport.lines(measured, said: said, terminal).forEach(terminal.print)
    }
    guard let trouble else { return .spool }
    terminal.say("macmeter: this run could not be kept as usual: \(trouble)")
    keepElsewhere(bytes, id: document.id)
    return .elsewhere
  }

  /// Save the run anywhere there is room, so that one full disk doesn't lose it.
  private func keepElsewhere(_ bytes: Data, id: String) {
    let terminal = session.world.terminal
    if let file = Spool.keepElsewhere(bytes, id: id, in: directories + [NSTemporaryDirectory()]) {
      terminal.say("It is in \(file) instead. Free some space, then run `macmeter upload \(file)`.")
      return
    }
    terminal.say("There is no room anywhere else either. This is the run: save it as a file, free some space, then run `macmeter upload FILE`.")
    if !invocation.has("json") { terminal.print(String(decoding: bytes, as: UTF8.self)) }
  }

  /// The last step of every command that spools runs: upload them, or say why not.
  static func upload(_ kept: [String], _ invocation: Invocation, _ session: Session) throws -> ExitCode {
    let terminal = session.world.terminal
    guard !kept.isEmpty else { return .failure }
    guard !invocation.has("no-upload") else {
      terminal.say("Kept, not uploaded. `macmeter upload` sends \(kept.count == 1 ? "it" : "them").")
      return .success
    }
    guard try session.enrolment != nil || Enroller.isPrepared(session) else {
      terminal.say("Kept, not uploaded: this machine is not enrolled. Run `macmeter enroll`, then `macmeter upload`.")
      return .success
    }
    return try UploadCommand.upload(session, highlight: kept)
  }
}
