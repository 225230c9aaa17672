#if canImport(Darwin)
  import CryptoKit
  import Foundation

  /// SHA-256 of data in parts, with the library that the platform's programs use. This is measured;
  /// for its own small needs the agent has `SHA256`.
  package final class StreamingDigest {
    /// The library in the method's name; nil for the default method.
    static let library: String? = nil

    private var state = CryptoKit.SHA256()

    package init() {}

    package func update(_ bytes: UnsafeRawBufferPointer) { state.update(bufferPointer: bytes) }

    package func finish() -> [UInt8] { Array(state.finalize()) }
  }
#endif
