import Base
import Document

/// Plan of a `sustained-write` run: write one file of that many bytes without a rest, to exhaust
/// the drive's fast cache.
package struct SustainedWritePlan: Equatable, Sendable {
  package static let version = 1

  package let bytes: Int
  package let seed: Int
  package let blockSize: Int
  package let quick: Bool

  package init(bytes: Int, seed: Int, blockSize: Int, quick: Bool) {
    self.bytes = bytes
    self.seed = seed
    self.blockSize = blockSize
    self.quick = quick
  }

  package var method: String { quick ? "sustained-write-quick" : "sustained-write" }
}

/// Bytes by the second in which they were written. A block is spread over the time since the
/// previous one, so that a pausing drive shows slow seconds rather than empty ones.
package struct SecondBins: Equatable {
  package private(set) var bytes: [Double] = []
  private var reached = 0.0

  /// - Parameter time: seconds since the start at which the block was written.
  package mutating func add(bytes count: Int, at time: Double) {
    guard time > reached else { return }
    let rate = Double(count) / (time - reached)
    while reached < time {
      let second = Int(reached)
      while bytes.count <= second { bytes.append(0) }
      let end = min(time, Double(second + 1))
      bytes[second] += rate * (end - reached)
      reached = end
    }
  }

  /// Bytes per second of every complete second.
  package var whole: [Double] { Array(bytes.prefix(Int(reached))) }
}

/// Everything that a run of `sustained-write` measured, complete or not.
package struct SustainedWriteOutcome {
  package var seconds = SecondBins()
  /// Time of the whole file; nil if it wasn't completed.
  package var time: WriteTime?
  var bypassedCache = true
  package var ending = RunEnding.complete
}

/// A run of `sustained-write`, from first byte to document.
package enum SustainedWriteRun {
  package static func perform(
    _ plan: SustainedWritePlan, path: String, target: TargetRecord, frame: RunFrame, progress: ProgressLine
  ) throws -> (document: RunDocument, outcome: SustainedWriteOutcome) {
    let world = frame.session.world
    return try frame.inTestDirectory(of: path) { directory in
      let transfer = BlockTransfer(blockSize: plan.blockSize, seed: plan.seed, world: world)
      let file = directory.path + "/" + PlannedFile(position: 1, set: 1, bytes: plan.bytes).name
      var outcome = SustainedWriteOutcome()
      progress.begin("Writing", bytes: plan.bytes)
      let started = world.monotonic()
      do {
        outcome.time = try transfer.write(file, bytes: plan.bytes) { count in
          outcome.seconds.add(bytes: count, at: Double(world.monotonic() - started) / 1e9)
          progress.advance(bytes: count)
        }
      } catch {
        outcome.ending = RunEnding(error)
      }
      progress.finish()
      outcome.bypassedCache = transfer.bypassedCache && !target.cachesAllTheSame
      return (document(plan, outcome, target, frame), outcome)
    }
  }

  private static func document(
    _ plan: SustainedWritePlan, _ outcome: SustainedWriteOutcome, _ target: TargetRecord, _ frame: RunFrame
  ) -> RunDocument {
    var warnings = outcome.bypassedCache ? [] : [Warning(.cacheNotBypassed)]
    if let time = outcome.time, time.flush == nil { warnings.append(Warning(.flushFailed)) }
    return frame.document(
      RunContent(suite: "disk",
      method: MethodRecord(name: plan.method, version: SustainedWritePlan.version, parameters: [
        "bytes": .integer(plan.bytes), "seed": .integer(plan.seed),
        "block_size": .integer(plan.blockSize), "direct": .boolean(outcome.bypassedCache),
      ]),
      target: target, series: series(outcome, plan)), ending: outcome.ending, warnings: warnings)
  }

  /// One value per complete second, by elapsed seconds at its end, then those of the whole file.
  package static func series(_ outcome: SustainedWriteOutcome, _ plan: SustainedWritePlan) -> [Series] {
    var series = outcome.seconds.whole.enumerated().map { index, speed in
      Series(
        metric: .diskSustainedWriteSpeed, parameters: ["elapsed": .integer(index + 1)],
        values: [speed.rounded()])
    }
    guard let time = outcome.time else { return series }
    let bytes = Double(plan.bytes)
    series.append(Series(metric: .diskWriteAverage, values: [(bytes / time.transfer).rounded()]))
    if let flush = time.flush {
      series.append(Series(metric: .diskWriteFlushedAverage, values: [(bytes / (time.transfer + flush)).rounded()]))
    }
    return series
  }
}
