/// What a run of `repeat-command` will do, whole: decided before the command first runs.
struct WorkloadPlan: Equatable, Sendable {
  static let method = "repeat-command"
  static let version = 1

  /// What the command is called in the document, where its words never stand.
  let name: String
  /// The program and its arguments.
  let command: [String]
  let repetitions: Int
  /// Repetitions beforehand that do not count.
  let warmUp: Int
  /// Whether the system's caches are emptied before each repetition.
  let cold: Bool
  /// Whether what the command prints is shown, on standard error.
  var showsOutput = false

  var parameters: [String: Scalar] {
    [
      "repetitions": .integer(repetitions), "warm_up": .integer(warmUp),
      "cache": cold ? "emptied" : "kept", "output": showsOutput ? "shown" : "discarded",
    ]
  }
}
