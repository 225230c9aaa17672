#if canImport(Darwin)
  import Compression
  import Foundation

  /// Compressor of independent blocks with LZFSE, which macOS's programs use. Use one per thread;
  /// buffers are allocated once.
  package final class BlockCompressor {
    /// The library in the method's name; nil for the default method.
    static let library: String? = nil

    /// The algorithm's name in the document.
    package static let algorithm = "lzfse"

    private let output: UnsafeMutableRawBufferPointer
    private let scratch = UnsafeMutableRawPointer.allocate(
      byteCount: max(1, compression_encode_scratch_buffer_size(COMPRESSION_LZFSE)), alignment: 16)

    package init() {
      // Room for a block that grows instead of shrinking.
      output = .allocate(byteCount: Corpus.blockBytes + Corpus.blockBytes / 8, alignment: 16)
    }

    deinit {
      output.deallocate()
      scratch.deallocate()
    }

    /// The compressed block, valid until the next call; empty on failure.
    func compress(_ block: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
      guard let from = block.bindMemory(to: UInt8.self).baseAddress,
        let into = output.bindMemory(to: UInt8.self).baseAddress
      else { return UnsafeRawBufferPointer(rebasing: output[..<0]) }
      let count = compression_encode_buffer(
        into, output.count, from, block.count, scratch, COMPRESSION_LZFSE)
      return UnsafeRawBufferPointer(rebasing: output[..<count])
    }

    /// The decompressed block; nil if the data isn't one.
    static func decompress(_ data: UnsafeRawBufferPointer) -> [UInt8]? {
      guard let from = data.bindMemory(to: UInt8.self).baseAddress else { return nil }
      var block = [UInt8](repeating: 0, count: Corpus.blockBytes)
      let count = compression_decode_buffer(
        &block, block.count, from, data.count, nil, COMPRESSION_LZFSE)
      return count == block.count ? block : nil
    }
  }
#endif
