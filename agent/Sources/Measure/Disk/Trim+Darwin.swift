#if canImport(Darwin)
  import Darwin

  /// Throw: macOS trims deleted files by itself, and can't trim a mounted volume on request.
  func trimFreeSpace(_ descriptor: Int32) throws -> Int { throw TransferError(call: "trim", code: ENOTSUP) }
#endif
