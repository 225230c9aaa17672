import Base
import Foundation

/// Counter of this process's threads while running code that may use a different number than
/// requested.
final class ThreadSampler: @unchecked Sendable {
  private let world: World
  private let condition = NSCondition()
  private var before: Int?
  private var most = 0
  private var begun = false
  private var stopped = false
  private var ended = false

  static let interval = 0.02

  /// Start sampling; threads that already exist don't count.
  init(world: World) {
    self.world = world
    let thread = Thread { [self] in sample() }
    thread.qualityOfService = .utility
    thread.start()
    condition.lock()
    while !begun { condition.wait() }
    condition.unlock()
  }

  /// Stop, and return the most threads seen beyond those at the start; nil if the system doesn't
  /// say.
  func stop() -> Int? {
    condition.lock()
    defer { condition.unlock() }
    stopped = true
    condition.broadcast()
    while !ended { condition.wait() }
    return before.map { max(0, most - $0) }
  }

  private func sample() {
    condition.lock()
    before = Self.threads(world)
    begun = true
    condition.broadcast()
    while !stopped {
      _ = condition.wait(until: Date(timeIntervalSinceNow: Self.interval))
      most = max(most, Self.threads(world) ?? 0)
    }
    ended = true
    condition.broadcast()
    condition.unlock()
  }
}
