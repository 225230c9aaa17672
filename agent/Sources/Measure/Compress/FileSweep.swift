import Base
import Document
import Foundation

/// Compression from one file to another on the same target, through to permanent storage: the flush
/// is part of the time, since memory could hold a corpus this small.
struct FileSweep: CompressSweep {
  let plan: CompressPlan
  private let cache: StorageCache
  let world: World
  let progress: @Sendable (Int) -> Void
  let source: String
  let archive: String
  let corpusDigest: String

  /// Write the corpus, one block at a time.
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
    if !Self.tellsProgress { progress(plan.bytes) }
    var facts = stat()
    guard stat(archive, &facts) == 0 else { throw TransferError(call: "stat", code: errno) }
    return (seconds, Int(facts.st_size), seen)
  }
}

/// The corpus as a file.
enum CorpusFile {
  /// Write and flush it; return its SHA-256 in hexadecimal.
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
