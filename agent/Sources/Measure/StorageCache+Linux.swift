#if !canImport(Darwin)
  extension StorageCache {
    static let evictsImagesInUse = true
  }
#endif
