#if canImport(Darwin)
  import Foundation

  extension VolumeSpace {
    package static func of(_ path: String) -> VolumeSpace? {
      // statvfs counts blocks in 32 bits here, too few for a large volume.
      let facts = try? FileManager.default.attributesOfFileSystem(forPath: path)
      guard let capacity = (facts?[.systemSize] as? NSNumber)?.intValue,
        let free = (facts?[.systemFreeSize] as? NSNumber)?.intValue
      else { return nil }
      return VolumeSpace(capacity: capacity, free: free)
    }
  }
#endif
