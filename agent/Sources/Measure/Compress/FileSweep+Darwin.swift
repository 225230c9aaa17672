#if canImport(Darwin)
  import AppleArchive
  import Foundation
  import System

  extension FileSweep {
    /// Whether packing reports progress.
    static let tellsProgress = false

    func pack(_ step: CompressStep) throws {
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
  }
#endif
