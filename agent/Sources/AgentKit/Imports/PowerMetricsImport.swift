import Foundation

/// Reads `powermetrics` output that was kept in a file, text or property lists, as people pipe it
/// today: traces of everything it sampled, and the highest CPU power.
enum PowerMetricsImport {
  static func read(_ data: Data) -> [ImportedRun]? {
    let (samples, machine, damaged) = PowerMetricsStream.read(data)
    guard !samples.isEmpty else { return nil }
    var run = ImportedRun(
      suite: "power", tool: Tool(name: "powermetrics"), method: Method(name: "powermetrics", version: 1))
    run.method.parameters = ["samples": .integer(samples.count)]
    run.stated.model = machine.model
    run.stated.osBuild = machine.osBuild
    (run.startedAt, run.finishedAt) = span(data)
    run.traces = PowerTrace.traces(samples)
    if let highest = samples.compactMap(\.cpuPower).max() {
      run.series = [Series(metric: .powerCPUMaximum, values: [highest])]
    }
    for name in PowerTrace.leftOut(samples, of: run.traces) {
      run.warnings.append(Warning(.incomplete, "the \(name) trace of \(samples.count) samples is too long for a document"))
    }
    if damaged > 0 { run.warnings.append(Warning(.incomplete, "\(damaged) samples could not be read")) }
    return [run]
  }

  /// When the first sample was taken, and the last. The text form names them with the Mac's zone.
  private static func span(_ data: Data) -> (first: Timestamp?, last: Timestamp?) {
    var texts: [String] = []
    for part in [data.prefix(edge), data.suffix(edge)] {
      let text = String(decoding: part, as: UTF8.self).replacingOccurrences(of: "</key>\n<date>", with: "</key><date>")
      texts += text.split(whereSeparator: \.isNewline).compactMap { moment(in: $0) }
    }
    return Moment.span(texts)
  }

  private static func moment(in line: Substring) -> String? {
    for start in ["Sampled system activity (", "<key>timestamp</key><date>"] {
      if let range = line.range(of: start) { return String(line[range.upperBound...].prefix { $0 != ")" && $0 != "<" }) }
    }
    return nil
  }

  /// Bytes at either end of a file, longer than any sample.
  private static let edge = 1 << 20
}
