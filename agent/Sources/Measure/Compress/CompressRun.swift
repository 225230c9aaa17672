import Base
import Document

/// A run of the compression suite, from corpus to document.
package enum CompressRun {
  package struct Result {
    package var document: RunDocument
    package var outcome: CompressOutcome

    package init(document: RunDocument, outcome: CompressOutcome) {
      self.document = document
      self.outcome = outcome
    }
  }

  /// Run from memory to memory, without a target. The progress line has already begun.
  package static func perform(_ plan: CompressPlan, frame: RunFrame, progress: ProgressLine) -> Result {
    let measurement = measurement(plan, frame, progress)
    return result(plan, measurement.run(), frame: frame, target: nil, progress)
  }

  /// Run from file to file in a test directory inside `path`, which is on `target`.
  package static func perform(
    _ plan: CompressPlan, path: String, target: TargetRecord, frame: RunFrame, progress: ProgressLine
  ) throws -> Result {
    try frame.inTestDirectory(of: path) { directory in
      let outcome = measurement(plan, frame, progress)
        .run(in: directory.path, cache: StorageCache(image: target.imageFile?.path))
      return result(plan, outcome, frame: frame, target: target, progress)
    }
  }

  private static func measurement(
    _ plan: CompressPlan, _ frame: RunFrame, _ progress: ProgressLine
  ) -> CompressMeasurement {
    CompressMeasurement(plan: plan, world: frame.session.world, progress: SharedProgress(progress).advance)
  }

  private static func result(
    _ plan: CompressPlan, _ outcome: CompressOutcome, frame: RunFrame, target: TargetRecord?,
    _ progress: ProgressLine
  ) -> Result {
    progress.finish()
    var parameters = plan.parameters
    parameters["corpus_sha256"] = outcome.corpusDigest.map(Scalar.text)
    parameters["threads_seen"] = outcome.threadsSeen.map(Scalar.text)
    if let last = outcome.timings.last {
      parameters["compressed_bytes"] = .integer(last.compressed)
    }
    if plan.place == .files {
      parameters["cache"] = "invalidated"
      parameters["flushed"] = true
    }
    let document = frame.document(
      RunContent(suite: "compression",
      method: MethodRecord(
        name: plan.method, version: CompressPlan.version, parameters: parameters),
      target: target, series: CompressSeries.make(from: outcome, plan: plan)), ending: outcome.ending,
      warnings: warnings(outcome, frame.facts))
    return Result(document: document, outcome: outcome)
  }

  package static func warnings(_ outcome: CompressOutcome, _ facts: MachineFacts) -> [Warning] {
    var warnings = CoresRun.warnings(facts)
    if let more = outcome.timings.first(where: { $0.threadsSeen ?? $0.step.threads > $0.step.threads }) {
      warnings.append(Warning(
        .threadsNotExact, "\(more.threadsSeen ?? 0) threads seen where \(more.step.threads) were asked for"))
    }
    if let worst = outcome.residency.map(\.share).max(), worst > Residency.tolerated {
      let share = Figures.fixed(worst * 100, 1)
      warnings.append(Warning(.readsMayBeCached, "up to \(share)% of the corpus in memory"))
    }
    return warnings
  }
}

extension CompressOutcome {
  /// The most threads observed for each number requested: "1:1 2:2 4:5". nil if none were observed.
  var threadsSeen: String? {
    var most: [Int: Int] = [:]
    for timing in timings {
      guard let seen = timing.threadsSeen else { continue }
      most[timing.step.threads] = max(seen, most[timing.step.threads] ?? 0)
    }
    guard !most.isEmpty else { return nil }
    return most.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: " ")
  }
}

/// Conversion of timings to a document's series. Pure.
enum CompressSeries {
  static func make(from outcome: CompressOutcome, plan: CompressPlan) -> [Series] {
    var seen: [CompressStep] = []
    for timing in outcome.timings where !seen.contains(timing.step) { seen.append(timing.step) }
    let steps = seen.sorted { ($0.quality.rawValue, $0.threads) < ($1.quality.rawValue, $1.threads) }
    return steps.flatMap { step -> [Series] in
      let own = outcome.timings.filter { $0.step == step }
      let parameters: [String: Scalar] = [
        "threads": .integer(step.threads), "qos": .text(step.quality.rawValue),
        "core_context": .text(plan.context.name(threads: step.threads, quality: step.quality)),
        "file_size": .integer(plan.bytes),
      ]
      let positions = own.map(\.position)
      return [
        Series(
          metric: .compressionDuration, parameters: parameters, values: own.map(\.seconds),
          positions: positions),
        Series(
          metric: .compressionSpeed, parameters: parameters,
          values: own.map { (Double(plan.bytes) / $0.seconds).rounded() }, positions: positions),
      ]
    }
  }
}
