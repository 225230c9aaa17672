import Foundation

/// Another tool's result, as the parts of a run document that its output supports. A tool's own kind
/// of test gives the method its name, so that figures of different kinds are never pooled.
public struct ImportedRun: Equatable, Sendable {
  /// What the output says of the Mac it was made on, which may not be this one.
  public struct Stated: Equatable, Sendable {
    public var model: String?
    public var chip: String?
    public var osVersion: String?
    public var osBuild: String?
    /// The model of the drive that was measured.
    public var device: String?
  }

  public var suite: String
  public var tool: Tool
  public var method: Method
  public var startedAt: Timestamp?
  public var finishedAt: Timestamp?
  public var stated = Stated()
  public var series: [Series] = []
  public var traces: [Trace] = []
  public var warnings: [Warning] = []
}

public enum ImportError: Error, Equatable, CustomStringConvertible {
  case unrecognised
  case nothingMeasured(tool: String)
  case notThat(format: String)

  public var description: String {
    switch self {
    case .unrecognised:
      "This is no output that can be imported: sysbench fileio (text), fio (--output-format=json), "
        + "hyperfine (--export-json), Geekbench (text or JSON), AmorphousDiskMark (Copy), "
        + "powermetrics (text or -f plist)."
    case .nothingMeasured(let tool):
      "This \(tool) output holds no figure that can be imported."
    case .notThat(let format):
      "This is no \(format) output that can be read. Leave out --format to have it recognised."
    }
  }
}

/// Reads what other tools printed or exported.
public enum ImportedRuns {
  /// What `format` can be.
  static let formats = ["sysbench", "fio", "hyperfine", "geekbench", "amorphousdiskmark", "powermetrics"]

  /// One run for each test in the output. `names` are what to call hyperfine's commands, in their
  /// order: command lines are never sent.
  /// - Parameter format: the only one to try; nil to try all.
  public static func read(_ data: Data, names: [String] = [], format: String? = nil) throws -> [ImportedRun] {
    let data = plainText(data)
    let readers: [(tool: String, read: () -> [ImportedRun]?)] = [
      ("fio", { FioImport.read(data) }),
      ("hyperfine", { HyperfineImport.read(data, names: names) }),
      ("Geekbench", { GeekbenchImport.read(data) }),
      ("AmorphousDiskMark", { DiskMarkImport.read(String(decoding: data, as: UTF8.self)) }),
      ("sysbench", { SysbenchImport.read(String(decoding: data, as: UTF8.self)) }),
      ("powermetrics", { PowerMetricsImport.read(data) }),
    ]
    for (tool, read) in readers where format == nil || tool.lowercased() == format {
      guard let runs = read() else { continue }
      let useful = runs.filter { !$0.series.isEmpty || !$0.traces.isEmpty }
      guard !useful.isEmpty else { throw ImportError.nothingMeasured(tool: tool) }
      return useful
    }
    throw format.map(ImportError.notThat) ?? ImportError.unrecognised
  }

  /// Without the mark that editors put before a text, and from UTF-16 where that says so.
  private static func plainText(_ data: Data) -> Data {
    if data.starts(with: [0xef, 0xbb, 0xbf]) { return Data(data.dropFirst(3)) }
    guard data.starts(with: [0xff, 0xfe]) || data.starts(with: [0xfe, 0xff]) else { return data }
    return String(data: data, encoding: .utf16).map { Data($0.utf8) } ?? data
  }
}

extension Metric {
  static let diskLatency = Metric("disk.latency")
  static let workloadDuration = Metric("workload.duration")
  static let scoreValue = Metric("score.value")
  static let powerCPUMaximum = Metric("power.cpu_max")
}

extension WarningCode {
  static let incomplete = WarningCode("incomplete")
  static let toolVersionUnstated = WarningCode("tool_version_unstated")
  static let cacheStateUnstated = WarningCode("cache_state_unstated")
  static let rounded = WarningCode("rounded")
  static let inconsistent = WarningCode("inconsistent")
}

extension Series {
  /// A speed in B/s; nothing for a direction that was not tested (0) or a figure that cannot be.
  static func speed(_ metric: Metric, _ value: Double?) -> [Series] {
    guard let value, value.isFinite, value > 0, value < 1e13 else { return [] }
    return [Series(metric: metric, values: [value])]
  }
}
