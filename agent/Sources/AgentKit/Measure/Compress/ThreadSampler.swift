import Foundation

#if canImport(Darwin)
  import Darwin
#endif

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

  /// Of this process.
  static func threads(_ world: World) -> Int? {
    #if canImport(Darwin)
      var facts = proc_taskinfo()
      let size = Int32(MemoryLayout<proc_taskinfo>.size)
      guard proc_pidinfo(getpid(), PROC_PIDTASKINFO, 0, &facts, size) == size else { return nil }
      return Int(facts.pti_threadnum)
    #else
      let count = world.list("/proc/self/task").count
      return count > 0 ? count : nil
    #endif
  }
}
