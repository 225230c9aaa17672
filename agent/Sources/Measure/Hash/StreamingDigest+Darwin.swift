#if canImport(Darwin)
  import CryptoKit
  import Foundation

  /// SHA-256 of data that comes in parts, by the library that the platform's programs use. This is what
  /// is measured; for its own small needs the agent has `SHA256`.
  package final class StreamingDigest {
    /// Which library, as the method's name says it; nil for the method's own.
    static let library: String? = nil

    private var state = CryptoKit.SHA256()

    package init() {}

    package func update(_ bytes: UnsafeRawBufferPointer) { state.update(bufferPointer: bytes) }

    package func finish() -> [UInt8] { Array(state.finalize()) }
  }
#endif
