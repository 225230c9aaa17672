import Base
import Document
import Imports
import Measure

/// Report of a file's imported runs: what was read, and what the file leaves open.
enum ImportReport {
  static func lines(
    _ documents: [RunDocument], of runs: [ImportedRun], file: String, _ maker: ImportedDocument, _ terminal: Terminal
  ) -> [String] {
    let tools = unique(documents.compactMap { [$0.tool?.name, $0.tool?.version].compactMap { $0 }.joined(separator: " ") })
    var lines = ["", terminal.bold(file) + "   " + tools.joined(separator: ", ")]
    if let target = documents.first?.target { lines.append(RunReport.targetLine(target)) }
    var table = TextTable(headings: ["Test", "", "", ""], alignments: [.left, .left, .left, .left])
    for document in documents {
      var rows = document.series.map { [$0.metric.title, parameters($0), value($0)] }
      rows += (document.traces ?? []).map { [$0.kind + " over time", "", "\($0.rows.count) row\($0.rows.count == 1 ? "" : "s")"] }
      table.rows += rows.enumerated().map { place, row in [place == 0 ? document.method.name : ""] + row }
    }
    lines += table.lines()
    lines += unique(documents.compactMap(averaged))
    let owners = runs.map(maker.owner)
    let isThis = owners.contains { if case .this = $0 { true } else { false } }
    let untold = unique(documents.flatMap(untold)) + storage(documents, runs, isThis: isThis)
    if !untold.isEmpty { lines.append("The file does not say: \(untold.joined(separator: ", ")).") }
    lines += unique(owners.map(machine))
    return lines + RunReport.warningLines(
      warnings(documents), importedFrom: documents.first?.tool?.name, emphasis: terminal.bold)
  }

  private static func unique(_ texts: [String]) -> [String] {
    texts.enumerated().filter { place, text in texts.firstIndex(of: text) == place }.map(\.element)
  }

  private static func warnings(_ documents: [RunDocument]) -> [Warning] {
    documents.flatMap { $0.warnings ?? [] }.reduce(into: []) { each, warning in
      if !each.contains(warning) { each.append(warning) }
    }
  }

  private static func parameters(_ series: Series) -> String {
    (series.parameters ?? [:]).sorted { $0.key < $1.key }.map { name, value in
      let name = spaced(name)
      return switch value {
      case .text(let text): series.metric == .diskLatency ? spaced(text) : text
      case .integer(let bytes) where name == "file size": "files of \(Figures.bytes(bytes))"
      case .integer(let number): "\(name) \(number)"
      case .number(let number): "\(name) \(Figures.significant(number, 3))"
      case .boolean(let flag): "\(name) \(flag)"
      case .missing: name
      }
    }.joined(separator: ", ")
  }

  private static func spaced(_ name: String) -> String { String(name.map { $0 == "_" ? " " : $0 }) }

  private static func value(_ series: Series) -> String {
    guard let median = Robust.median(series.values) else { return "" }
    let name = series.metric.rawValue
    let figure: String
    if name.hasPrefix("disk."), name != Metric.diskLatency.rawValue {
      figure = "\(Figures.significant(median / 1e6, 4)) MB/s"
    } else if series.metric == .diskLatency {
      figure = "\(Figures.significant(median * 1e6, 3)) µs"
    } else if series.metric == .workloadDuration {
      figure = "\(Figures.significant(median, 3)) s"
    } else if name.hasPrefix("power.") {
      figure = "\(Figures.significant(median, 3)) W"
    } else {
      figure = Figures.significant(median, 4)
    }
    return series.values.count == 1 ? figure : "median \(figure) of \(series.values.count)"
  }

  private static func averaged(_ document: RunDocument) -> String? {
    guard case .integer(let each)? = document.method.parameters?["samples_averaged"],
      case .integer(let all)? = document.method.parameters?["samples"]
    else { return nil }
    return "\(all) samples are too many for one run: each row is the average of \(each). The highest power is still from a single sample."
  }

  private static func untold(_ document: RunDocument) -> [String] {
    var untold: [String] = []
    if document.startedAt == nil, document.finishedAt == nil { untold.append("when it was measured") }
    if document.suite == "power", document.series.isEmpty {
      let hasPackage = document.traces?.contains { $0.columns.contains("package") } == true
      untold.append(hasPackage ? "CPU power by itself (this Mac reports its whole package's)" : "CPU power (not recorded with cpu_power)")
    }
    if document.tool?.version == nil { untold.append("the tool's version") }
    if document.environment?.osVersion == nil, document.environment?.osBuild == nil { untold.append("the system's version") }
    return untold
  }

  private static func storage(_ documents: [RunDocument], _ runs: [ImportedRun], isThis: Bool) -> [String] {
    guard documents.contains(where: { $0.suite == "disk" && $0.target == nil }) else { return [] }
    let device = runs.lazy.compactMap(\.stated.device).first
    let what = device.map { "how \($0) is connected" } ?? "the storage"
    return [what + (isThis ? " (add --path with a directory on it)" : "")]
  }

  private static func machine(_ owner: ImportOwner) -> String {
    switch owner {
    case .this(because: nil):
      "Machine: assumed to be this one, since the file does not say (otherwise use --machine unspecified)."
    case .this(because: let reason?): "Machine: this one (\(reason))."
    case .unspecified(because: let reason):
      "Machine: unspecified (\(reason)). It is not counted as a machine (if it is this one, use --machine this)."
    case .other(let id): "Machine: \(id)."
    }
  }
}
