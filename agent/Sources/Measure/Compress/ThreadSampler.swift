import Base
import Foundation

/// Counts this process's threads while something runs that may use other numbers of threads than it
/// was asked for.
final class ThreadSampler: @unchecked Sendable {
  private let world: World
  private let condition = NSCondition()
  private var before: Int?
  private var most = 0
  private var begun = false
  private var stopped = false
  private var ended = false

  static let interval = 0.02

  /// Begins at once: threads that are there now do not count.
  init(world: World) {
    self.world = world
    let thread = Thread { [self] in sample() }
    thread.qualityOfService = .utility
    thread.start()
    condition.lock()
    while !begun { condition.wait() }
    condition.unlock()
  }

  /// The most threads that were seen beside those of the beginning; nil where the system does not say.
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
