import Dispatch
import Foundation

/// Standard input, waited for in a thread of its own: this process ignores Ctrl-C, so nothing else would
/// end a read that waits for somebody to type.
package enum StandardInput {
  /// What is typed up to the end of the line; nil at the end of the input.
  package static func line(interrupted: () -> Bool) throws -> String? {
    let typed = try wait(interrupted) { chunk() }
    return typed.isEmpty ? nil : String(decoding: typed, as: UTF8.self).trimmingCharacters(in: .newlines)
  }

  /// The next of it, empty at its end.
  package static func piece(interrupted: () -> Bool) throws -> [UInt8] {
    try wait(interrupted) { chunk() }
  }

  /// What one read brings: of a terminal, a line.
  private static func chunk() -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 65536)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }

  private static func wait<Value>(_ interrupted: () -> Bool, for read: @escaping @Sendable () -> Value) throws -> Value {
    let reading = Reading<Value>()
    Thread.detachNewThread {
      reading.value = read()
      reading.done.signal()
    }
    while reading.done.wait(timeout: .now() + 0.1) == .timedOut {
      if interrupted() { throw Interrupted() }
    }
    guard let value = reading.value else { throw Interrupted() }
    return value
  }

  /// Written before `done` is signalled, read after it.
  private final class Reading<Value>: @unchecked Sendable {
    let done = DispatchSemaphore(value: 0)
    var value: Value?
  }
}
