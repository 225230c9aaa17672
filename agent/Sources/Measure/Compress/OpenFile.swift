import Foundation

/// An open file that several threads may read and write, each at its own position.
final class OpenFile: Sendable {
  private let descriptor: Int32

  /// - Parameter flags: flags of open(2); a new file is accessible only to its user.
  init(_ path: String, _ flags: Int32) throws {
    descriptor = open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw TransferError(call: "open", code: errno) }
  }

  deinit { close(descriptor) }

  func write(_ bytes: UnsafeRawBufferPointer, at place: Int) throws {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(place + done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw TransferError(call: "write", code: count < 0 ? errno : ENOSPC) }
      done += count
    }
  }

  /// Read all the bytes, or throw.
  func read(_ memory: AlignedMemory, bytes: Int, at place: Int) throws {
    var done = 0
    while done < bytes {
      let count = pread(descriptor, memory.start + done, bytes - done, off_t(place + done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw TransferError(call: "read", code: count < 0 ? errno : EIO) }
      done += count
    }
  }

  /// Flush to the device's permanent storage.
  func flush() throws {
    guard flushToDevice(descriptor) else { throw TransferError(call: "flush", code: errno) }
  }
}
