import Foundation

/// A failed file operation on the agent's own state.
package struct StateError: Error, CustomStringConvertible {
  package let failure: String
  /// How to fix it, in sentences; nil if that is obvious.
  package let remedy: String?
  package var description: String { [failure, remedy].compactMap { $0 }.joined(separator: ". ") }

  package init(_ failure: String, remedy: String? = nil) {
    self.failure = failure
    self.remedy = remedy
  }

  package static func system(_ step: String, _ path: String) -> StateError {
    StateError("cannot \(step) \(path): \(String(cString: strerror(errno)))")
  }
}

/// Files that exist whole or not at all, even after a crash or power loss: written under another
/// name, flushed, renamed, and the directory flushed.
package enum DurableFile {
  private static let mark = ".tmp-"

  package static func write(_ data: Data, to path: String) throws {
    let temporary = path + mark + "\(getpid())"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw StateError.system("write", temporary) }
    do {
      defer { close(descriptor) }
      Ownership.give(descriptor, toOwnerOf: directory(of: path))
      try writeAll(data, to: descriptor, temporary)
      guard fsync(descriptor) == 0 else { throw StateError.system("flush", temporary) }
    } catch {
      unlink(temporary)
      throw error
    }
    try move(temporary, to: path)
  }

  /// The final name of a temporary file; nil if `name` isn't one.
  package static func whole(_ name: String) -> String? {
    name.range(of: mark, options: .backwards).map { String(name[..<$0.lowerBound]) }
  }

  /// Whether `name` was being written by a process that no longer exists.
  package static func isAbandoned(_ name: String) -> Bool {
    guard let range = name.range(of: mark, options: .backwards), let writer = pid_t(name[range.upperBound...]),
      writer > 0
    else { return false }
    return kill(writer, 0) != 0 && errno == ESRCH
  }

  /// Rename durably.
  package static func move(_ source: String, to path: String) throws {
    guard rename(source, path) == 0 else { throw StateError.system("rename to", path) }
    try flushDirectory(of: path)
    if directory(of: source) != directory(of: path) { try flushDirectory(of: source) }
  }

  package static func read(_ path: String) -> Data? { FileManager.default.contents(atPath: path) }

  /// The value in a file; nil if there is no such file.
  /// - Throws: if the file can't be read or decoded. Its content is then unknown and must not be
  ///   treated as empty.
  /// - Parameter remedy: how to recover it, or do without it; a sentence.
  package static func decoded<Value: Decodable>(_ path: String, remedy: String) throws -> Value? {
    guard access(path, F_OK) == 0 else { return nil }
    guard let data = read(path) else { throw StateError(StateError.system("read", path).failure, remedy: remedy) }
    guard let value = try? JSONDecoder().decode(Value.self, from: data) else {
      throw StateError("\(path) is \(data.isEmpty ? "empty" : "damaged")", remedy: remedy)
    }
    return value
  }

  private static func writeAll(_ data: Data, to descriptor: Int32, _ path: String) throws {
    var rest = data[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { writePiece(of: $0, to: descriptor) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw StateError.system("write", path) }
      rest = rest.dropFirst(count)
    }
  }

  private static func flushDirectory(of path: String) throws {
    let descriptor = open(directory(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StateError.system("open", directory(of: path)) }
    defer { close(descriptor) }
    fsync(descriptor)
  }

  private static func directory(of path: String) -> String { (path as NSString).deletingLastPathComponent }
}

/// write(2), which DurableFile's own function with that name hides.
private func writePiece(of bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
