import Foundation

/// The quality of service asked for. macOS offers no pinning: this alone tells it which cores to use.
/// Elsewhere it has no effect.
enum ThreadQuality: String, Sendable, CaseIterable {
  /// Fastest tier first, then spilling over to the next. QoS 33.
  case userInteractive = "user-interactive"
  /// Kept on the lowest tier. QoS 9.
  case background

  /// Those that this system tells apart.
  static var distinct: [ThreadQuality] {
    #if canImport(Darwin)
      allCases
    #else
      [.userInteractive]
    #endif
  }

  var system: QualityOfService { self == .userInteractive ? .userInteractive : .background }
}

/// What one thread of a team did, on the monotonic clock in nanoseconds.
struct Stint<Work: Sendable>: Sendable {
  var started: UInt64
  var ended: UInt64
  var work: Work

  var seconds: Double { Double(max(1, ended - started)) / 1e9 }
}

/// Threads that start together, each timed by itself.
enum ThreadTeam {
  /// Runs `body` once on each of `count` threads and waits for all; the body is given its thread's
  /// number, counted from 0. Every thread waits at a gate until the last has come, so that starting
  /// threads is no part of anybody's time.
  static func run<Work: Sendable>(
    _ count: Int, quality: ThreadQuality, world: World, body: @escaping @Sendable (Int) -> Work
  ) -> [Stint<Work>] {
    let gate = Gate(expected: count)
    let results = Results<Work>(count: count)
    for number in 0..<count {
      let thread = Thread {
        gate.pass()
        let started = world.monotonic()
        let work = body(number)
        let ended = world.monotonic()
        results.put(Stint(started: started, ended: ended, work: work), at: number)
      }
      thread.qualityOfService = quality.system
      thread.start()
    }
    return results.wait()
  }

  /// Opens when as many threads wait at it as are expected.
  private final class Gate: @unchecked Sendable {
    private let condition = NSCondition()
    private var missing: Int

    init(expected: Int) { missing = expected }

    func pass() {
      condition.lock()
      missing -= 1
      if missing == 0 { condition.broadcast() }
      while missing > 0 { condition.wait() }
      condition.unlock()
    }
  }

  private final class Results<Work: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private var stints: [Stint<Work>?]
    private var missing: Int

    init(count: Int) {
      stints = Array(repeating: nil, count: count)
      missing = count
    }

    func put(_ stint: Stint<Work>, at number: Int) {
      condition.lock()
      stints[number] = stint
      missing -= 1
      if missing == 0 { condition.signal() }
      condition.unlock()
    }

    func wait() -> [Stint<Work>] {
      condition.lock()
      defer { condition.unlock() }
      while missing > 0 { condition.wait() }
      return stints.compactMap { $0 }
    }
  }
}
