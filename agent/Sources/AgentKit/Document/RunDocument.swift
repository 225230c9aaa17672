/// One run as it travels and is kept: `macmeter.run/1`. Amounts are in SI base units (bytes, seconds,
/// hertz, watts, B/s); what is missing is absent, never zero. The golden documents in
/// tests/documents hold this type and the server's reader to the same contract.
public struct RunDocument: Codable, Equatable, Sendable {
  public static let currentSchema = "macmeter.run/1"

  public var schema = RunDocument.currentSchema
  public var id: String
  public var suite: String
  public var source: String
  public var state: RunState
  public var simulated: Bool?
  public var tool: Tool?
  public var citation: Citation?
  public var method: MethodRecord
  public var startedAt: Timestamp?
  public var finishedAt: Timestamp?
  public var agent: AgentRecord?
  public var machine: MachineRecord
  public var environment: EnvironmentRecord?
  public var target: TargetRecord?
  public var labels: [String: String]?
  public var series: [Series]
  public var traces: [Trace]?
  public var publishedRatios: [PublishedRatio]?
  public var publishedRanges: [PublishedRange]?
  public var warnings: [Warning]?

  enum CodingKeys: String, CodingKey {
    case schema, id, suite, source, state, simulated, tool, citation, method
    case startedAt = "started_at"
    case finishedAt = "finished_at"
    case agent, machine, environment, target, labels, series, traces
    case publishedRatios = "published_ratios"
    case publishedRanges = "published_ranges"
    case warnings
  }
}

/// How a run was measured. Anything that changes figures changes the name or raises the version.
public struct MethodRecord: Codable, Equatable, Sendable {
  public var name: String
  public var version: Int
  public var parameters: [String: Scalar]?
}

/// The foreign tool whose output was imported.
public struct Tool: Codable, Equatable, Sendable {
  public var name: String
  public var version: String?
}

/// The agent that measured.
public struct AgentRecord: Codable, Equatable, Sendable {
  public var version: String
  public var commit: String?
  public var platform: String?
}

/// The values of one metric at one set of parameters, in the order they were measured.
/// `positions` are their places, counted from 1, in the run's sequence.
public struct Series: Codable, Equatable, Sendable {
  public var metric: Metric
  public var parameters: [String: Scalar]?
  public var values: [Double]
  public var positions: [Int]?
  /// Published values only: digits and unit exactly as printed, one text a value.
  public var printed: [String]?
  public var qualifier: String?
}

/// A table over time, a row a reading.
public struct Trace: Codable, Equatable, Sendable {
  public var kind: String
  public var interval: Double?
  public var columns: [String]
  public var rows: [[Scalar]]
}

/// A condition that makes a run doubtful or deserves a caution, by its code in the catalogue.
public struct Warning: Codable, Equatable, Sendable {
  public var code: WarningCode
  public var detail: String?

  public init(_ code: WarningCode, _ detail: String? = nil) {
    self.code = code
    self.detail = detail
  }
}
