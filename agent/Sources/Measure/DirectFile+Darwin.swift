#if canImport(Darwin)
  import Darwin

  extension DirectFile {
    /// - Parameter flags: flags of open(2); a new file is accessible only to its user.
    static func open(_ path: String, _ flags: Int32) throws -> DirectFile {
      let common = flags | O_CLOEXEC | O_NOFOLLOW
      let descriptor = Darwin.open(path, common, 0o600)
      guard descriptor >= 0 else { throw TransferError(call: "open", code: errno) }
      // F_NOCACHE keeps new pages out of the cache; it doesn't evict old ones: see Residency.
      let bypasses = fcntl(descriptor, F_NOCACHE, 1) == 0
      return DirectFile(descriptor: descriptor, takesWholePages: false, bypassesCache: bypasses)
    }
  }
#endif
