import Base
import Document
import Foundation
import MacTools

/// Makes the document of a run that another tool measured.
package struct ImportedDocument {
  /// This machine.
  package let machineID: String
  package let facts: MachineFacts
  package let target: TargetRecord?
  package let labels: [String: String]?
  /// Whose it is as the owner says; nil where that is left to the file.
  package let asked: ImportOwner?

  package init(
    machineID: String, facts: MachineFacts, target: TargetRecord?, labels: [String: String]?,
    asked: ImportOwner?
  ) {
    self.machineID = machineID
    self.facts = facts
    self.target = target
    self.labels = labels
    self.asked = asked
  }

  /// What a server takes.
  static let longest = 8 << 20

  /// - Parameters:
  ///   - digest: of the file's bytes. The same file on the same machine always gives the same id, so that
  ///     importing it twice doubles nothing.
  ///   - place: of the run in the file, from 0.
  package func make(_ run: ImportedRun, digest: [UInt8], place: Int) throws -> RunDocument {
    let seed = "macmeter.import/1 \(machineID) \(place) ".utf8 + digest
    let owner = owner(of: run)
    let stated = run.stated
    let machine = machine(owner, stated)
    // What surrounds this machine now did not surround the measurement: only what the file says counts.
    var environment = EnvironmentRecord()
    environment.osVersion = documentText(stated.osVersion)
    environment.osBuild = documentText(stated.osBuild)
    var target = target
    if case .this = owner {
      environment.virtualMachine = facts.environment.virtualMachine
    } else {
      target = nil
    }
    target?.freeBytes = nil
    target?.simultaneous = nil
    let warnings = run.warnings + cacheWarnings(run) + StorageLimit.warnings(run.series, on: target, chip: machine.chip)
    let document = RunDocument(
      id: RunIdentifier.make(from: SHA256.digest(of: Array(seed))), suite: run.suite, source: "imported", state: .complete,
      simulated: facts.isSimulated ? true : nil, tool: run.tool, method: run.method, startedAt: run.startedAt,
      finishedAt: run.finishedAt, agent: facts.agent, machine: machine,
      environment: environment == EnvironmentRecord() ? nil : environment, target: target, labels: labels,
      series: run.series, traces: run.traces.isEmpty ? nil : run.traces,
      warnings: warnings.isEmpty ? nil : warnings)
    return try Self.fitting(document)
  }

  /// What macOS does whatever a tool asks of it. F_NOCACHE, to which direct transfers come there, keeps
  /// new pages out of the cache and goes on using those that are in it; smaller writes go through it.
  private func cacheWarnings(_ run: ImportedRun) -> [Warning] {
    guard run.suite == "disk", (run.stated.system ?? ImportOwner.system(facts)) == SystemKind.macOS.rawValue,
      !run.warnings.contains(where: { $0.code == .cacheNotBypassed })
    else { return [] }
    var warnings: [Warning] = []
    if run.reads, !run.warnings.contains(where: { $0.code == .cacheStateUnstated }) {
      warnings.append(Warning(.cacheStateUnstated, "direct transfers on macOS still read what is already in memory"))
    }
    if let smallest = run.stated.smallestWrite, smallest < Self.leastDirectWrite {
      warnings.append(Warning(.writesMayBeCached, "macOS caches writes of less than 16 KiB"))
    }
    return warnings
  }

  private static let leastDirectWrite = 16384.0

  package func owner(of run: ImportedRun) -> ImportOwner { asked ?? .of(run, on: facts) }

  private func machine(_ owner: ImportOwner, _ stated: ImportedRun.Stated) -> MachineRecord {
    switch owner {
    case .this: return facts.record(id: machineID)
    case .unspecified:
      return MachineRecord(id: machineID, unspecified: true, model: documentText(stated.model), chip: documentText(stated.chip))
    case .other(let id): return MachineRecord(id: id, model: documentText(stated.model), chip: documentText(stated.chip))
    }
  }

  /// Without the longest traces where a server would not take it whole.
  private static func fitting(_ document: RunDocument) throws -> RunDocument {
    var document = document
    while try document.encoded().count > longest, var traces = document.traces, !traces.isEmpty {
      let longest = traces.indices.max { traces[$0].rows.count < traces[$1].rows.count } ?? 0
      let left = traces.remove(at: longest)
      document.traces = traces.isEmpty ? nil : traces
      let detail = "the \(left.kind) trace (\(left.rows.count) rows) is too long for a run"
      document.warnings = (document.warnings ?? []) + [Warning(.incomplete, detail)]
    }
    return document
  }
}
