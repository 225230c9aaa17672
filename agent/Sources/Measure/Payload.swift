import Foundation

/// Incompressible data, generated before anything is timed.
///
/// A pool of random bytes is handed out in blocks; each page of a block is stamped with its own
/// number, so that no two pages of a run are equal and no drive or file system can deduplicate
/// them. The pool is deliberately small: a larger one would measure memory speed.
package final class Payload {
  package static let pageSize = 4096
  private static let poolBytes = 1 << 20

  private let memory: AlignedMemory
  private let blockSize: Int
  private var offset = 0
  private var stamp: UInt64 = 0

  package init(blockSize: Int, seed: UInt64) {
    self.blockSize = blockSize
    memory = AlignedMemory(bytes: max(Self.poolBytes, blockSize))
    var generator = SplitMix64(seed: seed ^ 0x6d61_636d_6574_6572)
    for place in stride(from: 0, to: memory.bytes, by: 8) {
      memory.start.storeBytes(of: generator.next(), toByteOffset: place, as: UInt64.self)
    }
  }

  /// The next block, valid until the following call.
  func nextBlock() -> UnsafeMutableRawPointer {
    if offset + blockSize > memory.bytes { offset = 0 }
    let block = memory.start + offset
    offset += blockSize
    for page in stride(from: 0, to: blockSize, by: Self.pageSize) {
      stamp &+= 1
      (block + page).storeBytes(of: stamp, as: UInt64.self)
    }
    return block
  }
}
