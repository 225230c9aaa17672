import Base
import Formats
import Foundation

/// Whether Time Machine is backing up now, from `tmutil status`.
package struct BackupStatus: Codable, Equatable, Sendable {
  /// nil if the tool doesn't say.
  package var isRunning: Bool?
  /// Share done, 0...1; nil if unknown or not yet counted.
  package var progress: Double?

  /// Read the old-style list printed by default ("Running = 1;") or the XML of `-X`.
  package static func read(_ data: Data) -> BackupStatus {
    if let value = ToolValue(data), !value.entries.isEmpty, let running = value["Running"]?.boolean {
      return BackupStatus(isRunning: running, progress: share(value["Percent"]?.number))
    }
    var status = BackupStatus()
    for line in Lines.of(String(decoding: data, as: UTF8.self)) {
      guard let sign = line.firstIndex(of: "=") else { continue }
      let value = line[line.index(after: sign)...].filter { !" ;\"\t".contains($0) }
      switch line[..<sign].filter({ !" \"\t".contains($0) }) {
      case "Running": status.isRunning = YesNo.read(value)
      case "Percent": status.progress = status.progress ?? share(Double(value))
      default: continue
      }
    }
    return status
  }

  private static func share(_ number: Double?) -> Double? {
    number.flatMap { (0...1).contains($0) ? $0 : nil }
  }
}

extension BackupStatus {
  package static let recorded = Recorded(
    shape: .fields(["Running": .fact, "Percent": .fact]),
    line: { line, _, _ in
      guard let sign = line.firstIndex(of: "=") else { return nil }
      let name = line[..<sign].filter { !" \"\t".contains($0) }
      let value = line[line.index(after: sign)...].filter { !" ;\"\t".contains($0) }
      guard ["Running", "Percent"].contains(name), Double(value) != nil || YesNo.read(value) != nil else { return nil }
      return "    \(name) = \"\(value)\";"
    })
}

/// Spotlight's state from `mdutil -s -a`: whether volumes should be indexed, not whether indexing
/// is in progress.
package struct IndexingStatus: Codable, Equatable, Sendable {
  /// One for each volume, in the tool's order; volume names are private. nil for a state that is
  /// neither enabled nor disabled.
  package var isEnabled: [Bool?] = []

  package static func read(_ text: String) -> IndexingStatus {
    var status = IndexingStatus()
    for line in Lines.of(text) {
      let words = line.lowercased()
      guard words.contains("index") || words.contains("error:"), !line.hasPrefix("/") else { continue }
      if words.contains("indexing enabled") {
        status.isEnabled.append(true)
      } else if words.contains("disabled") {
        status.isEnabled.append(false)
      } else {
        status.isEnabled.append(nil)
      }
    }
    return status
  }
}

/// macOS's own background work in a process list (`ps -Acxo %cpu=,comm=`). Names of other processes
/// are never kept.
package enum BackgroundWork {
  private static let kinds = [
    "mds": "indexing", "mds_stores": "indexing", "mdworker": "indexing", "mdworker_shared": "indexing",
    "mdbulkimport": "indexing", "backupd": "backup", "photoanalysisd": "photo_analysis",
    "softwareupdated": "software_update", "mobileassetd": "software_update",
  ]

  /// Program names are private, except macOS's own.
  package static let recorded = Recorded(line: { line, _, _ in
    let words = line.split(maxSplits: 1) { $0.isWhitespace }
    guard words.count == 2, let share = Quantity.number(words[0]) else { return nil }
    let name = trimmed(words[1])
    return kinds[name] == nil ? " 0.0 process" : " \(share) \(name)"
  })

  /// The kinds that use more than a fifth of a core, sorted; nil if there is no list.
  package static func read(_ processes: String) -> [String]? {
    var shares: [String: Double] = [:]
    var seen = 0
    for line in Lines.of(processes) {
      let words = line.split(maxSplits: 1) { $0.isWhitespace }
      guard words.count == 2, let share = Quantity.number(words[0]) else { continue }
      seen += 1
      if let kind = kinds[trimmed(words[1])] { shares[kind, default: 0] += share }
    }
    return seen == 0 ? nil : shares.filter { $0.value > 20 }.keys.sorted()
  }
}
