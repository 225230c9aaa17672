import Base
import CZlib
import Foundation

/// Gzip (RFC 1952) through the system's zlib.
enum Gzip {
  static func compress(_ data: Data) throws -> Data {
    var stream = z_stream()
    let gzipWindow = 15 + 16
    let opened = deflateInit2_(
      &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, Int32(gzipWindow), 8, Z_DEFAULT_STRATEGY,
      ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard opened == Z_OK else { throw TransportError(description: "zlib cannot start (\(opened))") }
    defer { deflateEnd(&stream) }
    var packed = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(data.count))))
    var input = [UInt8](data)
    let status = input.withUnsafeMutableBufferPointer { source in
      packed.withUnsafeMutableBufferPointer { sink in
        stream.next_in = source.baseAddress
        stream.avail_in = UInt32(source.count)
        stream.next_out = sink.baseAddress
        stream.avail_out = UInt32(sink.count)
        return deflate(&stream, Z_FINISH)
      }
    }
    guard status == Z_STREAM_END else {
      throw TransportError(description: "zlib cannot compress (\(status))")
    }
    return Data(packed.prefix(Int(stream.total_out)))
  }
}
