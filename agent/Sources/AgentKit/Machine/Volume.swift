import Foundation

/// A volume's size and what is left of it, in bytes.
public struct VolumeSpace: Equatable, Sendable {
  public var capacity: Int
  /// What this user may still write.
  public var free: Int

  public init(capacity: Int, free: Int) {
    self.capacity = capacity
    self.free = free
  }

  public static func of(_ path: String) -> VolumeSpace? {
    #if canImport(Darwin)
      // statvfs counts blocks in 32 bits here, too few for a large volume.
      let facts = try? FileManager.default.attributesOfFileSystem(forPath: path)
      guard let capacity = (facts?[.systemSize] as? NSNumber)?.intValue,
        let free = (facts?[.systemFreeSize] as? NSNumber)?.intValue
      else { return nil }
      return VolumeSpace(capacity: capacity, free: free)
    #else
      var facts = statvfs()
      guard statvfs(path, &facts) == 0 else { return nil }
      let unit = UInt(facts.f_frsize)
      // Some shares say that they have all the room there can be.
      func bytes(_ blocks: UInt) -> Int {
        let (bytes, isTooMany) = blocks.multipliedReportingOverflow(by: unit)
        return isTooMany ? .max : Int(clamping: bytes)
      }
      return VolumeSpace(capacity: bytes(UInt(facts.f_blocks)), free: bytes(UInt(facts.f_bavail)))
    #endif
  }

  /// What should stay free while a run's files lie on the volume: a tenth of it, but no more than
  /// 20 GB.
  public var reserve: Int { min(capacity / 10, 20_000_000_000) }

  public func hasRoom(for bytes: Int) -> Bool { free - bytes >= reserve }
}
