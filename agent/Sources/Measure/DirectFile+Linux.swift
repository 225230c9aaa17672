#if !canImport(Darwin)
  import DirectIO
  import Glibc

  extension DirectFile {
    /// - Parameter flags: flags of open(2); a new file is accessible only to its user.
    static func open(_ path: String, _ flags: Int32) throws -> DirectFile {
      let common = flags | O_CLOEXEC | O_NOFOLLOW
      let direct = Glibc.open(path, common | direct_io_flag(), 0o600)
      if direct >= 0 { return DirectFile(descriptor: direct, takesWholePages: true, bypassesCache: true) }
      guard errno == EINVAL else { throw TransferError(call: "open", code: errno) }
      // open may have created the file although it refused the flag.
      if flags & O_CREAT != 0 { unlink(path) }
      let buffered = Glibc.open(path, common, 0o600)
      guard buffered >= 0 else { throw TransferError(call: "open", code: errno) }
      return DirectFile(descriptor: buffered, takesWholePages: false, bypassesCache: false)
    }
  }
#endif
