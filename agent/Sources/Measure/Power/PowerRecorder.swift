import Foundation
import MacTools

/// Recorder of `powermetrics` samples as they arrive, and of when each ended.
final class PowerRecorder: @unchecked Sendable {
  /// A sample and the time it covers, in seconds from the run's start.
  struct Timed: Equatable, Sendable {
    var sample: PowerSample
    var start: Double
    var end: Double
  }

  private let lock = NSLock()
  private var stream = PowerMetricsStream()
  private var taken: [Timed] = []
  /// Seconds from the run's start; nil in a replay, whose samples follow one another.
  private let now: (@Sendable () -> Double)?

  init(now: (@Sendable () -> Double)?) { self.now = now }

  var samples: [Timed] { lock.withLock { taken } }
  /// Number of unreadable documents.
  var damaged: Int { lock.withLock { stream.damaged } }

  func take(_ bytes: Data) { lock.withLock { keep(stream.take(bytes)) } }

  func finish() { lock.withLock { keep(stream.finish()) } }

  /// Keep samples with their times. Of several that arrive at once, the last has just ended.
  private func keep(_ samples: [PowerSample]) {
    guard let now else {
      for sample in samples {
        let start = taken.last?.end ?? 0
        taken.append(Timed(sample: sample, start: start, end: start + (sample.elapsed ?? 0)))
      }
      return
    }
    var end = now()
    var timed: [Timed] = []
    for sample in samples.reversed() {
      let start = end - (sample.elapsed ?? 0)
      timed.append(Timed(sample: sample, start: start, end: end))
      end = start
    }
    taken += timed.reversed()
  }
}
