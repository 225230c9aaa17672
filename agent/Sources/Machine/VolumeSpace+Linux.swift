#if !canImport(Darwin)
  import Foundation

  extension VolumeSpace {
    package static func of(_ path: String) -> VolumeSpace? {
      var facts = statvfs()
      guard statvfs(path, &facts) == 0 else { return nil }
      let unit = UInt(facts.f_frsize)
      // Some shares report the maximum possible space.
      func bytes(_ blocks: UInt) -> Int {
        let (bytes, isTooMany) = blocks.multipliedReportingOverflow(by: unit)
        return isTooMany ? .max : Int(clamping: bytes)
      }
      return VolumeSpace(capacity: bytes(UInt(facts.f_blocks)), free: bytes(UInt(facts.f_bavail)))
    }
  }
#endif
