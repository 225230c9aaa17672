import Base
import Document
import Foundation

/// A run of the hash suite, from file to document.
package enum HashRun {
  package struct Result {
    package var document: RunDocument
    package var outcome: HashOutcome

    package init(document: RunDocument, outcome: HashOutcome) {
      self.document = document
      self.outcome = outcome
    }
  }

  /// - Parameters:
  ///   - path: a directory in which the run creates its file, or the file itself.
  ///   - target: the target of `path`.
  package static func perform(
    _ plan: HashPlan, path: String, target: TargetRecord, frame: RunFrame, progress: ProgressLine
  ) throws -> Result {
    guard plan.makesFile else {
      return measure(plan, file: path, target: target, frame: frame, progress: progress)
    }
    return try frame.inTestDirectory(of: path) { directory in
      let file = directory.path + "/" + PlannedFile(position: 1, set: 1, bytes: plan.bytes).name
      let writer = BlockTransfer(blockSize: plan.blockSize, seed: plan.seed, world: frame.session.world)
      progress.begin("Writing", bytes: plan.bytes)
      defer { progress.finish() }
      _ = try writer.write(file, bytes: plan.bytes, progress: progress.advance(bytes:))
      return measure(plan, file: file, target: target, frame: frame, progress: progress)
    }
  }

  private static func measure(
    _ plan: HashPlan, file: String, target: TargetRecord, frame: RunFrame, progress: ProgressLine
  ) -> Result {
    progress.begin("Hashing", bytes: plan.bytes * (plan.order.count + (plan.cached ? 1 : 0)))
    let shown = SharedProgress(progress)
    let measurement = HashMeasurement(
      plan: plan, path: file, cache: StorageCache(image: target.imageFile?.path), world: frame.session.world,
      progress: shown.advance)
    var outcome = measurement.run()
    progress.finish()
    if target.cachesAllTheSame { outcome.bypassedCache = false }
    var parameters = plan.parameters
    parameters["direct"] = .boolean(outcome.bypassedCache)
    let document = frame.document(
      RunContent(suite: "hash",
      method: MethodRecord(name: plan.method, version: HashPlan.version, parameters: parameters),
      target: target, series: series(from: outcome)), ending: outcome.ending,
      warnings: warnings(outcome))
    return Result(document: document, outcome: outcome)
  }

  /// Convert timings to a document's series.
  package static func series(from outcome: HashOutcome) -> [Series] {
    HashPlan.Part.allCases.compactMap { part in
      let own = outcome.timings.filter { $0.part == part }
      guard let bytes = own.first?.bytes else { return nil }
      return Series(
        metric: metric(part), parameters: ["file_size": .integer(bytes)],
        values: own.map { $0.speed.rounded() }, positions: own.map(\.position))
    }
  }

  private static func metric(_ part: HashPlan.Part) -> Metric {
    switch part {
    case .hashing: .hashSpeed
    case .reading: .diskStreamReadSpeed
    case .memory: .hashMemorySpeed
    }
  }

  private static func warnings(_ outcome: HashOutcome) -> [Warning] {
    var warnings: [Warning] = []
    if !outcome.bypassedCache { warnings.append(Warning(.cacheNotBypassed)) }
    if let worst = outcome.residency.map(\.share).max(), worst > Residency.tolerated {
      let share = Figures.fixed(worst * 100, 1)
      warnings.append(Warning(.readsMayBeCached, "up to \(share)% of the file's pages in memory"))
    }
    return warnings
  }
}

/// Progress reported by several threads.
final class SharedProgress: @unchecked Sendable {
  private let lock = NSLock()
  private let progress: ProgressLine

  init(_ progress: ProgressLine) { self.progress = progress }

  @Sendable func advance(bytes: Int) { lock.withLock { progress.advance(bytes: bytes) } }
}
