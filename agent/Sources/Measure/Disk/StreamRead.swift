import Base
import Document

/// What a run of `stream-read` will do: write one large file, then read it from its start to its end
/// as often as asked, each time out of an emptied cache.
package struct StreamReadPlan: Equatable, Sendable {
  package static let version = 1

  package let bytes: Int
  package let repetitions: Int
  package let seed: Int
  package let blockSize: Int
  package let quick: Bool

  package init(bytes: Int, repetitions: Int, seed: Int, blockSize: Int, quick: Bool) {
    self.bytes = bytes
    self.repetitions = repetitions
    self.seed = seed
    self.blockSize = blockSize
    self.quick = quick
  }

  package var method: String { quick ? "stream-read-quick" : "stream-read" }
}

/// Everything a run of one file found out, finished or not.
package struct StreamReadOutcome: Sendable {
  /// Bytes a second of each reading.
  package var speeds: [Double] = []
  /// Before each reading.
  var residency: [Residency] = []
  var bypassedCache = true
  package var ending = RunEnding.complete
}

/// A run of `stream-read`, from its file to its document.
package enum StreamReadRun {
  package static func perform(
    _ plan: StreamReadPlan, path: String, target: TargetRecord, frame: RunFrame, progress: ProgressLine
  ) throws -> (document: RunDocument, outcome: StreamReadOutcome) {
    try frame.inTestDirectory(of: path) { directory in
      let transfer = BlockTransfer(blockSize: plan.blockSize, seed: plan.seed, world: frame.session.world)
      let file = directory.path + "/" + PlannedFile(position: 1, set: 1, bytes: plan.bytes).name
      defer { progress.finish() }
      progress.begin("Writing", bytes: plan.bytes)
      _ = try transfer.write(file, bytes: plan.bytes, progress: progress.advance(bytes:))
      var outcome = read(file, plan, StorageCache(image: target.imageFile?.path), transfer, progress)
      outcome.bypassedCache = transfer.bypassedCache && !target.cachesAllTheSame
      return (document(plan, outcome, target, frame), outcome)
    }
  }

  private static func read(
    _ file: String, _ plan: StreamReadPlan, _ cache: StorageCache, _ transfer: BlockTransfer, _ progress: ProgressLine
  ) -> StreamReadOutcome {
    var outcome = StreamReadOutcome()
    progress.begin("Reading", bytes: plan.bytes * plan.repetitions)
    do {
      for _ in 0..<plan.repetitions {
        outcome.residency += try cache.empty([file])
        let seconds = try transfer.read(file, bytes: plan.bytes, progress: progress.advance(bytes:))
        outcome.speeds.append(Double(plan.bytes) / seconds)
      }
    } catch {
      outcome.ending = RunEnding(error)
    }
    return outcome
  }

  private static func document(
    _ plan: StreamReadPlan, _ outcome: StreamReadOutcome, _ target: TargetRecord, _ frame: RunFrame
  ) -> RunDocument {
    let series = outcome.speeds.isEmpty ? [] : [Series(
      metric: .diskStreamReadSpeed, parameters: ["file_size": .integer(plan.bytes)],
      values: outcome.speeds.map { $0.rounded() }, positions: Array(1...outcome.speeds.count))]
    return frame.document(
      suite: "disk",
      method: MethodRecord(name: plan.method, version: StreamReadPlan.version, parameters: [
        "repetitions": .integer(plan.repetitions), "seed": .integer(plan.seed),
        "block_size": .integer(plan.blockSize), "cache": "invalidated",
        "direct": .boolean(outcome.bypassedCache),
      ]),
      target: target, series: series, ending: outcome.ending,
      warnings: Warning.reading(bypassedCache: outcome.bypassedCache, outcome.residency))
  }
}

extension Warning {
  /// What makes read speeds of a test file doubtful.
  package static func reading(bypassedCache: Bool, _ residency: [Residency]) -> [Warning] {
    var warnings: [Warning] = []
    if !bypassedCache { warnings.append(Warning(.cacheNotBypassed)) }
    if let worst = residency.map({ min(1, $0.share) }).max(), worst > Residency.tolerated {
      let share = Figures.fixed(worst * 100, 1)
      warnings.append(Warning(.readsMayBeCached, "up to \(share)% of the file's pages in memory"))
    }
    return warnings
  }
}
