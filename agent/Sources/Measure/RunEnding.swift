import Base

/// How a measurement ended.
package enum RunEnding: Equatable, Sendable {
  case complete, interrupted
  case failed(String)

  /// The ending for an error.
  package init(_ error: any Error) {
    self = error is Interrupted ? .interrupted : .failed("\(error)")
  }
}
