import Foundation

/// Makes the document of a run that another tool measured.
struct ImportedDocument {
  let session: Session
  let facts: MachineFacts
  let target: TargetRecord?
  let labels: [String: String]?
  /// Whether the owner says that it was measured on another machine.
  let isFromElsewhere: Bool

  /// What a server takes.
  static let longest = 8 << 20

  /// - Parameters:
  ///   - digest: of the file's bytes. The same file on the same machine always gives the same id, so that
  ///     importing it twice doubles nothing.
  ///   - place: of the run in the file, from 0.
  func make(_ run: ImportedRun, digest: [UInt8], place: Int) throws -> RunDocument {
    let seed = "macmeter.import/1 \(session.identity.machineID) \(place) ".utf8 + digest
    let isOther = isOfAnotherMachine(run)
    let stated = run.stated
    var machine = facts.record(id: session.identity.machineID)
    if isOther {
      machine = MachineRecord(
        id: session.identity.machineID, unspecified: true, model: documentText(stated.model),
        chip: documentText(stated.chip))
    }
    // What surrounds this machine now did not surround the measurement: only what the file says counts.
    var environment = EnvironmentRecord()
    environment.osVersion = documentText(stated.osVersion)
    environment.osBuild = documentText(stated.osBuild)
    environment.virtualMachine = isOther ? nil : facts.environment.virtualMachine
    var target = target
    target?.freeBytes = nil
    target?.simultaneous = nil
    let document = RunDocument(
      id: RunIdentifier.make(from: SHA256.digest(of: Array(seed))), suite: run.suite, source: "imported", state: .complete,
      simulated: facts.isSimulated ? true : nil, tool: run.tool, method: run.method, startedAt: run.startedAt,
      finishedAt: run.finishedAt, agent: Agent.record(on: facts), machine: machine,
      environment: environment == EnvironmentRecord() ? nil : environment, target: target, labels: labels,
      series: run.series, traces: run.traces.isEmpty ? nil : run.traces,
      warnings: run.warnings.isEmpty ? nil : run.warnings)
    return try Self.fitting(document)
  }

  /// Whether the file names a Mac that this is not.
  func isOfAnotherMachine(_ run: ImportedRun) -> Bool {
    if isFromElsewhere { return true }
    // Only macOS is ever stated.
    let isMacs = run.stated.osVersion != nil || run.stated.osBuild != nil
    if isMacs, let platform = facts.platform, !platform.hasPrefix(SystemKind.macOS.rawValue) { return true }
    if let model = run.stated.model, model != facts.model { return true }
    return run.stated.chip.map { $0 != facts.chip } ?? false
  }

  /// Without the longest traces where a server would not take it whole.
  private static func fitting(_ document: RunDocument) throws -> RunDocument {
    var document = document
    while try document.encoded().count > longest, var traces = document.traces, !traces.isEmpty {
      let longest = traces.indices.max { traces[$0].rows.count < traces[$1].rows.count } ?? 0
      let left = traces.remove(at: longest)
      document.traces = traces.isEmpty ? nil : traces
      let detail = "the \(left.kind) trace of \(left.rows.count) rows is too long for a document"
      document.warnings = (document.warnings ?? []) + [Warning(.incomplete, detail)]
    }
    return document
  }
}
