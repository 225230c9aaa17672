import Document

/// What a run of `stream-read` or `trim` will do: write one file and measure something about it, as often
/// as asked.
package struct OneFilePlan: Equatable, Sendable {
  package enum Method: String, Sendable {
    case streamRead = "stream-read"
    case trim

    var version: Int {
      switch self {
      case .streamRead: 1
      case .trim: 1
      }
    }
  }

  package let kind: Method
  package let bytes: Int
  package let repetitions: Int
  package let seed: Int
  package var blockSize = 1 << 20
  package var quick = false

  package init(_ kind: Method, bytes: Int, repetitions: Int, seed: Int) {
    self.kind = kind
    self.bytes = bytes
    self.repetitions = repetitions
    self.seed = seed
  }

  package var method: String { kind.rawValue + (quick ? "-quick" : "") }

  /// The document of a run, finished or not. Its one series is absent if nothing was measured.
  /// - Parameter more: parameters of the method, besides the plan's own.
  func document(
    _ outcome: OneFileOutcome, _ metric: Metric, _ target: TargetRecord, _ frame: RunFrame,
    more: [String: Scalar] = [:]
  ) -> RunDocument {
    let series = outcome.speeds.isEmpty ? [] : [Series(
      metric: metric, parameters: ["file_size": .integer(bytes)],
      values: outcome.speeds.map { $0.rounded() }, positions: Array(1...outcome.speeds.count))]
    let own: [String: Scalar] = [
      "repetitions": .integer(repetitions), "seed": .integer(seed), "block_size": .integer(blockSize),
    ]
    return frame.document(
      RunContent(suite: "disk",
      method: MethodRecord(name: method, version: kind.version, parameters: own.merging(more) { $1 }),
      target: target, series: series), ending: outcome.ending, warnings: outcome.warnings)
  }
}

/// Everything a run of one file found out, finished or not.
package struct OneFileOutcome: Sendable {
  /// Bytes a second of each repetition.
  package var speeds: [Double] = []
  /// What makes the speeds doubtful.
  var warnings: [Warning] = []
  package var ending = RunEnding.complete
}
