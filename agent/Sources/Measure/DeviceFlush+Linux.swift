#if !canImport(Darwin)
  import Glibc

  /// Flush a file to the device's permanent storage.
  /// - Returns: false if the device refused; errno says why.
  func flushToDevice(_ descriptor: Int32) -> Bool { fdatasync(descriptor) == 0 }
#endif
