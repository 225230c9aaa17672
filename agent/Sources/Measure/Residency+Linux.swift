#if !canImport(Darwin)
  import Glibc

  extension Residency {
    /// The type that mincore writes for a page.
    typealias PageMark = UInt8

    /// Evict the file's pages: msync alone evicts nothing.
    static func advise(_ path: String) throws {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
      guard descriptor >= 0 else { throw TransferError(call: "open", code: errno) }
      defer { close(descriptor) }
      fdatasync(descriptor)
      posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
    }
  }
#endif
