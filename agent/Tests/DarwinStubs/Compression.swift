// See Darwin.swift.

public struct compression_algorithm: Sendable {}
public let COMPRESSION_LZFSE = compression_algorithm()

public func compression_encode_scratch_buffer_size(_ algorithm: compression_algorithm) -> Int { 0 }

public func compression_encode_buffer(
  _ into: UnsafeMutablePointer<UInt8>, _ intoSize: Int, _ from: UnsafePointer<UInt8>,
  _ fromSize: Int, _ scratch: UnsafeMutableRawPointer?, _ algorithm: compression_algorithm
) -> Int { 0 }

public func compression_decode_buffer(
  _ into: UnsafeMutablePointer<UInt8>, _ intoSize: Int, _ from: UnsafePointer<UInt8>,
  _ fromSize: Int, _ scratch: UnsafeMutableRawPointer?, _ algorithm: compression_algorithm
) -> Int { 0 }
