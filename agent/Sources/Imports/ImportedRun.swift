import Base
import Document
import Formats
import Foundation

/// Another tool's result, as the parts of a run document that its output supports. The tool's own
/// test type names the method, so that figures of different types are never pooled.
package struct ImportedRun: Equatable, Sendable {
  /// Facts in the output about its Mac, which may not be this one.
  package struct Stated: Equatable, Sendable {
    package var model: String?
    package var chip: String?
    package var osVersion: String?
    package var osBuild: String?
    /// The model of the measured drive.
    package var device: String?
    /// The operating system: "macos", "linux", "windows" …
    package var system: String?
    /// Size of the smallest writes in bytes; nil if nothing was written or it is unknown.
    package var smallestWrite: Double?
    /// Cores per cluster: ["E": 4, "P0": 5, "P1": 5].
    package var clusters: [String: Int] = [:]
    /// The highest frequency observed on any cluster.
    package var highestFrequency: Double?
  }

  package var suite: String
  package var tool: Tool
  package var method: MethodRecord
  package var startedAt: Timestamp?
  package var finishedAt: Timestamp?
  package var stated = Stated()
  package var series: [Series] = []
  package var traces: [Trace] = []
  package var warnings: [Warning] = []

  /// Whether any metric is about reading.
  var reads: Bool {
    series.contains { one in
      guard case .text(let test)? = one.parameters?["test"], one.metric == .diskLatency else { return one.metric == .diskReadAverage }
      return test.hasPrefix("random_read")
    }
  }
}

package enum ImportError: Error, Equatable, CustomStringConvertible {
  case unrecognised
  case empty
  case utf16WithoutMark(isLittleEndian: Bool)
  case cut(tool: String)
  case cutJSON
  case damaged(tool: String, line: Int)
  case otherSamplers
  case tooLarge
  case nothingMeasured(tool: String)
  case notThat(format: String)

  package var description: String {
    switch self {
    case .unrecognised:
      "This is not output of a supported tool: sysbench fileio (text), fio (--output-format=json), "
        + "hyperfine (--export-json), Geekbench (text or JSON), AmorphousDiskMark (Copy), "
        + "powermetrics (text or -f plist)."
    case .empty:
      "The file is empty. Some tools write their results only at the end: let the tool finish, then import again."
    case .utf16WithoutMark(let isLittleEndian):
      "This is UTF-16 text without a byte order mark. Convert it first: "
        + "iconv -f UTF-16\(isLittleEndian ? "LE" : "BE") -t UTF-8 FILE > NEW"
    case .cut(let tool):
      "This \(tool) output is cut off before its first complete result. Copy the whole file, or let \(tool) finish."
    case .cutJSON:
      "This JSON is cut off or damaged. Copy the whole file, or export it again."
    case .damaged(let tool, let line):
      "This \(tool) output is damaged at line \(line). Copy the whole file, or export it again."
    case .otherSamplers:
      "This powermetrics recording has neither power nor frequencies: it was made with other samplers. "
        + "Record again with: sudo powermetrics --samplers cpu_power,gpu_power -i 1000 -o FILE"
    case .tooLarge:
      "Only powermetrics recordings may be larger than \(Figures.bytes(ImportedRuns.longest)). Import this one in parts."
    case .nothingMeasured(let tool):
      "This \(tool) output has no result that can be imported."
    case .notThat(let format):
      "This can't be read as \(format) output. Leave out --format to have it recognised."
    }
  }
}

/// Readers for what other tools print or export.
package enum ImportedRuns {
  /// Valid values of `format`.
  package static let formats = ["sysbench", "fio", "hyperfine", "geekbench", "amorphousdiskmark", "powermetrics"]

  /// Number of leading bytes used to recognise a file's type.
  static let beginning = 64 << 10
  /// Largest file that is read whole, in bytes. Only powermetrics files grow beyond it.
  static let longest = 8_000_000

  package static func read(_ data: Data, names: [String] = [], format: String? = nil) throws -> [ImportedRun] {
    try read(.data(data), names: names, format: format)
  }

  /// Read one run per test in the output. `names` are the names for hyperfine's commands, in order:
  /// command lines are never sent.
  /// - Parameter format: the only format to try; nil to try all.
  package static func read(_ source: ImportSource, names: [String] = [], format: String? = nil) throws -> [ImportedRun] {
    let source = source.inUTF8()
    let (head, isWhole) = try first(beginning, of: source)
    guard head.contains(where: { $0 > 0x20 }) || !isWhole else { throw ImportError.empty }
    let isRecording = format == "powermetrics" || (format == nil && PowerMetricsImport.recognises(beginning: head))
    if isRecording, !isWhole {
      guard let runs = try recording(head, source) else { throw format.map(ImportError.notThat) ?? .unrecognised }
      return runs
    }
    var whole = Data(head)
    while case let more = try source.next(), !more.isEmpty {
      whole.append(contentsOf: more)
      guard whole.count <= longest else { throw ImportError.tooLarge }
    }
    return try readWhole(whole, names: names, format: format)
  }

  /// At least `count` bytes if there are that many, and whether that is the whole source.
  private static func first(_ count: Int, of source: ImportSource) throws -> (bytes: [UInt8], isWhole: Bool) {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let more = try source.next()
      if more.isEmpty { return (bytes, true) }
      bytes += more
    }
    return (bytes, false)
  }

  private static func recording(_ head: [UInt8], _ source: ImportSource) throws -> [ImportedRun]? {
    var reading = PowerMetricsImport()
    reading.take(head)
    while case let more = try source.next(), !more.isEmpty { reading.take(more) }
    return try reading.finish()
  }

  private static func readWhole(_ data: Data, names: [String], format: String?) throws -> [ImportedRun] {
    let readers: [(tool: String, read: (Data) throws -> [ImportedRun]?)] = [
      ("fio", FioImport.read),
      ("hyperfine", { HyperfineImport.read($0, names: names) }),
      ("Geekbench", { try withoutCutLine($0, of: "Geekbench", GeekbenchImport.read) }),
      ("AmorphousDiskMark", {
        try withoutCutLine($0, of: "AmorphousDiskMark") { DiskMarkImport.read(String(decoding: $0, as: UTF8.self)) }
      }),
      ("sysbench", {
        try withoutCutLine($0, of: "sysbench") { SysbenchImport.read(String(decoding: $0, as: UTF8.self)) }
      }),
      ("powermetrics", PowerMetricsImport.read),
    ]
    let tool = named(in: data, format)
    let ends = [data.first { $0 > 0x20 }, data.last { $0 > 0x20 }]
    // None of these tools' texts starts with a bracket; searching megabytes of JSON for their lines
    // takes seconds.
    let isJSON = ends[0] == UInt8(ascii: "{") || ends[0] == UInt8(ascii: "[")
    for (tool, read) in readers where (format == nil || tool.lowercased() == format) && (!isJSON || jsonTools.contains(tool)) {
      guard let runs = try read(data) else { continue }
      let useful = runs.filter { !$0.series.isEmpty || !$0.traces.isEmpty }
      guard !useful.isEmpty else { throw ImportError.nothingMeasured(tool: tool) }
      return useful
    }
    for pair in ["{}", "[]"].map({ $0.utf8.map(Optional.some) }) where ends[0] == pair[0] && ends[1] != pair[1] {
      throw tool.map { ImportError.cut(tool: $0) } ?? .cutJSON
    }
    if let tool, let line = JSONReader.damagedLine(data) { throw ImportError.damaged(tool: tool, line: line) }
    throw format.map(ImportError.notThat) ?? ImportError.unrecognised
  }

  private static let jsonTools = ["fio", "hyperfine", "Geekbench"]

  /// The tool that wrote a damaged JSON file, recognised by its own keys.
  private static func named(in data: Data, _ format: String?) -> String? {
    let marks = [
      ("fio", ["\"fio version\""]), ("hyperfine", ["\"results\"", "\"command\""]),
      ("Geekbench", ["\"multicore_score\""]),
    ]
    let text = String(decoding: data.prefix(beginning), as: UTF8.self)
    return marks.first { tool, keys in
      (format == nil || format == tool.lowercased()) && keys.allSatisfy(text.contains)
    }?.0
  }

  /// Read a text without its last line if that is unterminated: a number there may be cut off. Only
  /// that line's figures are lost.
  private static func withoutCutLine(
    _ data: Data, of tool: String, _ read: (Data) -> [ImportedRun]?
  ) throws -> [ImportedRun]? {
    guard let runs = read(data) else { return nil }
    guard let last = data.last, (0x30...0x39).contains(last) || last == UInt8(ascii: ".") else { return runs }
    let start = data.lastIndex { $0 == 0x0a || $0 == 0x0d }.map { $0 + 1 } ?? data.startIndex
    let hasFigures = { (runs: [ImportedRun]) in runs.contains { !$0.series.isEmpty } }
    guard var rest = read(Data(data[..<start])), hasFigures(rest) || !hasFigures(runs) else {
      throw ImportError.cut(tool: tool)
    }
    if !rest.isEmpty, rest.map(\.series) != runs.map(\.series) {
      rest[rest.count - 1].warnings.append(
        Warning(.incomplete, "the file ends within its last line, which was left out"))
    }
    return rest
  }
}

extension Series {
  /// A speed in B/s; empty for a direction that wasn't tested (0) or an impossible value.
  package static func speed(_ metric: Metric, _ value: Double?) -> [Series] {
    guard let value, value.isFinite, value > 0, value < 1e13 else { return [] }
    return [Series(metric: metric, values: [value])]
  }
}
