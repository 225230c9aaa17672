import Foundation

#if canImport(AppleArchive)
  import AppleArchive
  import System
#endif

/// From a file into another on the same target, to the device's permanent storage: the flush is part
/// of the time, since with a corpus this small memory would take it all.
struct FileSweep: CompressSweep {
  private let plan: CompressPlan
  private let cache: StorageCache
  private let world: World
  private let progress: @Sendable (Int) -> Void
  private let source: String
  private let archive: String
  let corpusDigest: String

  /// Writes the corpus, a block at a time.
  init(
    plan: CompressPlan, directory: String, cache: StorageCache, world: World, progress: @escaping @Sendable (Int) -> Void
  ) throws {
    self.plan = plan
    self.cache = cache
    self.world = world
    self.progress = progress
    source = directory + "/corpus" + PlannedFile.suffix
    archive = directory + "/archive" + PlannedFile.suffix
    corpusDigest = try CorpusFile.write(plan.corpus, to: source, world: world)
  }

  func evict() throws -> [Residency] {
    try cache.empty([source])
  }

  func compress(_ step: CompressStep) throws -> (seconds: Double, compressed: Int, threadsSeen: Int?) {
    unlink(archive)
    let sampler = ThreadSampler(world: world)
    let started = world.monotonic()
    try pack(step)
    try OpenFile(archive, O_WRONLY).flush()
    let seconds = Double(max(1, world.monotonic() - started)) / 1e9
    let seen = sampler.stop()
    #if canImport(AppleArchive)
      progress(plan.bytes)
    #endif
    var facts = stat()
    guard stat(archive, &facts) == 0 else { throw TransferError(call: "stat", code: errno) }
    return (seconds, Int(facts.st_size), seen)
  }

  #if canImport(AppleArchive)
    private func pack(_ step: CompressStep) throws {
      let (source, archive, threads) = (source, archive, step.threads)
      let stint = ThreadTeam.run(1, quality: step.quality, world: world) { _ in
        Result { try Self.archive(source, into: archive, threads: threads) }
      }[0]
      try stint.work.get()
    }

    private static func archive(_ source: String, into archive: String, threads: Int) throws {
      guard
        let input = ArchiveByteStream.fileStream(
          path: FilePath(source), mode: .readOnly, options: [], permissions: []),
        let output = ArchiveByteStream.fileStream(
          path: FilePath(archive), mode: .writeOnly, options: [.create], permissions: [.ownerReadWrite]),
        let packed = ArchiveByteStream.compressionStream(
          using: .lzfse, writingTo: output, blockSize: Corpus.blockBytes, flags: [], threadCount: threads)
      else { throw CompressError.failed }
      _ = try ArchiveByteStream.process(readingFrom: input, writingTo: packed)
      try packed.close()
      try output.close()
      try input.close()
    }
  #else
    /// Each thread reads the next block, compresses it, and writes it where the ones before it end,
    /// after its number and its length.
    private func pack(_ step: CompressStep) throws {
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

    /// Where the next block may lie.
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
  #endif
}

/// A corpus as a file.
enum CorpusFile {
  /// Writes and flushes it; returns its SHA-256 as hexadecimal digits.
  static func write(_ corpus: Corpus, to path: String, world: World) throws -> String {
    let file = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL)
    let memory = AlignedMemory(bytes: Corpus.blockBytes)
    let block = UnsafeMutableRawBufferPointer(start: memory.start, count: Corpus.blockBytes)
    let digest = StreamingDigest()
    for number in 0..<corpus.blocks {
      if world.interrupted() { throw Interrupted() }
      corpus.make(number, into: block)
      digest.update(UnsafeRawBufferPointer(block))
      try file.write(UnsafeRawBufferPointer(block), at: number * Corpus.blockBytes)
    }
    try file.flush()
    return digest.finish().hexadecimal
  }
}
