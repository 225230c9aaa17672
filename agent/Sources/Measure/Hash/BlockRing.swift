import Foundation

/// A ring of blocks between one thread that fills them and one that empties them, so that reading
/// and hashing overlap as in any streaming program.
final class BlockRing: @unchecked Sendable {
  let blockSize: Int
  private let memory: AlignedMemory
  private let condition = NSCondition()
  private var sizes: [Int]
  private var filled = 0
  private var emptied = 0
  private var closed = false

  init(blocks: Int, blockSize: Int) {
    self.blockSize = blockSize
    memory = AlignedMemory(bytes: blocks * blockSize)
    sizes = Array(repeating: 0, count: blocks)
  }

  /// Wait for a block to fill. Only the filling thread calls it.
  func blockToFill() -> UnsafeMutableRawPointer {
    condition.lock()
    while filled - emptied == sizes.count { condition.wait() }
    condition.unlock()
    return memory.start + filled % sizes.count * blockSize
  }

  /// Hand over the block, with that many bytes in it.
  func putFilled(bytes: Int) {
    condition.lock()
    sizes[filled % sizes.count] = bytes
    filled += 1
    condition.signal()
    condition.unlock()
  }

  /// Signal that no more blocks will be filled.
  func close() {
    condition.lock()
    closed = true
    condition.signal()
    condition.unlock()
  }

  /// Pass every block to `body` until the ring is closed. Only the emptying thread calls it.
  func empty(_ body: (UnsafeRawBufferPointer) -> Void) {
    while let bytes = next() {
      body(UnsafeRawBufferPointer(start: memory.start + emptied % sizes.count * blockSize, count: bytes))
      condition.lock()
      emptied += 1
      condition.signal()
      condition.unlock()
    }
  }

  private func next() -> Int? {
    condition.lock()
    defer { condition.unlock() }
    while filled == emptied, !closed { condition.wait() }
    return filled == emptied ? nil : sizes[emptied % sizes.count]
  }
}
