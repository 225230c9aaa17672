import DirectIO
import Foundation

/// A file that is transferred past the cache, where the platform and the file system allow.
struct DirectFile {
  let descriptor: Int32
  /// Whether transfers must come in multiples of a page: direct ones on Linux must.
  let takesWholePages: Bool
  let bypassesCache: Bool

  /// What follows goes through the cache.
  func stopBypassing() throws {
    let flags = fcntl(descriptor, F_GETFL)
    guard flags >= 0, fcntl(descriptor, F_SETFL, flags & ~direct_io_flag()) == 0 else {
      throw TransferError(call: "fcntl", code: errno)
    }
  }

  func close() { Foundation.close(descriptor) }
}
