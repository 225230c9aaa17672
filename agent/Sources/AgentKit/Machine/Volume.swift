/// A volume's size and what is left of it, in bytes.
public struct VolumeSpace: Equatable, Sendable {
  public var capacity: Int
  /// What this user may still write.
  public var free: Int

  public init(capacity: Int, free: Int) {
    self.capacity = capacity
    self.free = free
  }

  /// What should stay free while a run's files lie on the volume: a tenth of it, but no more than
  /// 20 GB.
  public var reserve: Int { min(capacity / 10, 20_000_000_000) }

  public func hasRoom(for bytes: Int) -> Bool { free - bytes >= reserve }
}
