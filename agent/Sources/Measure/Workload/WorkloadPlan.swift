import Document

/// Plan of a `repeat-command` run: fixed before the command first runs.
package struct WorkloadPlan: Equatable, Sendable {
  package static let method = "repeat-command"
  package static let version = 1

  /// The workload's name in the document, which never contains the command line.
  package let name: String
  /// The program and its arguments.
  package let command: [String]
  package let repetitions: Int
  /// Number of initial repetitions that don't count.
  package let warmUp: Int
  /// Whether the system's caches are emptied before each repetition.
  package let cold: Bool
  /// Whether the command's output is shown, on standard error.
  var showsOutput = false

  package init(name: String, command: [String], repetitions: Int, warmUp: Int, cold: Bool, showsOutput: Bool = false) {
    self.name = name
    self.command = command
    self.repetitions = repetitions
    self.warmUp = warmUp
    self.cold = cold
    self.showsOutput = showsOutput
  }

  package var parameters: [String: Scalar] {
    [
      "repetitions": .integer(repetitions), "warm_up": .integer(warmUp),
      "cache": cold ? "emptied" : "kept", "output": showsOutput ? "shown" : "discarded",
    ]
  }
}
