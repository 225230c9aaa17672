#if canImport(Darwin)
  import Compression
  import Foundation

  /// Compresses blocks, each for itself, with what macOS's programs use: LZFSE. One for each thread;
  /// what it needs is allocated once.
  package final class BlockCompressor {
    /// Which, as the method's name says it; nil for the method's own.
    static let library: String? = nil

    /// What the document says of it.
    package static let algorithm = "lzfse"

    private let output: UnsafeMutableRawBufferPointer
    private let scratch = UnsafeMutableRawPointer.allocate(
      byteCount: max(1, compression_encode_scratch_buffer_size(COMPRESSION_LZFSE)), alignment: 16)

    package init() {
      // A block that does not shrink is a result too.
      output = .allocate(byteCount: Corpus.blockBytes + Corpus.blockBytes / 8, alignment: 16)
    }

    deinit {
      output.deallocate()
      scratch.deallocate()
    }

    /// The compressed block, good until the next call; empty where it failed.
    func compress(_ block: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
      guard let from = block.bindMemory(to: UInt8.self).baseAddress,
        let into = output.bindMemory(to: UInt8.self).baseAddress
      else { return UnsafeRawBufferPointer(rebasing: output[..<0]) }
      let count = compression_encode_buffer(
        into, output.count, from, block.count, scratch, COMPRESSION_LZFSE)
      return UnsafeRawBufferPointer(rebasing: output[..<count])
    }

    /// The block that was compressed; nil where it is none.
    static func decompress(_ data: UnsafeRawBufferPointer) -> [UInt8]? {
      guard let from = data.bindMemory(to: UInt8.self).baseAddress else { return nil }
      var block = [UInt8](repeating: 0, count: Corpus.blockBytes)
      let count = compression_decode_buffer(
        &block, block.count, from, data.count, nil, COMPRESSION_LZFSE)
      return count == block.count ? block : nil
    }
  }
#endif
