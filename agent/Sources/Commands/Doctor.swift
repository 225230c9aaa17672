import Administration
import Base
import Document
import Foundation
import LocalState
import Machine
import Measure
import Upload

/// Checks of everything the agent depends on.
struct Doctor {
  let world: World
  let path: String

  struct Check: Encodable, Equatable {
    enum State: String, Encodable {
      case works, note, problem
    }

    let name: String
    let state: State
    let words: String
    /// How to fix it.
    var fix: String?
  }

  func checks() throws -> [Check] {
    let session: Session
    do { session = try Session(world) } catch let error as StateError { return [Self.trouble("state", error)] }
    let unanswered = Unanswered()
    var asking = world
    asking.run = { [run = world.run] tool, arguments, input in
      let answer = run(tool, arguments, input)
      unanswered.add(tool, arguments, answered: answer != nil)
      return answer
    }
    let facts = MachineFacts.read(asking)
    let target = Target.probe(path, facts: facts, deviceKey: session.identity.keyBytes, world: asking)
    var checks = state(session)
    checks.append(machine(facts))
    checks.append(world.isSimulated ? replies(unanswered.commands) : tools(unanswered.names))
    checks += [storage(target), space(target)]
    checks += preferences()
    checks += schedule()
    checks += try DoctorServer(session: session).checks()
    checks += [spool(session), power(facts)]
    return checks + conditions(facts, target)
  }

  private static func trouble(_ name: String, _ error: StateError) -> Check {
    Check(name: name, state: .problem, words: error.failure, fix: error.remedy)
  }

  /// Check every file that must be intact, besides the identity.
  private func state(_ session: Session) -> [Check] {
    let files: [() throws -> Void] = [
      { _ = try WrittenBytes(state: session.state).weeks() }, { _ = try Template.load(session.state) },
    ]
    let troubles = files.compactMap { file -> Check? in
      do { try file() } catch { return (error as? StateError).map { Self.trouble("state", $0) } }
      return nil
    }
    guard troubles.isEmpty else { return troubles }
    return [Check(name: "state", state: .works, words: "kept in \(session.state.path), made on this machine")]
  }

  /// Scheduled runs on other volumes, which macOS's privacy settings may block; empty if there are
  /// none.
  private func schedule() -> [Check] {
    guard world.system == .macOS, let job = try? ScheduledJob.here(world),
      job.scheduler.paths.contains(where: { world.readText($0)?.contains("<string>/Volumes/") == true })
    else { return [] }
    return [
      Check(
        name: "schedule", state: .note, words: "scheduled runs measure a volume under /Volumes, for which macOS asks permission",
        fix: "Nobody is there to answer: allow macmeter under Privacy & Security > Full Disk Access, or with a profile (docs/fleet-deployment.md).")
    ]
  }

  private func machine(_ facts: MachineFacts) -> Check {
    let known: [(String, Bool)] = [
      ("chip", facts.chip != nil), ("core tiers", facts.coreTiers != nil), ("memory", facts.memoryBytes != nil),
      ("system version", facts.environment.osVersion != nil),
    ]
    let unknown = known.filter { !$0.1 }.map(\.0)
    let name = [facts.modelName ?? facts.model, facts.chip, facts.environment.osVersion.map(RunReport.systemName)].compactMap { $0 }.joined(separator: ", ")
    guard !unknown.isEmpty else { return Check(name: "machine", state: .works, words: name) }
    return Check(
      name: "machine", state: .note, words: (name.isEmpty ? "" : name + "; ") + "unknown: " + unknown.joined(separator: ", "),
      fix: "You can still measure. What is unknown is left out of the runs.")
  }

  private func tools(_ missing: [String]) -> Check {
    switch world.system {
    case .macOS:
      guard !missing.isEmpty else { return Check(name: "tools", state: .works, words: "macOS's tools respond") }
      return Check(
        name: "tools", state: .note, words: "no answer from " + missing.joined(separator: ", "),
        fix: "They are part of macOS, in /usr/bin and /usr/sbin. Without them some facts stay unknown.")
    case .linux:
      let missing = ["mkfs.ext4", "losetup", "mount", "umount"].filter { world.run("which", [$0], nil)?.status != 0 }
      guard !missing.isEmpty else { return Check(name: "tools", state: .works, words: "all that disk images need are installed") }
      return Check(
        name: "tools", state: .note, words: "not installed: " + missing.joined(separator: ", "),
        fix: "Only `macmeter disk --image` needs them. To install: apt-get install e2fsprogs mount")
    }
  }

  /// For a replayed Mac: the commands a real one would run.
  private func replies(_ unlisted: [String]) -> Check {
    guard !unlisted.isEmpty else { return Check(name: "replies", state: .works, words: "every command is in the recording") }
    return Check(
      name: "replies", state: .note, words: "not in \(Replay.listName): " + unlisted.joined(separator: "; "),
      fix: "Without them some facts may stay unknown, unless another command also reports them.")
  }

  private func storage(_ target: TargetRecord) -> Check {
    guard target.storage == .other || target.doubt != nil else {
      return Check(name: "storage", state: .works, words: RunReport.targetLine(target))
    }
    return Check(
      name: "storage", state: .note,
      words: (target.storage == .other ? "the kind of storage is unknown" : RunReport.targetLine(target)) + (target.doubt.map { ": " + $0 } ?? ""),
      fix: "You can still measure; the storage is recorded as \"\(target.storage.rawValue)\". To have it recognised, run `macmeter doctor --record DIR` and send in the recording.")
  }

  private func space(_ target: TargetRecord) -> Check {
    guard let free = target.freeBytes, let capacity = target.capacityBytes else {
      return Check(name: "space", state: .note, words: "the free space is unknown")
    }
    let room = VolumeSpace(capacity: capacity, free: free)
    let words = "\(Figures.bytes(free)) free of \(Figures.bytes(capacity))"
    let needs = DiskPlan(method: .full, sets: GradedFiles.full.defaultSets, seed: 0, blockSize: 1 << 20, rest: 0).bytes
    if room.hasRoom(for: needs) { return Check(name: "space", state: .works, words: words) }
    let quick = DiskPlan(method: GradedFiles.quick, sets: 1, seed: 0, blockSize: 1 << 20, rest: 0).bytes
    let isEnough = room.hasRoom(for: quick)
    return Check(
      name: "space", state: isEnough ? .note : .problem, words: words,
      fix: "A full disk run writes \(Figures.bytes(needs)) and should leave \(Figures.bytes(room.reserve)). "
        + (isEnough ? "Use --quick or fewer --sets." : "Free some space, or measure another directory."))
  }

  /// Empty without preferences.
  private func preferences() -> [Check] {
    do {
      let preferences = try Preferences.read(world)
      guard preferences != Preferences() else { return [] }
      let managed = preferences.managed.keys.sorted()
      let words = managed.isEmpty ? "read" : "set by your administrator: " + managed.joined(separator: ", ")
      return [Check(name: "preferences", state: .works, words: words)]
    } catch {
      return [Check(name: "preferences", state: .problem, words: "\(error)", fix: "Nothing is measured or sent until this is corrected.")]
    }
  }

  private func spool(_ session: Session) -> Check {
    let entries = session.spool.entries([.pending, .quarantined])
    let pending = entries.filter { $0.state == .pending }
    let aside = entries.filter { $0.state == .quarantined }
    let damaged = pending.compactMap { session.spool.damage($0.id, .pending) }
    if let first = damaged.first {
      return Check(
        name: "runs", state: .problem, words: damaged.count == 1 ? first : "\(first), and \(damaged.count - 1) more like it",
        fix: "Restore it from a backup. Without one, `macmeter upload` puts it aside and uploads the others.")
    }
    if let last = aside.last {
      return Check(
        name: "runs", state: .note, words: "\(pending.count) waiting for upload, \(aside.count) put aside",
        fix: "`macmeter runs` lists them. Last reason: \(last.note.reason ?? "unknown").")
    }
    let reason = pending.compactMap(\.note.reason).last
    return Check(
      name: "runs", state: pending.isEmpty ? .works : .note, words: pending.isEmpty ? "none waiting for upload" : "\(pending.count) waiting for upload",
      fix: pending.isEmpty ? nil : (reason.map { "Last attempt: \($0). " } ?? "") + upload(session))
  }

  private func upload(_ session: Session) -> String {
    let canUpload = session.readableEnrolment != nil || Enroller.isPrepared(session)
    return canUpload ? "To upload now, run `macmeter upload`." : "To upload, choose a server first: `macmeter enroll --server URL`."
  }

  private func power(_ facts: MachineFacts) -> Check {
    guard let obstacle = PowerAccess.obstacle(facts, world) else {
      return Check(name: "power", state: .works, words: "`macmeter power` can sample this Mac")
    }
    return Check(name: "power", state: .note, words: obstacle.words, fix: obstacle.fix)
  }

  private func conditions(_ facts: MachineFacts, _ target: TargetRecord) -> [Check] {
    Preflight.warnings(facts, target: target).filter { $0.code != .storageUnclear }.map { warning in
      Check(name: "conditions", state: .note, words: warning.meaning, fix: warning.code.remedy)
    }
  }

  private final class Unanswered: @unchecked Sendable {
    private let lock = NSLock()
    private var tools: [String: Bool] = [:]
    private var missed: Set<String> = []
    var names: [String] { lock.withLock { tools.filter { !$0.value }.keys.sorted() } }
    var commands: [String] { lock.withLock { missed.sorted() } }

    /// A tool that answers at least one command is present.
    func add(_ tool: String, _ arguments: [String], answered: Bool) {
      lock.withLock {
        tools[tool] = tools[tool] == true || answered
        if !answered { missed.insert(([tool] + arguments).joined(separator: " ")) }
      }
    }
  }
}
