#if !canImport(Darwin)
  import CCrypto
  import Foundation

  /// SHA-256 of data in parts, with the library that the platform's programs use. This is measured;
  /// for its own small needs the agent has `SHA256`.
  package final class StreamingDigest {
    /// The library in the method's name; nil for the default method.
    static let library: String? = "libcrypto"

    private let state = EVP_MD_CTX_new()

    package init() { EVP_DigestInit_ex(state, EVP_sha256(), nil) }
    deinit { EVP_MD_CTX_free(state) }

    package func update(_ bytes: UnsafeRawBufferPointer) {
      EVP_DigestUpdate(state, bytes.baseAddress, bytes.count)
    }

    package func finish() -> [UInt8] {
      var digest = [UInt8](repeating: 0, count: 32)
      EVP_DigestFinal_ex(state, &digest, nil)
      return digest
    }
  }
#endif
