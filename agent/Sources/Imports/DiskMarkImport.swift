import Base
import Document
import Formats
import Foundation
import MacTools

/// A reader for the text that AmorphousDiskMark's Copy puts on the pasteboard. Its speeds are in
/// decimal MB/s, its sizes binary. Reads and writes of one kind make a run; the volume's name is
/// private.
enum DiskMarkImport {
  static func read(_ text: String) -> [ImportedRun]? {
    let results = Lines.sections(of: text) { trimmed($0).hasPrefix("AmorphousDiskMark ") }
    return results.isEmpty ? nil : results.flatMap(result)
  }

  /// The runs of one result; a file may hold several.
  private static func result(_ text: String) -> [ImportedRun] {
    let lines = Lines.of(text).map(trimmed)
    let title = lines[0]
    let labelled = LabelledText(text)
    var runs: [ImportedRun] = []
    let data = written(text, labelled["Test"])
    for reading in lines.compactMap(reading) {
      let name = "amorphousdiskmark-" + reading.test + data
      let metric: Metric = reading.isRead ? .diskReadAverage : .diskWriteAverage
      let series = Series.speed(metric, reading.speed)
      if let place = runs.firstIndex(where: { $0.method.name == name }) {
        guard !runs[place].series.contains(where: { $0.metric == metric }) else { continue }
        runs[place].series += series
      } else {
        runs.append(run(name, reading, title: title, labelled))
        runs[runs.count - 1].series = series
      }
      if !reading.isRead, let place = runs.firstIndex(where: { $0.method.name == name }) {
        runs[place].stated.smallestWrite = Double(reading.blockSize)
      }
    }
    return runs
  }

  /// The method name's suffix for the data written; empty for random data. Drives that compress
  /// write zeros faster. The line follows the results, so a truncated text leaves it unknown.
  private static func written(_ text: String, _ test: String?) -> String {
    guard let test else { return "-unstated-data" }
    if test.contains("<0Fill>") { return "-zero-fill" }
    let isLast = Lines.of(text).last.map { $0.contains(test) } ?? false
    return isLast && text.last?.isNewline != true ? "-unstated-data" : ""
  }

  private struct Reading {
    var test: String
    var isRead: Bool
    var blockSize: Int
    var depth: Int
    var speed: Double
  }

  private static func run(_ name: String, _ reading: Reading, title: String, _ lines: LabelledText) -> ImportedRun {
    let version = title.split(separator: " ").dropFirst().first.map(String.init)
    var run = ImportedRun(
      suite: "disk",
      tool: Tool(name: "AmorphousDiskMark", version: version?.first?.isNumber == true ? version : nil),
      method: MethodRecord(name: name, version: 1, parameters: parameters(reading, lines["Test"])))
    run.startedAt = Moment.read(lines["Date"])
    run.stated.system = SystemKind.macOS.rawValue
    run.stated.device = documentText(lines["Device"])
    run.stated.chip = KernelState.chip(lines["CPU"].flatMap { $0.hasPrefix("Apple ") || $0.contains("Intel") ? $0 : nil })
    let system = lines["OS"]?.split(separator: " ").map(String.init) ?? []
    if system.count >= 2, system[0] == "macOS" {
      run.stated.osVersion = SystemVersion.version(system[1])
      run.stated.osBuild = system.count > 2 ? SystemVersion.build(system[2]) : nil
    }
    run.warnings = [Warning(.cacheStateUnstated)]
    return run
  }

  /// "1 GiB (x5) [Interval=3 sec] <0Fill>"
  private static func parameters(_ reading: Reading, _ test: String?) -> [String: Scalar] {
    var parameters: [String: Scalar] = [
      "block_size": .integer(reading.blockSize), "io_depth": .integer(reading.depth),
    ]
    let words = test?.split(separator: " ") ?? []
    if words.count >= 2, let number = Int(words[0]), let unit = binary[String(words[1])] {
      let (size, overflow) = number.multipliedReportingOverflow(by: unit)
      if !overflow { parameters["file_size"] = .integer(size) }
    }
    if let repeats = words.first(where: { $0.hasPrefix("(x") }), let count = Int(repeats.dropFirst(2).dropLast()) {
      parameters["repetitions"] = .integer(count)
    }
    return parameters
  }

  private static let binary = ["B": 1, "KiB": 1024, "MiB": 1_048_576, "GiB": 1_073_741_824]
  /// Version 4.0 misspells "Sequential".
  private static let kinds = ["Sequential": "seq", "Sequantial": "seq", "Random": "rnd"]
  private static let decimal = ["KB/s": 1e3, "MB/s": 1e6, "GB/s": 1e9]

  /// "Sequential Read 1MiB (QD=  32) :    471.21 MB/s [  96167.0 IOPS]"
  private static func reading(_ line: String) -> Reading? {
    guard let colon = line.firstIndex(of: ":") else { return nil }
    let left = line[..<colon].replacingOccurrences(of: "QD=", with: "QD").replacingOccurrences(of: "QD", with: "QD= ")
      .split { $0.isWhitespace || $0 == "(" || $0 == ")" }.map(String.init)
    let right = line[line.index(after: colon)...].split(separator: " ").map(String.init)
    guard left.count == 5, left[3] == "QD=", let depth = Int(left[4]), depth > 0, right.count >= 2,
      let kind = kinds[left[0]], left[1] == "Read" || left[1] == "Write",
      let scale = decimal[right[1]], let number = Quantity.number(right[0])
    else { return nil }
    let digits = left[2].prefix { $0.isNumber }
    guard let count = Int(digits), let unit = binary[String(left[2].dropFirst(digits.count))],
      count > 0, count < 1 << 32
    else { return nil }
    let size = left[2].lowercased().replacingOccurrences(of: "ib", with: "")
    return Reading(
      test: "\(kind)\(size)-qd\(depth)", isRead: left[1] == "Read", blockSize: count * unit, depth: depth,
      speed: (number * scale).rounded())
  }
}
