import Foundation
import MacTools

/// Takes `powermetrics`' samples as they come and remembers when each was over.
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
  /// Documents that could not be read.
  var damaged: Int { lock.withLock { stream.damaged } }

  func take(_ bytes: Data) { lock.withLock { keep(stream.take(bytes)) } }

  func finish() { lock.withLock { keep(stream.finish()) } }

  /// Of several samples that arrive at once the last is the one that is just over.
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
