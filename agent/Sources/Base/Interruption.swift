import Dispatch
import Foundation

/// Remembers that somebody asked this program to stop. The signals only set a mark, so that every
/// step can end cleanly: test files removed, images detached, the partial run kept.
///
/// The signals are ignored by the process itself and so by the tools it starts: a Ctrl-C does not
/// tear down a half-way `hdiutil` or `umount`.
final class Interruption: @unchecked Sendable {
  private let condition = NSCondition()
  private var marked = false
  private var sources: [any DispatchSourceSignal] = []

  /// Returns once signals are heard: until then one would be lost.
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
