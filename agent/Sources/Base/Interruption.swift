import Dispatch
import Foundation

/// A recorded request to stop this program. The signals only set a flag, so that every step can end
/// cleanly: test files removed, images detached, the partial run kept.
///
/// The process ignores the signals, and so do the tools it starts: Ctrl-C does not kill a
/// half-finished `hdiutil` or `umount`.
final class Interruption: @unchecked Sendable {
  private let condition = NSCondition()
  private var marked = false
  private var sources: [any DispatchSourceSignal] = []

  /// Return once the signal handlers are registered: an earlier signal would be lost.
  init() {
    signal(SIGPIPE, SIG_IGN)
    let queue = DispatchQueue(label: "macmeter.signals")
    let heard = DispatchSemaphore(value: 0)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { [weak self] in self?.mark() }
      source.setRegistrationHandler { heard.signal() }
      source.resume()
      sources.append(source)
    }
    for _ in sources { heard.wait() }
  }

  var happened: Bool {
    condition.lock()
    defer { condition.unlock() }
    return marked
  }

  func wait(seconds: Double) {
    let end = Date(timeIntervalSinceNow: seconds)
    condition.lock()
    while !marked, condition.wait(until: end) {}
    condition.unlock()
  }

  private func mark() {
    condition.lock()
    marked = true
    condition.broadcast()
    condition.unlock()
  }
}

/// The run was asked to stop.
package struct Interrupted: Error, Equatable {
  package init() {}
}
