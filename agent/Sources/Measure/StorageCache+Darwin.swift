#if canImport(Darwin)
  extension StorageCache {
    /// An image in use is its driver's, and is only looked at.
    static let evictsImagesInUse = false
  }
#endif
