import Base
import Document

/// The result of compressing the corpus once.
package struct CompressTiming: Equatable, Sendable {
  package var step: CompressStep
  /// Position in the run, counted from 1.
  var position: Int
  package var seconds: Double
  /// Total bytes of compressed blocks.
  package var compressed: Int
  /// Number of threads observed; nil if unknown.
  var threadsSeen: Int?
}

/// Everything that a run of `thread-sweep` measured, complete or not.
package struct CompressOutcome: Sendable {
  package var timings: [CompressTiming] = []
  /// SHA-256 of the corpus, in hexadecimal.
  var corpusDigest: String?
  /// Cache residency of the corpus file, before each step that reads it.
  var residency: [Residency] = []
  package var ending = RunEnding.complete
}

/// Why no compression results can be reported.
enum CompressError: Error, CustomStringConvertible, Equatable {
  case failed
  case wrongResult

  var description: String {
    switch self {
    case .failed: "the compression library refused a block"
    case .wrongResult: "the data was not the same after decompressing; nothing is reported"
    }
  }
}

/// One run of `thread-sweep`: generate the corpus, then compress all of it in each step.
struct CompressMeasurement {
  let plan: CompressPlan
  let world: World
  /// Callback with the bytes compressed since its last call.
  let progress: @Sendable (Int) -> Void

  /// Measure in memory. Never throws: what was measured before an early end is part of the outcome.
  func run() -> CompressOutcome {
    run { try MemorySweep(plan: plan, world: world, progress: progress) }
  }

  /// Measure from file to file in the run's own directory.
  func run(in directory: String, cache: StorageCache) -> CompressOutcome {
    run { try FileSweep(plan: plan, directory: directory, cache: cache, world: world, progress: progress) }
  }

  private func run(_ prepare: () throws -> any CompressSweep) -> CompressOutcome {
    var outcome = CompressOutcome()
    do {
      try BlockCompressor.check(plan.corpus)
      let sweep = try prepare()
      outcome.corpusDigest = sweep.corpusDigest
      for (index, step) in plan.steps.enumerated() {
        outcome.residency += try sweep.evict()
        let done = try sweep.compress(step)
        if world.interrupted() { throw Interrupted() }
        // The same blocks give the same bytes, however many threads share them.
        let before = outcome.timings.first?.compressed
        guard before == nil || before == done.compressed else { throw CompressError.wrongResult }
        outcome.timings.append(CompressTiming(
          step: step, position: index + 1, seconds: done.seconds, compressed: done.compressed,
          threadsSeen: done.threadsSeen))
      }
    } catch {
      outcome.ending = RunEnding(error)
    }
    return outcome
  }
}

/// One way to compress the corpus.
protocol CompressSweep {
  var corpusDigest: String { get }
  /// Evict the corpus from the system's cache; no-op if it is in memory anyway.
  func evict() throws -> [Residency]
  func compress(_ step: CompressStep) throws -> (seconds: Double, compressed: Int, threadsSeen: Int?)
}

/// Compression from memory to memory.
struct MemorySweep: CompressSweep {
  private let plan: CompressPlan
  private let world: World
  private let progress: @Sendable (Int) -> Void
  private let memory: CorpusMemory
  let corpusDigest: String

  /// Generate the corpus.
  init(plan: CompressPlan, world: World, progress: @escaping @Sendable (Int) -> Void) throws {
    self.plan = plan
    self.world = world
    self.progress = progress
    let made = try CorpusMemory(plan.corpus, world: world)
    memory = made
    let digest = StreamingDigest()
    for number in 0..<plan.blocks { digest.update(made.block(number)) }
    corpusDigest = digest.finish().hexadecimal
  }

  func evict() throws -> [Residency] { [] }

  func compress(_ step: CompressStep) throws -> (seconds: Double, compressed: Int, threadsSeen: Int?) {
    let queue = BlockQueue(plan.blocks)
    let stints = ThreadTeam.run(step.threads, quality: step.quality, world: world) { _ -> [Int] in
      let compressor = BlockCompressor()
      var sizes: [Int] = []
      while !world.interrupted(), let number = queue.next() {
        sizes.append(compressor.compress(memory.block(number)).count)
        progress(Corpus.blockBytes)
      }
      return sizes
    }
    guard !stints.contains(where: { $0.work.contains(0) }) else { throw CompressError.failed }
    let started = stints.map(\.started).min() ?? 0
    let ended = stints.map(\.ended).max() ?? 0
    return (
      Double(max(1, ended - started)) / 1e9, stints.flatMap(\.work).reduce(0, +),
      stints.count { !$0.work.isEmpty }
    )
  }
}
