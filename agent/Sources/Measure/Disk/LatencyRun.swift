import Base
import Document

/// A run of `latency`, from file to document.
package enum LatencyRun {
  package static func perform(
    _ plan: LatencyPlan, path: String, target: TargetRecord, frame: RunFrame, progress: ProgressLine
  ) throws -> (document: RunDocument, outcome: LatencyOutcome) {
    let world = frame.session.world
    return try frame.inTestDirectory(of: path) { directory in
      let file = directory.path + "/" + PlannedFile(position: 1, set: 1, bytes: plan.bytes).name
      let writer = BlockTransfer(blockSize: 1 << 20, seed: plan.seed, world: world)
      defer { progress.finish() }
      progress.begin("Writing", bytes: plan.bytes)
      _ = try writer.write(file, bytes: plan.bytes, progress: progress.advance(bytes:))
      var outcome = LatencyMeasurement(
        plan: plan, path: file, cache: StorageCache(image: target.imageFile?.path), world: world, progress: progress
      ).run()
      if target.cachesAllTheSame { outcome.bypassedCache = false }
      return (document(plan, outcome, target, frame), outcome)
    }
  }

  private static func document(
    _ plan: LatencyPlan, _ outcome: LatencyOutcome, _ target: TargetRecord, _ frame: RunFrame
  ) -> RunDocument {
    var parameters: [String: Scalar] = [
      "file_bytes": .integer(plan.bytes), "read_size": .integer(LatencyTest(move: .read, depth: 1).bytes),
      "write_size": .integer(LatencyTest(move: .write, depth: 1).bytes), "seed": .integer(plan.seed),
      "cache": "invalidated", "queue": "threads", "direct": .boolean(outcome.bypassedCache),
    ]
    for timing in outcome.timings { parameters["transfers_" + timing.test.name] = .integer(timing.transfers) }
    let series = outcome.timings.sorted { $0.test.name < $1.test.name }.map { timing in
      Series(metric: .diskLatency, parameters: ["test": .text(timing.test.name)], values: timing.seconds)
    }
    return frame.document(
      RunContent(suite: "disk", method: MethodRecord(name: plan.method, version: LatencyPlan.version, parameters: parameters),
      target: target, series: series), ending: outcome.ending,
      warnings: Warning.reading(bypassedCache: outcome.bypassedCache, outcome.residency)
        + Warning.writing(outcome.written))
  }
}
