import Base

/// The result of one part of a pass.
package struct HashTiming: Equatable, Sendable {
  package var part: HashPlan.Part
  /// Position in the run, counted from 1.
  var position: Int
  package var bytes: Int
  package var seconds: Double

  package var speed: Double { Double(bytes) / seconds }
}

/// Everything that a run of `stream-sha256` measured, complete or not.
package struct HashOutcome: Sendable {
  package var timings: [HashTiming] = []
  var bypassedCache = true
  /// Cache residency of the file, before each part that reads it.
  var residency: [Residency] = []
  package var ending = RunEnding.complete

  /// The limit on the speed of hashing a file.
  package enum Limit: Equatable, Sendable { case reading, hashing, both }

  /// The limit by medians: the slower of reading and hashing alone, if hashing while reading comes
  /// within a tenth of it, otherwise both. nil if one of them is missing.
  package var limit: Limit? {
    func median(_ part: HashPlan.Part) -> Double? {
      Robust.median(timings.filter { $0.part == part }.map(\.speed))
    }
    guard let together = median(.hashing), let reading = median(.reading), let memory = median(.memory)
    else { return nil }
    guard together >= 0.9 * min(reading, memory) else { return .both }
    return reading < memory ? .reading : .hashing
  }
}

/// The same file gave two digests: what was read isn't what is stored.
struct DigestChanged: Error, CustomStringConvertible {
  var description: String { "the file's digest changed between two passes, so its results can't be trusted" }
}

/// One run of `stream-sha256` on an existing file.
struct HashMeasurement {
  let plan: HashPlan
  /// Absolute.
  let path: String
  let cache: StorageCache
  let world: World
  /// Callback with the bytes read or hashed since its last call.
  let progress: @Sendable (Int) -> Void

  /// Never throws: what was measured before an early end is part of the outcome.
  func run() -> HashOutcome {
    var outcome = HashOutcome()
    outcome.bypassedCache = !plan.cached
    do {
      if plan.cached { _ = try stream { _ in } }
      var digest: [UInt8]?
      for (index, part) in plan.order.enumerated() {
        let position = index + 1
        switch part {
        case .memory: outcome.timings.append(hashMemory(position))
        case .reading:
          try prepare(&outcome)
          outcome.timings.append(timing(.reading, position, try stream { _ in }, &outcome))
        case .hashing:
          try prepare(&outcome)
          let hash = Hashing()
          outcome.timings.append(timing(.hashing, position, try stream(hash.update), &outcome))
          let found = hash.finish()
          guard digest == nil || digest == found else { throw DigestChanged() }
          digest = found
        }
        if world.interrupted() { throw Interrupted() }
      }
    } catch {
      outcome.ending = RunEnding(error)
    }
    return outcome
  }

  private func prepare(_ outcome: inout HashOutcome) throws {
    guard !plan.cached else { return }
    outcome.residency += try cache.empty([path])
  }

  private func stream(_ take: @escaping @Sendable (UnsafeRawBufferPointer) -> Void) throws -> FileStream.Outcome {
    try FileStream(path: path, blockSize: plan.blockSize, direct: !plan.cached, world: world)
      .read(progress: progress, take)
  }

  private func timing(
    _ part: HashPlan.Part, _ position: Int, _ read: FileStream.Outcome, _ outcome: inout HashOutcome
  ) -> HashTiming {
    if !read.bypassedCache { outcome.bypassedCache = false }
    return HashTiming(part: part, position: position, bytes: read.bytes, seconds: read.seconds)
  }

  /// Hash as many bytes as the file has, from as much memory as the stream's ring has.
  private func hashMemory(_ position: Int) -> HashTiming {
    let data = Payload(blockSize: FileStream.blocks * plan.blockSize, seed: UInt64(plan.seed))
    let stint = ThreadTeam.run(1, quality: .userInteractive, world: world) { [data = Handover(data)] _ in
      let hash = StreamingDigest()
      var rest = plan.bytes
      let block = data.value.nextBlock()
      while rest > 0, !world.interrupted() {
        for offset in stride(from: 0, to: FileStream.blocks * plan.blockSize, by: plan.blockSize) where rest > 0 {
          let count = min(rest, plan.blockSize)
          hash.update(UnsafeRawBufferPointer(start: block + offset, count: count))
          rest -= count
          progress(count)
        }
      }
      _ = hash.finish()
      return plan.bytes - rest
    }[0]
    return HashTiming(part: .memory, position: position, bytes: stint.work, seconds: stint.seconds)
  }
}

/// A digest updated by the stream's consuming thread, and finished after that thread has ended.
private final class Hashing: @unchecked Sendable {
  private let digest = StreamingDigest()

  @Sendable func update(_ bytes: UnsafeRawBufferPointer) { digest.update(bytes) }
  func finish() -> [UInt8] { digest.finish() }
}

/// A value whose ownership passes to another thread.
private struct Handover<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
