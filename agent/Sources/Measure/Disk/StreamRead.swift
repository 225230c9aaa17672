import Base
import Document

/// A run of `stream-read`, from file to document: reads one large file from start to end, each time
/// after emptying the cache.
package enum StreamReadRun {
  package static func perform(
    _ plan: OneFilePlan, path: String, target: TargetRecord, frame: RunFrame, progress: ProgressLine
  ) throws -> (document: RunDocument, outcome: OneFileOutcome) {
    try frame.inTestDirectory(of: path) { directory in
      let transfer = BlockTransfer(blockSize: plan.blockSize, seed: plan.seed, world: frame.session.world)
      let file = directory.path + "/" + PlannedFile(position: 1, set: 1, bytes: plan.bytes).name
      defer { progress.finish() }
      progress.begin("Writing", bytes: plan.bytes)
      _ = try transfer.write(file, bytes: plan.bytes, progress: progress.advance(bytes:))
      var (outcome, residency) = read(file, plan, StorageCache(image: target.imageFile?.path), transfer, progress)
      let bypassedCache = transfer.bypassedCache && !target.cachesAllTheSame
      outcome.warnings = Warning.reading(bypassedCache: bypassedCache, residency)
      let cache: [String: Scalar] = ["cache": "invalidated", "direct": .boolean(bypassedCache)]
      return (plan.document(outcome, .diskStreamReadSpeed, target, frame, more: cache), outcome)
    }
  }

  /// - Returns: the measurements, and the cache residency before each read.
  private static func read(
    _ file: String, _ plan: OneFilePlan, _ cache: StorageCache, _ transfer: BlockTransfer, _ progress: ProgressLine
  ) -> (OneFileOutcome, [Residency]) {
    var outcome = OneFileOutcome()
    var residency: [Residency] = []
    progress.begin("Reading", bytes: plan.bytes * plan.repetitions)
    do {
      for _ in 0..<plan.repetitions {
        residency += try cache.empty([file])
        let seconds = try transfer.read(file, bytes: plan.bytes, progress: progress.advance(bytes:))
        outcome.speeds.append(Double(plan.bytes) / seconds)
      }
    } catch {
      outcome.ending = RunEnding(error)
    }
    return (outcome, residency)
  }
}

extension Warning {
  /// Warnings about read speeds of a test file.
  package static func reading(bypassedCache: Bool, _ residency: [Residency]) -> [Warning] {
    var warnings: [Warning] = []
    if !bypassedCache { warnings.append(Warning(.cacheNotBypassed)) }
    if let worst = residency.map({ min(1, $0.share) }).max(), worst > Residency.tolerated {
      let share = Figures.fixed(worst * 100, 1)
      warnings.append(Warning(.readsMayBeCached, "up to \(share)% of the file's pages in memory"))
    }
    return warnings
  }

  /// Warnings about times of small writes: pages that the writes left in memory.
  static func writing(_ residency: [Residency]) -> [Warning] {
    let worst = residency.filter { !$0.isOfImage }.map(\.share).max() ?? 0
    guard worst > Residency.tolerated else { return [] }
    return [Warning(.writesMayBeCached, "up to \(Figures.fixed(worst * 100, 1))% of the file's pages in memory")]
  }
}
