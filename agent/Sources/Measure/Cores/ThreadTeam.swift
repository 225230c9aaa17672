import Base
import Foundation

/// The requested quality of service. macOS offers no pinning: only this influences which cores are
/// used. No effect elsewhere.
package enum ThreadQuality: String, Sendable, CaseIterable {
  /// The fastest tier first, then the next. QoS 33.
  case userInteractive = "user-interactive"
  /// The lowest tier only. QoS 9.
  case background

  package var system: QualityOfService { self == .userInteractive ? .userInteractive : .background }
}

/// The result of one thread of a team, with monotonic times in nanoseconds.
struct Stint<Work: Sendable>: Sendable {
  var started: UInt64
  var ended: UInt64
  var work: Work

  var seconds: Double { Double(max(1, ended - started)) / 1e9 }
}

/// Threads that start together, each timed separately. They are kept for the team's next run: a new
/// thread is put on whichever core is idle, so repetitions would differ with the cores (one may
/// share its core with another virtual machine, say). A kept thread returns to its core.
final class ThreadTeam: @unchecked Sendable {
  let world: World
  private var members: [ThreadQuality: [Member]] = [:]

  init(world: World) { self.world = world }

  deinit {
    for member in members.values.joined() { member.dismiss() }
  }

  /// Run `body` once on each of `count` new threads and wait for all.
  static func run<Work: Sendable>(
    _ count: Int, quality: ThreadQuality, world: World, body: @escaping @Sendable (Int) -> Work
  ) -> [Stint<Work>] {
    ThreadTeam(world: world).run(count, quality: quality, body: body)
  }

  /// Run `body` once on each of `count` threads and wait for all; `body` gets its thread's number,
  /// counted from 0. Threads wait at a gate until the last has arrived, so that no time includes
  /// starting threads, or `warmUp`, which runs in between.
  func run<Work: Sendable>(
    _ count: Int, quality: ThreadQuality, warmUp: @escaping @Sendable () -> Void = {},
    body: @escaping @Sendable (Int) -> Work
  ) -> [Stint<Work>] {
    let gate = Gate(expected: count)
    let results = Results<Work>(count: count)
    for (number, member) in team(count, quality).enumerated() {
      member.give { [world] in
        gate.pass()
        warmUp()
        let started = world.monotonic()
        let work = body(number)
        let ended = world.monotonic()
        results.put(Stint(started: started, ended: ended, work: work), at: number)
      }
    }
    return results.wait()
  }

  private func team(_ count: Int, _ quality: ThreadQuality) -> ArraySlice<Member> {
    var team = members[quality] ?? []
    while team.count < count { team.append(Member(quality)) }
    members[quality] = team
    return team.prefix(count)
  }

  /// A thread that waits for tasks until dismissed.
  private final class Member: @unchecked Sendable {
    private let condition = NSCondition()
    private var task: (@Sendable () -> Void)?
    private var isDismissed = false

    init(_ quality: ThreadQuality) {
      let thread = Thread { [self] in
        while let task = next() { task() }
      }
      thread.qualityOfService = quality.system
      thread.start()
    }

    func give(_ task: @escaping @Sendable () -> Void) {
      condition.withLock {
        self.task = task
        condition.signal()
      }
    }

    func dismiss() {
      condition.withLock {
        isDismissed = true
        condition.signal()
      }
    }

    private func next() -> (@Sendable () -> Void)? {
      condition.withLock {
        while task == nil, !isDismissed { condition.wait() }
        defer { task = nil }
        return task
      }
    }
  }

  /// A gate that opens once the expected number of threads wait at it.
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
