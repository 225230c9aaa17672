import Base
import Foundation

/// The result of one test.
package struct LatencyTiming: Equatable, Sendable {
  package var test: LatencyTest
  /// Position in the run, counted from 1.
  var position: Int
  /// Seconds of single transfers, sampled evenly over the test's time.
  package var seconds: [Double]
  package var transfers: Int
  /// From the first thread's start to the last thread's end.
  package var duration: Double
}

/// Everything that a run of `latency` measured, complete or not.
package struct LatencyOutcome: Sendable {
  package var timings: [LatencyTiming] = []
  /// Cache residency before each read test.
  var residency: [Residency] = []
  /// Cache residency after each write test.
  var written: [Residency] = []
  var bypassedCache = true
  package var ending = RunEnding.complete
}

/// One run of `latency` on an existing file. The cache is emptied before each test, so that pages
/// in memory after writing went through the cache.
struct LatencyMeasurement {
  let plan: LatencyPlan
  /// Absolute.
  let path: String
  let cache: StorageCache
  let world: World
  let progress: ProgressLine

  /// Never throws: what was measured before an early end is part of the outcome.
  func run() -> LatencyOutcome {
    var outcome = LatencyOutcome()
    let places = Dictionary(uniqueKeysWithValues: [.read, .write].map { ($0, plan.shuffledPlaces($0)) })
    var begun: [LatencyTest.Move: Int] = [:]
    progress.begin("Small transfers", steps: plan.tests.count)
    do {
      for (index, test) in plan.tests.enumerated() {
        let found = try cache.empty([path])
        if test.move == .read { outcome.residency += found }
        let own = places[test.move] ?? []
        let begin = begun[test.move] ?? 0
        let timing = try measure(test, position: index + 1, own, begin, &outcome)
        begun[test.move] = (begin + plan.transfers(test)) % own.count
        if test.move == .write { outcome.written += try cache.residency(of: [path]) }
        outcome.timings.append(timing)
        progress.advance(steps: 1)
      }
    } catch {
      outcome.ending = RunEnding(error)
    }
    progress.finish()
    return outcome
  }

  private func measure(
    _ test: LatencyTest, position: Int, _ places: [Int], _ begin: Int, _ outcome: inout LatencyOutcome
  ) throws -> LatencyTiming {
    let file = try DirectFile.open(path, test.move == .read ? O_RDONLY : O_WRONLY)
    defer { file.close() }
    if !file.bypassesCache { outcome.bypassedCache = false }
    let each = plan.transfers(test) / test.depth
    // One transfer's bytes per thread, in one allocation.
    let memory = SharedMemory(bytes: test.depth * test.bytes, seed: plan.seed)
    let (descriptor, world) = (file.descriptor, world)
    let stints = ThreadTeam.run(test.depth, quality: .userInteractive, world: world) { thread in
      Result {
        let places = (0..<each).lazy.map { places[(begin + $0 * test.depth + thread) % places.count] }
        return try Self.transfer(test, descriptor, memory.start + thread * test.bytes, places, world)
      }
    }
    if world.interrupted() { throw Interrupted() }
    let seconds = try stints.map { try $0.work.get() }
    let started = stints.map(\.started).min() ?? 0
    let ended = stints.map(\.ended).max() ?? 0
    return LatencyTiming(
      test: test, position: position, seconds: Self.sample(seconds),
      transfers: seconds.map(\.count).reduce(0, +), duration: Double(max(1, ended - started)) / 1e9)
  }

  /// Run one thread's transfers in sequence; return the seconds of each.
  private static func transfer(
    _ test: LatencyTest, _ descriptor: Int32, _ memory: UnsafeMutableRawPointer, _ places: some Collection<Int>,
    _ world: World
  ) throws -> [Double] {
    var seconds: [Double] = []
    seconds.reserveCapacity(places.count)
    let deadline = world.monotonic() + UInt64(LatencyPlan.mostSeconds * 1e9)
    for (number, place) in places.enumerated() {
      let offset = off_t(place * test.bytes)
      if test.move == .write { stamp(memory, test.bytes, UInt64(number) &+ UInt64(bitPattern: Int64(offset)) << 20) }
      let started = world.monotonic()
      let done = test.move == .read
        ? pread(descriptor, memory, test.bytes, offset)
        : pwrite(descriptor, memory, test.bytes, offset)
      let ended = world.monotonic()
      guard done == test.bytes else {
        if done < 0, errno == EINTR { continue }
        throw TransferError(call: test.move.rawValue, code: done < 0 ? errno : EIO)
      }
      seconds.append(Double(max(1, ended - started)) / 1e9)
      if ended > deadline || world.interrupted() { break }
    }
    return seconds
  }

  /// Make all pages distinct: a drive could deduplicate equal ones.
  private static func stamp(_ memory: UnsafeMutableRawPointer, _ bytes: Int, _ number: UInt64) {
    for page in stride(from: 0, to: bytes, by: Payload.pageSize) {
      memory.storeBytes(of: number &+ UInt64(page), toByteOffset: page, as: UInt64.self)
    }
  }

  /// Sample all threads' times evenly over the test, up to the limit.
  static func sample(_ threads: [[Double]]) -> [Double] {
    let longest = threads.map(\.count).max() ?? 0
    let inTurn = (0..<longest).flatMap { number in
      threads.compactMap { number < $0.count ? $0[number] : nil }
    }
    guard inTurn.count > LatencyPlan.samples else { return inTurn }
    return (0..<LatencyPlan.samples).map { inTurn[$0 * inTurn.count / LatencyPlan.samples] }
  }
}

/// Random bytes; each thread uses its own part.
private final class SharedMemory: @unchecked Sendable {
  private let memory: AlignedMemory
  var start: UnsafeMutableRawPointer { memory.start }

  init(bytes: Int, seed: Int) {
    memory = AlignedMemory(bytes: bytes)
    var generator = SplitMix64(seed: UInt64(bitPattern: Int64(seed)))
    for place in stride(from: 0, to: bytes, by: 8) {
      memory.start.storeBytes(of: generator.next(), toByteOffset: place, as: UInt64.self)
    }
  }
}
