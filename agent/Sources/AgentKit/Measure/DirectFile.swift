import DirectIO
import Foundation

#if canImport(Darwin)
  import Darwin
#endif

/// A file that is transferred past the cache, where the platform and the file system allow.
struct DirectFile {
  let descriptor: Int32
  /// Whether transfers must come in multiples of a page: direct ones on Linux must.
  let takesWholePages: Bool
  let bypassesCache: Bool

  /// - Parameter flags: of open(2); a file that is made belongs to its user alone.
  static func open(_ path: String, _ flags: Int32) throws -> DirectFile {
    let common = flags | O_CLOEXEC | O_NOFOLLOW
    #if canImport(Darwin)
      let descriptor = Darwin.open(path, common, 0o600)
      guard descriptor >= 0 else { throw TransferError(call: "open", code: errno) }
      // F_NOCACHE keeps new pages out of the cache; it does not evict old ones: see Residency.
      let bypasses = fcntl(descriptor, F_NOCACHE, 1) == 0
      return DirectFile(descriptor: descriptor, takesWholePages: false, bypassesCache: bypasses)
    #else
      let direct = Glibc.open(path, common | direct_io_flag(), 0o600)
      if direct >= 0 { return DirectFile(descriptor: direct, takesWholePages: true, bypassesCache: true) }
      guard errno == EINVAL else { throw TransferError(call: "open", code: errno) }
      // Refusing the flag, open may have made the file already.
      if flags & O_CREAT != 0 { unlink(path) }
      let buffered = Glibc.open(path, common, 0o600)
      guard buffered >= 0 else { throw TransferError(call: "open", code: errno) }
      return DirectFile(descriptor: buffered, takesWholePages: false, bypassesCache: false)
    #endif
  }

  /// What follows goes through the cache.
  func stopBypassing() throws {
    let flags = fcntl(descriptor, F_GETFL)
    guard flags >= 0, fcntl(descriptor, F_SETFL, flags & ~direct_io_flag()) == 0 else {
      throw TransferError(call: "fcntl", code: errno)
    }
  }

  func close() { Foundation.close(descriptor) }
}
