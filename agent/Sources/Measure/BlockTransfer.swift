import Base
import Foundation

/// A failed system call on a test file.
package struct TransferError: Error, CustomStringConvertible, Equatable {
  package let call: String
  package let code: Int32

  package var isFull: Bool { code == ENOSPC || code == EDQUOT }
  package var description: String {
    isFull ? "the volume is full" : "\(call) failed: \(String(cString: strerror(code)))"
  }
}

/// Time to write one file, in seconds.
package struct WriteTime: Equatable {
  package var transfer: Double
  /// nil if the device refused the flush.
  package var flush: Double?
}

/// Transfer of whole files in sequential blocks, bypassing the cache if the platform allows.
///
/// A file gets exactly its bytes although direct transfers come in multiples of 4 KiB on Linux: a
/// final partial page goes through the cache, under 0.2% of the smallest file, and is flushed and
/// evicted with it. Opening, closing and flushing are not part of the transfer time.
final class BlockTransfer {
  /// Whether every transfer so far bypassed the cache.
  private(set) var bypassedCache = true
  private let blockSize: Int
  private let payload: Payload
  private let landing: AlignedMemory
  private let world: World
  private static let alignment = Payload.pageSize

  init(blockSize: Int, seed: Int, world: World) {
    self.blockSize = blockSize
    self.world = world
    payload = Payload(blockSize: blockSize, seed: UInt64(bitPattern: Int64(seed)))
    landing = AlignedMemory(bytes: blockSize)
  }

  func write(_ path: String, bytes: Int, progress: (Int) -> Void) throws -> WriteTime {
    let file = try open(path, O_WRONLY | O_CREAT | O_EXCL)
    defer { file.close() }
    var direct = file.takesWholePages
    let started = world.monotonic()
    var done = 0
    while done < bytes {
      if world.interrupted() { throw Interrupted() }
      let whole = min(blockSize, bytes - done)
      var part = whole
      if direct, whole % Self.alignment != 0 {
        part = whole - whole % Self.alignment
        if part == 0 {
          try file.stopBypassing()
          direct = false
          part = whole
        }
      }
      let count = pwrite(file.descriptor, payload.nextBlock(), part, off_t(done))
      if count < 0 {
        if errno == EINTR { continue }
        if errno == EINVAL, direct, done == 0 {  // opened, but refused: some network file systems
          try file.stopBypassing()
          direct = false
          bypassedCache = false
          continue
        }
        throw TransferError(call: "write", code: errno)
      }
      if count == 0 { throw TransferError(call: "write", code: ENOSPC) }
      done += count
      progress(count)
    }
    let written = world.monotonic()
    let flushed = flushToDevice(file.descriptor) ? world.monotonic() : nil
    return WriteTime(
      transfer: seconds(from: started, to: written),
      flush: flushed.map { seconds(from: written, to: $0) })
  }

  /// Read a file and return the seconds taken.
  func read(_ path: String, bytes: Int, progress: (Int) -> Void) throws -> Double {
    let file = try open(path, O_RDONLY)
    defer { file.close() }
    let started = world.monotonic()
    var done = 0
    while done < bytes {
      if world.interrupted() { throw Interrupted() }
      let count = pread(file.descriptor, landing.start, blockSize, off_t(done))
      if count < 0 {
        if errno == EINTR { continue }
        throw TransferError(call: "read", code: errno)
      }
      if count == 0 { throw TransferError(call: "read", code: EIO) }
      done += count
      progress(count)
    }
    return seconds(from: started, to: world.monotonic())
  }

  private func open(_ path: String, _ flags: Int32) throws -> DirectFile {
    let file = try DirectFile.open(path, flags)
    if !file.bypassesCache { bypassedCache = false }
    return file
  }

  private func seconds(from start: UInt64, to end: UInt64) -> Double {
    Double(max(1, end - start)) / 1e9
  }
}
