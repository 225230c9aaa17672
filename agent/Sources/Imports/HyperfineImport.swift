import Document
import Formats
import Foundation

/// A reader for hyperfine's `--export-json`. A result's command line is never kept: results get the
/// names given here, or numbers.
enum HyperfineImport {
  static func read(_ data: Data, names: [String]) -> [ImportedRun]? {
    guard let value = JSONReader.read(data), let results = value["results"]?.items, !results.isEmpty,
      results.allSatisfy({ $0["command"] != nil && ($0["times"] != nil || $0["mean"] != nil) })
    else { return nil }
    return results.enumerated().map { place, result in
      run(result, name: names.indices.contains(place) ? names[place] : nil, place: results.count > 1 ? place + 1 : nil)
    }
  }

  private static func run(_ result: ToolValue, name: String?, place: Int?) -> ImportedRun {
    var run = ImportedRun(
      suite: "workload", tool: Tool(name: "hyperfine"), method: MethodRecord(name: "hyperfine", version: 1))
    run.method.parameters = numbers(result["parameters"])
    let times = (result["times"]?.items ?? []).compactMap(\.number).filter { $0 > 0 && $0 < 1e8 }
    guard !times.isEmpty else { return run }
    let test = documentText(name) ?? place.map { "command \($0)" }
    run.series = [Series(metric: .workloadDuration, parameters: test.map { ["test": .text($0)] }, values: times)]
    run.warnings = [Warning(.toolVersionUnstated)]
    let failures = (result["exit_codes"]?.items ?? []).filter { $0.integer != 0 }.count
    if failures > 0 { run.warnings.append(Warning(.incomplete, "\(failures) of the repetitions failed")) }
    return run
  }

  /// Numeric parameters of a scan ("threads": "4"); others may contain paths.
  private static func numbers(_ parameters: ToolValue?) -> [String: Scalar]? {
    var numbers: [String: Scalar] = [:]
    for (key, value) in parameters?.entries ?? [:] {
      guard let key = documentText(key), key.count <= 32, let number = value.number else { continue }
      numbers[key] = value.integer.map(Scalar.integer) ?? .number(number)
    }
    return numbers.isEmpty ? nil : numbers
  }
}
