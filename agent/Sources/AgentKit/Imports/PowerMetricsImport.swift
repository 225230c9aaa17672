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
}
