import Document

/// Plan of a `stream-read` or `trim` run: write one file and measure it, a given number of times.
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

  /// The document of a run, complete or not. Its only series is absent if nothing was measured.
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

/// Everything that a run with one file measured, complete or not.
package struct OneFileOutcome: Sendable {
  /// Bytes per second of each repetition.
  package var speeds: [Double] = []
  /// Warnings about the speeds.
  var warnings: [Warning] = []
  package var ending = RunEnding.complete
}
