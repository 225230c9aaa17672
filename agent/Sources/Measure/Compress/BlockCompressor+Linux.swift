#if !canImport(Darwin)
  import CZlib
  import Foundation

  /// Compresses blocks, each for itself, with what Linux's programs use: zlib. One for each thread;
  /// what it needs is allocated once.
  package final class BlockCompressor {
    /// Which, as the method's name says it; nil for the method's own.
    static let library: String? = "zlib"

    /// What the document says of it.
    package static let algorithm = "zlib \(String(cString: zlibVersion())) level \(level)"

    private let output: UnsafeMutableRawBufferPointer
    private static let level: Int32 = 6
    // zlib's own state points back at it, so that it may not move.
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
  }
#endif
