import Base
import Document
import Foundation
import MacTools

/// Builder of documents for runs that other tools measured.
package struct ImportedDocument {
  /// This machine's id.
  package let machineID: String
  package let facts: MachineFacts
  package let target: TargetRecord?
  package let labels: [String: String]?
  /// The machine's owner as given by the user; nil if the file decides.
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

  /// The server's size limit in bytes.
  static let longest = 8 << 20

  /// - Parameters:
  ///   - digest: digest of the file's bytes. The same file on the same machine always gives the
  ///     same id, so that importing it twice duplicates nothing.
  ///   - place: index of the run in the file, from 0.
  package func make(_ run: ImportedRun, digest: [UInt8], place: Int) throws -> RunDocument {
    let seed = "macmeter.import/1 \(machineID) \(place) ".utf8 + digest
    let owner = owner(of: run)
    let stated = run.stated
    let machine = machine(owner, stated)
    // This machine's present environment wasn't that of the measurement: only what the file says
    // counts.
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

  /// Warnings about macOS caching whatever the tool requests. Direct transfers use F_NOCACHE there,
  /// which keeps new pages out of the cache but still uses those already in it; smaller writes go
  /// through it.
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

  /// Drop the longest traces until the document fits the server's limit.
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
