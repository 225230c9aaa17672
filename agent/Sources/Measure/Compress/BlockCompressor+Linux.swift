#if !canImport(Darwin)
  import CZlib
  import Foundation

  /// Compressor of independent blocks with zlib, which Linux programs use. Use one per thread;
  /// buffers are allocated once.
  package final class BlockCompressor {
    /// The library in the method's name; nil for the default method.
    static let library: String? = "zlib"

    /// The algorithm's name in the document.
    package static let algorithm = "zlib \(String(cString: zlibVersion())) level \(level)"

    private let output: UnsafeMutableRawBufferPointer
    private static let level: Int32 = 6
    // zlib's own state points back at it, so it must not move.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let ready: Bool

    package init() {
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

    /// The compressed block, valid until the next call; empty on failure.
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

    /// The decompressed block; nil if the data isn't one.
    static func decompress(_ data: UnsafeRawBufferPointer) -> [UInt8]? {
      var block = [UInt8](repeating: 0, count: Corpus.blockBytes)
      var count = uLong(block.count)
      let from = data.bindMemory(to: UInt8.self).baseAddress
      let status = uncompress(&block, &count, from, uLong(data.count))
      return status == Z_OK && Int(count) == block.count ? block : nil
    }
  }
#endif
