#if canImport(Darwin)
  extension StorageCache {
    /// An image in use belongs to its driver, and is only inspected.
    static let evictsImagesInUse = false
  }
#endif
