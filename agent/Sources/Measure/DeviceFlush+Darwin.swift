#if canImport(Darwin)
  import Darwin

  /// Brings what was written to a file all the way to the device's permanent storage.
  /// - Returns: false where the device refused; errno says why.
  func flushToDevice(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_FULLFSYNC) == 0 }
#endif
