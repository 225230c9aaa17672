import Document
import Foundation
import LocalState
import MacTools
import Machine

/// The suite's own part of a run's document.
package struct RunContent {
  let suite: String
  let method: MethodRecord
  let target: TargetRecord?
  let series: [Series]
  let traces: [Trace]?

  package init(
    suite: String, method: MethodRecord, target: TargetRecord? = nil, series: [Series], traces: [Trace]? = nil
  ) {
    self.suite = suite
    self.method = method
    self.target = target
    self.series = series
    self.traces = traces
  }
}

/// The part of a run common to every suite: its id, when it began, on which machine and in which
/// environment, and what happened meanwhile.
package struct RunFrame {
  package let id: String
  package let facts: MachineFacts
  package let labels: [String: String]?
  /// Warnings found before the run.
  let preflight: [Warning]
  package let session: Session
  private let started: Date
  private let startedMonotonic: UInt64

  /// Start the run.
  package init(facts: MachineFacts, labels: [String: String]?, preflight: [Warning], session: Session) {
    self.facts = facts
    self.labels = labels
    self.preflight = preflight
    self.session = session
    started = session.world.wallClock()
    startedMonotonic = session.world.monotonic()
    id = RunIdentifier.make(at: started, random: session.world.randomBytes(10))
  }

  /// End the run and return its document.
  package func document(_ content: RunContent, ending: RunEnding, warnings: [Warning]) -> RunDocument {
    let world = session.world
    // A clock set back during the run must not make it end before it began.
    let finished = max(started, world.wallClock())
    var all = preflight + warnings + StorageLimit.warnings(content.series, on: content.target, chip: facts.chip)
    let awake = Double(world.monotonic() - startedMonotonic) / 1e9
    if finished.timeIntervalSince(started) - awake > 5 { all.append(Warning(.slept)) }
    let power = MachineFacts.powerSource(world)
    if power != facts.environment.powerSource { all.append(Warning(.powerSourceChanged)) }
    return RunDocument(
      id: id, suite: content.suite, source: "measured", state: ending == .complete ? .complete : .incomplete,
      simulated: facts.isSimulated ? true : nil,
      method: content.method, startedAt: Timestamp(started), finishedAt: Timestamp(finished),
      agent: facts.agent, machine: facts.record(id: session.identity.machineID),
      environment: facts.environment, target: content.target, labels: labels, series: content.series,
      traces: content.traces, warnings: all.isEmpty ? nil : all)
  }

  /// Call `body` with a test directory of the run's own in `path`, and remove it and its contents
  /// however `body` ends; a killed run's is removed at the next start.
  func inTestDirectory<Value>(of path: String, _ body: (TestDirectory) throws -> Value) throws -> Value {
    let scratch = Scratch(state: session.state)
    try scratch.register(TestDirectory.path(in: path, id: id), id: id)
    defer { scratch.end(id, world: session.world) }
    let directory = try TestDirectory(in: path, id: id)
    defer { directory.remove() }
    return try body(directory)
  }
}
