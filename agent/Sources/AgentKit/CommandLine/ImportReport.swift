/// An imported run in words: what was read, and what the file did not tell.
enum ImportReport {
  static func lines(_ document: RunDocument, file: String, isOther: Bool, _ terminal: Terminal) -> [String] {
    let tool = [document.tool?.name, document.tool?.version].compactMap { $0 }.joined(separator: " ")
    var lines = ["", terminal.bold("\(file)") + "   \(tool), \(document.method.name)"]
    if let target = document.target { lines.append(RunReport.targetLine(target)) }
    var table = TextTable(headings: ["", "", ""], alignments: [.left, .left, .left])
    table.rows = document.series.map { series in
      ["  " + series.metric.rawValue, parameters(series), value(series)]
    }
    table.rows += (document.traces ?? []).map { ["  trace", $0.kind, "\($0.rows.count) rows"] }
    lines += table.lines().dropFirst()
    let untold = untold(document, isOther: isOther)
    if !untold.isEmpty { lines.append("Not told by the file: \(untold.joined(separator: ", ")).") }
    lines.append(machine(document, isOther: isOther))
    return lines + RunReport.warningLines(document.warnings ?? [], emphasis: terminal.bold)
  }

  private static func parameters(_ series: Series) -> String {
    (series.parameters ?? [:]).sorted { $0.key < $1.key }.map { name, value in
      switch value {
      case .text(let text): text
      case .integer(let number): "\(name) \(number)"
      case .number(let number): "\(name) \(Figures.significant(number, 3))"
      case .boolean(let flag): "\(name) \(flag)"
      case .missing: name
      }
    }.joined(separator: ", ")
  }

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
      figure = Figures.significant(median, 3)
    }
    return series.values.count == 1 ? figure : "median \(figure) of \(series.values.count)"
  }

  private static func untold(_ document: RunDocument, isOther: Bool) -> [String] {
    var untold: [String] = []
    if document.startedAt == nil, document.finishedAt == nil { untold.append("when it was measured") }
    if document.tool?.version == nil { untold.append("the tool's version") }
    if document.environment?.osVersion == nil, document.environment?.osBuild == nil { untold.append("the system's version") }
    if document.suite == "disk", document.target == nil {
      untold.append(isOther ? "the storage" : "the storage (--path names a directory on it)")
    }
    return untold
  }

  private static func machine(_ document: RunDocument, isOther: Bool) -> String {
    guard isOther else { return "Machine: this one." }
    let stated = [document.machine.chip, document.machine.model].compactMap { $0 }
    let name = stated.isEmpty ? "another, of which nothing is known" : stated.joined(separator: ", ") + ", not this one"
    return "Machine: \(name); it counts as no machine in comparisons."
  }
}
