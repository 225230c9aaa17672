import Base
import Foundation

/// How one test fared.
package struct LatencyTiming: Equatable, Sendable {
  package var test: LatencyTest
  /// Its place in the run, counted from 1.
  var position: Int
  /// Seconds of single transfers, evenly over the test's time.
  package var seconds: [Double]
  package var transfers: Int
  /// From the first thread's start to the last one's end.
  package var duration: Double
}

/// Everything a run of `latency` found out, finished or not.
package struct LatencyOutcome: Sendable {
  package var timings: [LatencyTiming] = []
  /// Before each test that reads.
  var residency: [Residency] = []
  var bypassedCache = true
  package var ending = RunEnding.complete
}

/// One run of `latency` on a file that is there, of whole pages.
struct LatencyMeasurement {
  let plan: LatencyPlan
  /// Absolute.
  let path: String
  let cache: StorageCache
  let world: World
  let progress: ProgressLine

  /// Never throws: what was measured until an end that came early is part of the outcome.
  func run() -> LatencyOutcome {
    var outcome = LatencyOutcome()
    let pages = plan.shuffledPages
    var begin = 0
    progress.begin("Small transfers", steps: plan.tests.count)
    do {
      for (index, test) in plan.tests.enumerated() {
        if test.move == .read {
          outcome.residency += try cache.empty([path])
        }
        let timing = try measure(test, position: index + 1, pages, begin, &outcome)
        begin = (begin + plan.transfers(test)) % pages.count
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
    _ test: LatencyTest, position: Int, _ pages: [Int], _ begin: Int, _ outcome: inout LatencyOutcome
  ) throws -> LatencyTiming {
    let file = try DirectFile.open(path, test.move == .read ? O_RDONLY : O_WRONLY)
    defer { file.close() }
    if !file.bypassesCache { outcome.bypassedCache = false }
    let each = plan.transfers(test) / test.depth
    // A page a thread, all of them in one piece of memory.
    let memory = SharedMemory(bytes: test.depth * LatencyPlan.transferBytes, seed: plan.seed)
    let (descriptor, world) = (file.descriptor, world)
    let stints = ThreadTeam.run(test.depth, quality: .userInteractive, world: world) { thread in
      Result {
        let places = (0..<each).lazy.map { pages[(begin + $0 * test.depth + thread) % pages.count] }
        let page = memory.start + thread * LatencyPlan.transferBytes
        return try Self.transfer(test.move, descriptor, page, places, world)
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

  /// One thread's transfers, one after the other; seconds of each.
  private static func transfer(
    _ move: LatencyTest.Move, _ descriptor: Int32, _ page: UnsafeMutableRawPointer, _ places: some Collection<Int>,
    _ world: World
  ) throws -> [Double] {
    var seconds: [Double] = []
    seconds.reserveCapacity(places.count)
    let deadline = world.monotonic() + UInt64(LatencyPlan.mostSeconds * 1e9)
    for (number, place) in places.enumerated() {
      let offset = off_t(place * LatencyPlan.transferBytes)
      // No two pages alike: a drive could fold them.
      if move == .write { page.storeBytes(of: UInt64(number) &+ UInt64(bitPattern: Int64(offset)) << 20, as: UInt64.self) }
      let started = world.monotonic()
      let done = move == .read
        ? pread(descriptor, page, LatencyPlan.transferBytes, offset)
        : pwrite(descriptor, page, LatencyPlan.transferBytes, offset)
      let ended = world.monotonic()
      guard done == LatencyPlan.transferBytes else {
        if done < 0, errno == EINTR { continue }
        throw TransferError(call: move.rawValue, code: done < 0 ? errno : EIO)
      }
      seconds.append(Double(max(1, ended - started)) / 1e9)
      if ended > deadline || world.interrupted() { break }
    }
    return seconds
  }

  /// As many of all threads' as are kept, evenly over the time.
  static func sample(_ threads: [[Double]]) -> [Double] {
    let longest = threads.map(\.count).max() ?? 0
    let inTurn = (0..<longest).flatMap { number in
      threads.compactMap { number < $0.count ? $0[number] : nil }
    }
    guard inTurn.count > LatencyPlan.samples else { return inTurn }
    return (0..<LatencyPlan.samples).map { inTurn[$0 * inTurn.count / LatencyPlan.samples] }
  }
}

/// Random bytes of which each thread uses its own page.
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
