#if canImport(Darwin)
  import Darwin

  /// Flush a file to the device's permanent storage.
  /// - Returns: false if the device refused; errno says why.
  func flushToDevice(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_FULLFSYNC) == 0 }
#endif
