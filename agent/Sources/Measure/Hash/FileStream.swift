import Base
import Foundation

/// A file read from start to end on one thread while another consumes it.
package struct FileStream {
  package let path: String
  package let blockSize: Int
  /// Whether to bypass the cache, as far as the file system allows.
  let direct: Bool
  package let world: World

  /// Number of blocks between the two threads.
  static let blocks = 4

  package struct Outcome: Sendable {
    package var bytes: Int
    /// From the first byte requested to the last one consumed.
    package var seconds: Double
    var bypassedCache: Bool
  }

  /// Read the file. `take` is called on its own thread, one block at a time.
  package func read(progress: @escaping @Sendable (Int) -> Void, _ take: @escaping @Sendable (UnsafeRawBufferPointer) -> Void)
    throws -> Outcome
  {
    let file = try openFile()
    defer { file.close() }
    let ring = BlockRing(blocks: Self.blocks, blockSize: blockSize)
    let stints = ThreadTeam.run(2, quality: .userInteractive, world: world) { number in
      if number == 1 {
        ring.empty(take)
        return Result<Int, any Error>.success(0)
      }
      defer { ring.close() }
      return Result { try fill(ring, file.descriptor, progress) }
    }
    let bytes = try stints.map { try $0.work.get() }.reduce(0, +)
    let started = stints.map(\.started).min() ?? 0
    let ended = stints.map(\.ended).max() ?? 0
    return Outcome(
      bytes: bytes, seconds: Double(max(1, ended - started)) / 1e9, bypassedCache: file.bypassesCache)
  }

  private func fill(_ ring: BlockRing, _ descriptor: Int32, _ progress: (Int) -> Void) throws -> Int {
    var done = 0
    while true {
      if world.interrupted() { throw Interrupted() }
      let count = pread(descriptor, ring.blockToFill(), blockSize, off_t(done))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw TransferError(call: "read", code: errno) }
      if count == 0 { return done }
      done += count
      ring.putFilled(bytes: count)
      progress(count)
    }
  }

  private func openFile() throws -> DirectFile {
    guard !direct else { return try DirectFile.open(path, O_RDONLY) }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw TransferError(call: "open", code: errno) }
    return DirectFile(descriptor: descriptor, takesWholePages: false, bypassesCache: false)
  }
}
