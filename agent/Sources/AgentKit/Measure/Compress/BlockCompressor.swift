import Foundation

#if canImport(Compression)
  import Compression
#else
  import CZlib
#endif

/// Compresses blocks, each for itself, with what the platform's programs use: LZFSE on macOS, zlib
/// elsewhere. One for each thread; what it needs is allocated once.
final class BlockCompressor {
  /// Which, as the method's name says it; nil for the method's own.
  static let library: String? = {
    #if canImport(Compression)
      nil
    #else
      "zlib"
    #endif
  }()

  /// What the document says of it.
  static let algorithm: String = {
    #if canImport(Compression)
      "lzfse"
    #else
      "zlib \(String(cString: zlibVersion())) level \(level)"
    #endif
  }()

  private let output: UnsafeMutableRawBufferPointer

  #if canImport(Compression)
    private let scratch = UnsafeMutableRawPointer.allocate(
      byteCount: max(1, compression_encode_scratch_buffer_size(COMPRESSION_LZFSE)), alignment: 16)

    init() {
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
  #else
    private static let level: Int32 = 6
    // zlib's own state points back at it, so that it may not move.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let ready: Bool

    init() {
      stream.initialize(to: z_stream())
      ready = deflateInit_(
        stream, Self.level, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
      let most = deflateBound(stream, uLong(Corpus.blockBytes))
      output = .allocate(byteCount: Int(most), alignment: 16)
    }

    deinit {
      deflateEnd(stream)
      stream.deallocate()
      output.deallocate()
    }

    /// The compressed block, good until the next call; empty where it failed.
    func compress(_ block: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
      let nothing = UnsafeRawBufferPointer(rebasing: output[..<0])
      guard ready, deflateReset(stream) == Z_OK else { return nothing }
      stream.pointee.next_in = UnsafeMutablePointer(mutating: block.bindMemory(to: UInt8.self).baseAddress)
      stream.pointee.avail_in = uInt(block.count)
      stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
      stream.pointee.avail_out = uInt(output.count)
      guard deflate(stream, Z_FINISH) == Z_STREAM_END else { return nothing }
      return UnsafeRawBufferPointer(rebasing: output[..<Int(stream.pointee.total_out)])
    }

    /// The block that was compressed; nil where it is none.
    static func decompress(_ data: UnsafeRawBufferPointer) -> [UInt8]? {
      var block = [UInt8](repeating: 0, count: Corpus.blockBytes)
      var count = uLong(block.count)
      let from = data.bindMemory(to: UInt8.self).baseAddress
      let status = uncompress(&block, &count, from, uLong(data.count))
      return status == Z_OK && Int(count) == block.count ? block : nil
    }
  #endif

  /// Holds that what is compressed can be had back, block by block.
  static func check(_ corpus: Corpus) throws {
    let compressor = BlockCompressor()
    let memory = AlignedMemory(bytes: Corpus.blockBytes)
    let block = UnsafeMutableRawBufferPointer(start: memory.start, count: Corpus.blockBytes)
    for number in 0..<min(2, corpus.blocks) {
      corpus.make(number, into: block)
      let back = decompress(compressor.compress(UnsafeRawBufferPointer(block)))
      guard let back, back.elementsEqual(block) else { throw CompressError.wrongResult }
    }
  }
}
