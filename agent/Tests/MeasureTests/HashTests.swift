import Foundation
import TestSupport
import Testing

@testable import Base
@testable import Document
@testable import Measure

@Suite struct StreamingDigestTests {
  @Test("the platform's library and the agent's own arithmetic agree, however the data is cut")
  func agree() {
    let data = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    for part in [1, 63, 64, 65, 4096, 100_000] {
      let digest = StreamingDigest()
      data.withUnsafeBytes { bytes in
        for start in stride(from: 0, to: bytes.count, by: part) {
          digest.update(UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + part, bytes.count)]))
        }
      }
      #expect(digest.finish() == SHA256.digest(of: data))
    }
    // FIPS 180-4, for an empty message.
    #expect(StreamingDigest().finish().hexadecimal.hasPrefix("e3b0c44298fc1c149afbf4c8996fb924"))
  }
}

@Suite struct FileStreamTests {
  let directory = try! TemporaryDirectory()

  func make(_ bytes: Int) throws -> (path: String, data: Data) {
    var generator = SplitMix64(seed: 5)
    var data = Data(capacity: bytes)
    while data.count < bytes { data.append(UInt8(truncatingIfNeeded: generator.next())) }
    let path = directory.path + "/file"
    try data.write(to: URL(fileURLWithPath: path))
    return (path, data)
  }

  @Test("hands over every byte in order, once, past the cache and through it", arguments: [
    0, 1, 4095, 65536, 65537, 1_000_003,
  ])
  func bytes(count: Int) throws {
    let (path, data) = try make(count)
    for direct in [true, false] {
      let collected = Collected()
      let stream = FileStream(path: path, blockSize: 65536, direct: direct, world: .test())
      let outcome = try stream.read(progress: { _ in }, collected.append)
      #expect(outcome.bytes == count)
      #expect(collected.data == data)
      #expect(outcome.bypassedCache == direct)
    }
  }

  @Test("a file that is not there is an error, and stopping stops")
  func ends() throws {
    let missing = FileStream(path: directory.path + "/no", blockSize: 4096, direct: true, world: .test())
    #expect(throws: TransferError.self) { try missing.read(progress: { _ in }, { _ in }) }
    var world = World.test()
    world.interrupted = { true }
    let stopped = FileStream(path: try make(10000).path, blockSize: 4096, direct: true, world: world)
    #expect(throws: Interrupted.self) { try stopped.read(progress: { _ in }, { _ in }) }
  }
}

@Suite struct HashMeasurementTests {
  let directory = try! TemporaryDirectory()

  func measure(_ plan: HashPlan) throws -> HashOutcome {
    let path = directory.path + "/file"
    _ = try BlockTransfer(blockSize: 1 << 20, seed: 1, world: .test())
      .write(path, bytes: plan.bytes, progress: { _ in })
    return HashMeasurement(plan: plan, path: path, cache: StorageCache(image: nil), world: .test(), progress: { _ in }).run()
  }

  @Test("every pass hashes, reads and hashes from memory, each in full")
  func run() throws {
    let plan = HashPlan(bytes: 8_000_000, passes: 3, seed: 4)
    let outcome = try measure(plan)
    #expect(outcome.ending == .complete)
    #expect(outcome.timings.map(\.part) == plan.order)
    #expect(outcome.timings.allSatisfy { $0.bytes == 8_000_000 && $0.seconds > 0 })
    #expect(outcome.bypassedCache)
    #expect(outcome.residency.count == 6)
    #expect(outcome.residency.allSatisfy { $0.share <= Residency.tolerated })
    let series = HashRun.series(from: outcome)
    #expect(series.map(\.metric) == [.hashSpeed, .diskStreamReadSpeed, .hashMemorySpeed])
    #expect(series.allSatisfy { $0.values.count == 3 && $0.parameters == ["file_size": .integer(8_000_000)] })
    #expect(Set(series.flatMap { $0.positions ?? [] }) == Set(1...9))
  }

  @Test("read through the cache when asked, and then says so")
  func cached() throws {
    let outcome = try measure(HashPlan(bytes: 4_000_000, passes: 1, seed: 4, cached: true))
    #expect(!outcome.bypassedCache)
    #expect(outcome.residency.isEmpty)
    #expect(outcome.timings.count == 3)
  }

  @Test("the order is the seed's, and every pass has every part")
  func order() {
    let plan = HashPlan(passes: 20, seed: 9)
    #expect(plan.order == HashPlan(passes: 20, seed: 9).order)
    #expect(plan.order != HashPlan(passes: 20, seed: 10).order)
    for pass in 0..<20 { #expect(Set(plan.order[pass * 3..<pass * 3 + 3]).count == 3) }
    #expect(plan.bytes == 16_000_000_000)
  }

  @Test("says which of the two ceilings limits", arguments: [
    (4.0, 2.1, 2.0, HashOutcome.Limit.hashing), (1.0, 2.1, 0.98, .reading), (2.0, 2.1, 1.0, .both),
  ])
  func limit(reading: Double, memory: Double, together: Double, expected: HashOutcome.Limit) {
    var outcome = HashOutcome()
    #expect(outcome.limit == nil)
    for (part, speed) in [(HashPlan.Part.reading, reading), (.memory, memory), (.hashing, together)] {
      outcome.timings.append(HashTiming(part: part, position: 1, bytes: 1_000_000_000, seconds: 1 / speed))
    }
    #expect(outcome.limit == expected)
  }
}

private final class Collected: @unchecked Sendable {
  private(set) var data = Data()
  @Sendable func append(_ bytes: UnsafeRawBufferPointer) { data.append(contentsOf: bytes) }
}
