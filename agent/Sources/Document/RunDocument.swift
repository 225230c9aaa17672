/// One run as stored and transferred: `macmeter.run/1`. Amounts are in SI base units (bytes,
/// seconds, hertz, watts, B/s); missing values are absent, never zero. The golden documents in
/// tests/documents hold this type and the server's reader to the same contract.
package struct RunDocument: Codable, Equatable, Sendable {
  package static let currentSchema = "macmeter.run/1"

  package var schema = RunDocument.currentSchema
  package var id: String
  package var suite: String
  package var source: String
  package var state: RunState
  package var simulated: Bool?
  package var tool: Tool?
  package var citation: Citation?
  package var method: MethodRecord
  package var startedAt: Timestamp?
  package var finishedAt: Timestamp?
  package var agent: AgentRecord?
  package var machine: MachineRecord
  package var environment: EnvironmentRecord?
  package var target: TargetRecord?
  package var labels: [String: String]?
  package var series: [Series]
  package var traces: [Trace]?
  package var publishedRatios: [PublishedRatio]?
  package var publishedRanges: [PublishedRange]?
  package var warnings: [Warning]?

  package init(
    schema: String = RunDocument.currentSchema, id: String, suite: String, source: String, state: RunState,
    simulated: Bool? = nil, tool: Tool? = nil, citation: Citation? = nil, method: MethodRecord,
    startedAt: Timestamp? = nil, finishedAt: Timestamp? = nil, agent: AgentRecord? = nil,
    machine: MachineRecord, environment: EnvironmentRecord? = nil, target: TargetRecord? = nil,
    labels: [String: String]? = nil, series: [Series], traces: [Trace]? = nil,
    publishedRatios: [PublishedRatio]? = nil, publishedRanges: [PublishedRange]? = nil,
    warnings: [Warning]? = nil
  ) {
    self.schema = schema
    self.id = id
    self.suite = suite
    self.source = source
    self.state = state
    self.simulated = simulated
    self.tool = tool
    self.citation = citation
    self.method = method
    self.startedAt = startedAt
    self.finishedAt = finishedAt
    self.agent = agent
    self.machine = machine
    self.environment = environment
    self.target = target
    self.labels = labels
    self.series = series
    self.traces = traces
    self.publishedRatios = publishedRatios
    self.publishedRanges = publishedRanges
    self.warnings = warnings
  }

  package enum CodingKeys: String, CodingKey {
    case schema, id, suite, source, state, simulated, tool, citation, method
    case startedAt = "started_at"
    case finishedAt = "finished_at"
    case agent, machine, environment, target, labels, series, traces
    case publishedRatios = "published_ratios"
    case publishedRanges = "published_ranges"
    case warnings
  }
}

/// How a run was measured. Anything that affects results changes the name or raises the version.
package struct MethodRecord: Codable, Equatable, Sendable {
  package var name: String
  package var version: Int
  package var parameters: [String: Scalar]?

  package init(name: String, version: Int, parameters: [String: Scalar]? = nil) {
    self.name = name
    self.version = version
    self.parameters = parameters
  }
}

/// The other tool whose output was imported.
package struct Tool: Codable, Equatable, Sendable {
  package var name: String
  package var version: String?

  package init(name: String, version: String? = nil) {
    self.name = name
    self.version = version
  }
}

/// The agent that measured.
package struct AgentRecord: Codable, Equatable, Sendable {
  package var version: String
  package var commit: String?
  package var platform: String?
}

/// The values of one metric at one set of parameters, in the order measured. `positions` are their
/// places in the run's sequence, counted from 1.
package struct Series: Codable, Equatable, Sendable {
  package var metric: Metric
  package var parameters: [String: Scalar]?
  package var values: [Double]
  package var positions: [Int]?
  /// Published values only: digits and unit exactly as printed, one text per value.
  package var printed: [String]?
  package var qualifier: String?

  package init(
    metric: Metric, parameters: [String: Scalar]? = nil, values: [Double], positions: [Int]? = nil,
    printed: [String]? = nil, qualifier: String? = nil
  ) {
    self.metric = metric
    self.parameters = parameters
    self.values = values
    self.positions = positions
    self.printed = printed
    self.qualifier = qualifier
  }
}

/// A table over time, one row per reading.
package struct Trace: Codable, Equatable, Sendable {
  package var kind: String
  package var interval: Double?
  package var columns: [String]
  package var rows: [[Scalar]]

  package init(kind: String, interval: Double? = nil, columns: [String], rows: [[Scalar]]) {
    self.kind = kind
    self.interval = interval
    self.columns = columns
    self.rows = rows
  }
}

/// A condition that makes a run doubtful or calls for caution, by its code in the catalogue.
package struct Warning: Codable, Equatable, Sendable {
  package var code: WarningCode
  package var detail: String?

  package init(_ code: WarningCode, _ detail: String? = nil) {
    self.code = code
    self.detail = detail
  }
}
