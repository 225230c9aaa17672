import Foundation
import TestSupport
import Testing

@testable import Base
@testable import Document
@testable import Measure

private let context = CoreContext(tiers: nil, cores: 2)

private func block(_ corpus: Corpus, _ number: Int) -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: Corpus.blockBytes)
  bytes.withUnsafeMutableBytes { corpus.make(number, into: $0) }
  return bytes
}

private func digest(_ bytes: [UInt8]) -> String {
  let digest = StreamingDigest()
  bytes.withUnsafeBytes(digest.update)
  return digest.finish().hexadecimal
}

@Suite struct CorpusTests {
  let corpus = Corpus(seed: CompressPlan.corpusSeed, blocks: 4)

  @Test("the same bytes on every machine, forever: another corpus is another version")
  func digests() {
    #expect(digest(block(corpus, 0))
      == "d5dca276baee1520d3afa02fa4b9a6d4faf1dffb7c29b88065e073f82c660cc2")
    #expect(digest(block(corpus, 1))
      == "29cb8c700c6b64e668e39cf2dc8ba51d2ff41af6459045c4e0162216a0017460")
  }

  @Test("blocks differ until they repeat, and seeds differ")
  func differ() {
    #expect(block(corpus, 0) != block(corpus, 2))
    #expect(block(corpus, 1) == block(corpus, 1 + Corpus.differentBlocks))
    #expect(block(corpus, 0) != block(Corpus(seed: 2, blocks: 4), 0))
  }

  @Test("shrinks as text and records do: neither zeros nor noise")
  func shrinks() {
    let compressor = BlockCompressor()
    for number in 0..<2 {
      let bytes = block(corpus, number)
      let size = bytes.withUnsafeBytes { compressor.compress($0).count }
      let ratio = Double(bytes.count) / Double(size)
      #expect((1.8...4).contains(ratio), "block \(number): \(ratio)")
    }
    let text = block(corpus, 0)
    #expect(text.allSatisfy { $0 == 10 || (32..<127).contains($0) })
  }
}

@Suite struct BlockCompressorTests {
  @Test("what went in comes out, and what is damaged does not")
  func roundTrip() throws {
    try BlockCompressor.check(Corpus(seed: 3, blocks: 2))
    let bytes = block(Corpus(seed: 3, blocks: 2), 0)
    let compressor = BlockCompressor()
    var packed = bytes.withUnsafeBytes { Array(compressor.compress($0)) }
    packed[packed.count / 2] ^= 0x55
    #expect(packed.withUnsafeBytes { BlockCompressor.decompress($0) } != bytes)
  }
}

@Suite struct CompressPlanTests {
  @Test("every number of threads, shuffled by the seed; announced bytes cover what is written")
  func plan() {
    let plan = CompressPlan(
      place: .files, repetitions: 2, seed: 5, context: CoreContext(tiers: nil, cores: 8))
    #expect(plan.steps.count == 16)
    #expect(Set(plan.steps.map(\.threads)) == Set(1...8))
    #expect(plan.bytes == 1 << 30)
    #expect(plan.bytesWritten == 17 << 30)
    #expect(plan.bytesNeeded == 3 << 29)
    let memory = CompressPlan(
      place: .memory, quick: true, seed: 5, context: context)
    #expect(memory.bytes == 256 << 20)
    #expect(memory.bytesWritten == 0)
    #expect(memory.method.hasSuffix("-quick"))
    #expect(!plan.method.hasSuffix("-quick"))
    #expect(plan.method.contains("-files"))
  }
}

@Suite struct CompressPaceTests {
  private func pace(_ speeds: [Int: Double]) -> CompressPace {
    CompressPace(speeds: [.userInteractive: speeds], making: 400e6, digesting: 800e6)
  }

  @Test("speed grows evenly between the numbers of threads that were tried, and not beyond them")
  func speeds() {
    let pace = pace([1: 100, 5: 300])
    let speeds = [1, 2, 3, 5, 9].map { pace.speed(CompressStep(quality: .userInteractive, threads: $0)) }
    #expect(speeds == [100, 150, 200, 300, 300])
    // Another quality was never measured: still a finite speed.
    #expect(pace.speed(CompressStep(quality: .background, threads: 1)) == 400e6)
  }

  @Test("estimated from one thread and all of them, a sweep over unlike cores takes at most half as long again")
  func sweeps() {
    // Speeds of each tier's cores relative to the first tier's, fastest first: the gain of each
    // added thread.
    for tiers in [[(4, 1.0), (4, 0.3)], [(10, 1.0), (4, 0.4)], [(6, 1.0), (12, 0.7)], [(8, 1.0), (2, 0.3)], [(2, 1.0)]] {
      let adds = tiers.flatMap { Array(repeating: $0.1, count: $0.0) }
      let truth = (1...adds.count).map { count in 150e6 * adds.prefix(count).reduce(0, +) }
      let plan = CompressPlan(place: .memory, seed: 3, context: CoreContext(tiers: nil, cores: adds.count))
      let told = pace([1: truth[0], adds.count: truth[adds.count - 1]])
      let taken = truth.map { Double(plan.bytes) / $0 }.reduce(0, +) + told.preparing(plan, cores: adds.count)
      let ratio = told.seconds(plan, cores: adds.count) / taken
      #expect((1 / 1.5...1.5).contains(ratio), "\(tiers): \(ratio)")
    }
  }

  @Test("time left follows the steps: half of the bytes is not half of the time")
  func left() {
    let plan = CompressPlan(place: .memory, quick: true, seed: 1, threads: [1, 2], context: context)
    let share = pace([1: 10e6, 2: 30e6]).share(plan, cores: 2)
    #expect(share(0) > 0 && share(0) < 0.05)
    #expect(abs(share(plan.bytes * 2) - 1) < 1e-9)
    let shares = stride(from: 0, through: plan.bytes * 2, by: plan.bytes / 8).map(share)
    #expect(shares == shares.sorted())
    let first = Double(plan.steps[0].threads == 1 ? 3 : 1) / 4
    #expect(abs(share(plan.bytes) - first) < 0.05)

    let transcript = Transcript()
    var world = World.test(transcript: transcript)
    let clock = Done()
    world.monotonic = { UInt64(clock.count) * 1_000_000_000 }
    let progress = ProgressLine(phases: 1, world: world)
    progress.begin("Compressing", bytes: 400) { $0 < 200 ? Double($0) * 0.75 / 200 : 0.75 + Double($0 - 200) * 0.25 / 200 }
    clock.count = 30
    progress.advance(bytes: 200)
    #expect(transcript.said.hasSuffix("Compressing 50% · 200 B of 400 B · about 10 s left"))
  }

  @Test("tried on this machine")
  func measured() throws {
    let plan = CompressPlan(place: .memory, quick: true, seed: 1, threads: [1, 2], context: context)
    let pace = CompressPace.measure(plan, cores: 2, world: .test())
    let speeds = try #require(pace.speeds[.userInteractive])
    #expect(speeds.keys.sorted() == [1, 2])
    #expect((speeds.values + [pace.making, pace.digesting]).allSatisfy { $0 > 0 && $0.isFinite })
  }

  @Test("what a file is made of moves to and from storage; in memory nothing does")
  func moved() {
    #expect(CompressPlan(place: .files, quick: true, seed: 1, threads: [1, 2], context: context).bytesMoved == 1024 << 20)
    #expect(CompressPlan(place: .memory, quick: true, seed: 1, threads: [1, 2], context: context).bytesMoved == 0)
  }
}

@Suite(.serialized) struct CompressMeasurementTests {
  func plan(_ place: CompressPlan.Place) -> CompressPlan {
    CompressPlan(place: place, blocks: 3, repetitions: 2, seed: 1, threads: [1, 2], context: context)
  }

  @Test("in memory: the whole corpus for each step, the same bytes from any number of threads")
  func memory() throws {
    let plan = plan(.memory)
    let outcome = CompressMeasurement(plan: plan, world: .test(), progress: { _ in }).run()
    #expect(outcome.ending == .complete)
    #expect(outcome.timings.map(\.step) == plan.steps)
    #expect(Set(outcome.timings.map(\.compressed)).count == 1)
    #expect(outcome.residency.isEmpty)
    #expect(outcome.timings.allSatisfy { $0.threadsSeen ?? 0 <= $0.step.threads })
    let series = CompressSeries.make(from: outcome, plan: plan)
    #expect(series.map(\.metric) == [
      .compressionDuration, .compressionSpeed, .compressionDuration, .compressionSpeed,
    ])
    for (duration, speed) in zip(series[0].values, series[1].values) {
      #expect(abs(speed * duration - Double(3 << 20)) < 1)
    }
    #expect(series[2].parameters == [
      "threads": 2, "qos": "user-interactive", "core_context": "Core/high", "file_size": .integer(3 << 20),
    ])
  }

  @Test("file to file: the same corpus from storage, its threads seen, an archive that can be undone")
  func files() throws {
    let directory = try TemporaryDirectory()
    let plan = plan(.files)
    let world = World.real([:])
    let outcome = CompressMeasurement(plan: plan, world: world, progress: { _ in }).run(in: directory.path, cache: StorageCache(image: nil))
    #expect(outcome.ending == .complete)
    #expect(outcome.timings.count == 4)
    #expect(outcome.residency.count == 4)
    #expect(outcome.residency.allSatisfy { $0.share <= Residency.tolerated })
    let source = try Data(contentsOf: URL(fileURLWithPath: directory.path + "/corpus.macmeter"))
    #expect(outcome.corpusDigest == digest([UInt8](source)))
    let memory = CompressMeasurement(plan: self.plan(.memory), world: world, progress: { _ in }).run()
    #expect(outcome.corpusDigest == memory.corpusDigest)
    #if !canImport(AppleArchive)
      let archive = try Data(contentsOf: URL(fileURLWithPath: directory.path + "/archive.macmeter"))
      #expect(unpacked([UInt8](archive)) == [UInt8](source))
    #endif
  }

  /// Blocks are stored in order of completion, each after its number and its length.
  func unpacked(_ archive: [UInt8]) -> [UInt8]? {
    var blocks: [Int: [UInt8]] = [:]
    var place = 0
    while place < archive.count {
      let head = archive[place..<place + 8].enumerated().reduce(0) { $0 | Int($1.element) << (8 * $1.offset) }
      let (number, count) = (head & 0xffff_ffff, head >> 32)
      let packed = Array(archive[place + 8..<place + 8 + count])
      guard let block = packed.withUnsafeBytes({ BlockCompressor.decompress($0) }) else { return nil }
      blocks[number] = block
      place += 8 + count
    }
    return blocks.sorted { $0.key < $1.key }.flatMap(\.value)
  }

  @Test("stopped, it keeps the steps that were whole")
  func interrupted() {
    var world = World.test()
    let blocks = BlockQueue(.max)
    let done = Done()
    world.interrupted = { done.count > 4 }  // during the second step
    let stopped = CompressMeasurement(plan: plan(.memory), world: world) { _ in
      done.count = (blocks.next() ?? 0) + 1
    }.run()
    #expect(stopped.ending == .interrupted)
    #expect(stopped.timings.count == 1)
    #expect(CompressSeries.make(from: stopped, plan: plan(.memory)).allSatisfy { $0.values.count == 1 })
  }

  @Test("more threads than asked for is a warning")
  func threadsNotExact() {
    var outcome = CompressOutcome()
    let step = CompressStep(quality: .userInteractive, threads: 2)
    outcome.timings = [CompressTiming(step: step, position: 1, seconds: 1, compressed: 1, threadsSeen: 3)]
    #expect(CompressRun.warnings(outcome, MachineFacts()).map(\.code) == [.threadsNotExact])
    #expect(outcome.threadsSeen == "2:3")
    outcome.timings[0].threadsSeen = nil
    #expect(CompressRun.warnings(outcome, MachineFacts()).isEmpty)
    #expect(outcome.threadsSeen == nil)
  }
}

@Suite struct ThreadSamplerTests {
  @Test("sees threads that come and go, not those that were there")
  func sees() throws {
    let world = World.real([:])
    // Other tests start and end threads meanwhile, which can hide these.
    let seen = try (0..<20).contains { _ in
      let sampler = ThreadSampler(world: world)
      _ = ThreadTeam.run(3, quality: .background, world: world) { _ in world.sleep(0.1) }
      return try #require(sampler.stop()) >= 3
    }
    #expect(seen)
  }
}

private final class Done: @unchecked Sendable {
  private let lock = NSLock()
  private var number = 0

  var count: Int {
    get { lock.withLock { number } }
    set { lock.withLock { number = newValue } }
  }
}
