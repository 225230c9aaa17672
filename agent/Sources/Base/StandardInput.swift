import Dispatch
import Foundation

/// Standard input, read in its own thread: this process ignores Ctrl-C, so nothing else would
/// interrupt a read that waits for typing.
package enum StandardInput {
  /// The next line typed; nil at the end of the input.
  package static func line(interrupted: () -> Bool) throws -> String? {
    let typed = try wait(interrupted) { chunk() }
    return typed.isEmpty ? nil : String(decoding: typed, as: UTF8.self).trimmingCharacters(in: .newlines)
  }

  /// The next chunk of input; empty at its end.
  package static func piece(interrupted: () -> Bool) throws -> [UInt8] {
    try wait(interrupted) { chunk() }
  }

  /// The result of one read; on a terminal, a line.
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
