import Base
import Document
import Imports
import Measure

/// Graded-file results in columns.
enum DiskReport {
  static func figures(_ result: DiskRun.Result) -> [String] {
    sizeTable(result.document) + [""] + averageTable(result.document) + fitLines(result)
  }

  /// Median speeds by file size, and a sparkline for each.
  private static func sizeTable(_ document: RunDocument) -> [String] {
    let writes = medians(document, .diskWriteSpeed)
    let reads = medians(document, .diskReadSpeed)
    var table = TextTable(
      headings: ["File size", "Write GB/s", "Read GB/s", "n"],
      alignments: [.right, .decimal, .decimal, .right])
    let sizes = Set(writes.keys).union(reads.keys).sorted()
    for size in sizes {
      let count = max(writes[size]?.count ?? 0, reads[size]?.count ?? 0)
      table.rows.append([
        Figures.bytes(size), cell(writes[size]?.median), cell(reads[size]?.median), "\(count)",
      ])
    }
    let lines = [("Write", writes), ("Read", reads)].filter { !$0.1.isEmpty }.map { name, speeds in
      "\(name) \(Figures.sparkline(sizes.map { speeds[$0]?.median }))   "
    }
    return table.lines() + ["", lines.joined() + "by file size, from zero"]
  }

  private static func averageTable(_ document: RunDocument) -> [String] {
    func values(_ metric: Metric) -> [Double] {
      document.series.first { $0.metric == metric }?.values ?? []
    }
    let writes = values(.diskWriteAverage)
    let reads = values(.diskReadAverage)
    let sets = max(writes.count, reads.count)
    guard sets > 0 else { return ["No averages: no set was completed."] }
    var table = TextTable(
      headings: ["Complete sets", "Write GB/s", "Read GB/s", "n"],
      alignments: [.left, .decimal, .decimal, .right])
    table.rows = [
      [sets > 1 ? "Average (median of sets)" : "Average", cell(Robust.median(writes)), cell(Robust.median(reads)), "\(sets)"],
      ["Including the flush", cell(Robust.median(values(.diskWriteFlushedAverage))), "", "\(sets)"],
    ]
    let all = { (metric: Metric) in document.series.filter { $0.metric == metric }.flatMap(\.values) }
    let files = all(.diskWriteSpeed)
    table.rows.append([
      "Single files (20% trimmed mean)", cell(Robust.trimmedMean(files)),
      cell(Robust.trimmedMean(all(.diskReadSpeed))), "\(files.count)",
    ])
    return table.lines()
  }

  /// Fit of time against size: the slope gives the sustained rate, the intercept the start-up time.
  private static func fitLines(_ result: DiskRun.Result) -> [String] {
    let fits = [("write", result.outcome.writes), ("read", result.outcome.reads)].compactMap { name, timings in
      fit(timings).map { "\(name) \($0)" }
    }
    return fits.isEmpty ? [] : ["", "Fit (Theil-Sen): " + fits.joined(separator: ", ")]
  }

  private static func fit(_ timings: [FileTiming]) -> String? {
    guard let line = Robust.line(through: timings.map { (Double($0.file.bytes), $0.seconds) }),
      line.slope > 0
    else { return nil }
    let rate = Figures.gigabytesPerSecond(1 / line.slope)
    // The files don't fit a line: a negative start-up time is meaningless.
    guard line.intercept >= 0 else { return "\(rate) GB/s" }
    return "\(rate) GB/s and \(Figures.significant(line.intercept * 1000, 2)) ms per file"
  }

  private static func medians(
    _ document: RunDocument, _ metric: Metric
  ) -> [Int: (median: Double, count: Int)] {
    var found: [Int: (median: Double, count: Int)] = [:]
    for series in document.series where series.metric == metric {
      guard case .integer(let size) = series.parameters?["file_size"],
        let median = Robust.median(series.values)
      else { continue }
      found[size] = (median, series.values.count)
    }
    return found
  }

  private static func cell(_ speed: Double?) -> String {
    speed.map(Figures.gigabytesPerSecond) ?? "–"
  }
}
