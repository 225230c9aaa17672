import DirectIO
import Foundation

/// A file whose transfers bypass the cache, if the platform and the file system allow.
struct DirectFile {
  let descriptor: Int32
  /// Whether transfers must be multiples of a page, as direct ones on Linux must.
  let takesWholePages: Bool
  let bypassesCache: Bool

  /// Use the cache from now on.
  func stopBypassing() throws {
    let flags = fcntl(descriptor, F_GETFL)
    guard flags >= 0, fcntl(descriptor, F_SETFL, flags & ~direct_io_flag()) == 0 else {
      throw TransferError(call: "fcntl", code: errno)
    }
  }

  func close() { Foundation.close(descriptor) }
}
