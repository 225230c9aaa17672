#if !canImport(Darwin)
  import Foundation

  extension FileSweep {
    /// Whether packing reports progress.
    static let tellsProgress = true

    /// Pack with threads that each read the next block, compress it and append it after its number
    /// and length.
    func pack(_ step: CompressStep) throws {
      let input = try OpenFile(source, O_RDONLY)
      let output = try OpenFile(archive, O_WRONLY | O_CREAT | O_EXCL)
      let queue = BlockQueue(plan.blocks)
      let room = Room()
      let stints = ThreadTeam.run(step.threads, quality: step.quality, world: world) { _ in
        Result { try work(queue, room, input, output) }
      }
      for stint in stints { try stint.work.get() }
    }

    private func work(_ queue: BlockQueue, _ room: Room, _ input: OpenFile, _ output: OpenFile) throws {
      let compressor = BlockCompressor()
      let block = AlignedMemory(bytes: Corpus.blockBytes)
      while !world.interrupted(), let number = queue.next() {
        try input.read(block, bytes: Corpus.blockBytes, at: number * Corpus.blockBytes)
        let packed = compressor.compress(
          UnsafeRawBufferPointer(start: block.start, count: Corpus.blockBytes))
        guard packed.count > 0 else { throw CompressError.failed }
        let head = [UInt32(number).littleEndian, UInt32(packed.count).littleEndian]
        let place = room.take(8 + packed.count)
        try head.withUnsafeBytes { try output.write($0, at: place) }
        try output.write(packed, at: place + 8)
        progress(Corpus.blockBytes)
      }
    }

    /// Allocator of the next block's position.
    private final class Room: @unchecked Sendable {
      private let lock = NSLock()
      private var end = 0
      func take(_ bytes: Int) -> Int {
        lock.withLock {
          defer { end += bytes }
          return end
        }
      }
    }
  }
#endif
