#if canImport(Darwin)
  import Darwin

  /// macOS trims by itself as files go, and lets nobody ask for it on a mounted volume.
  func trimFreeSpace(_ descriptor: Int32) throws -> Int { throw TransferError(call: "trim", code: ENOTSUP) }
#endif
