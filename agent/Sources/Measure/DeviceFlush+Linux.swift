#if !canImport(Darwin)
  import Glibc

  /// Brings what was written to a file all the way to the device's permanent storage.
  /// - Returns: false where the device refused; errno says why.
  func flushToDevice(_ descriptor: Int32) -> Bool { fdatasync(descriptor) == 0 }
#endif
