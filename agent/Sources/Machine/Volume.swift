/// A volume's size and what is left of it, in bytes.
package struct VolumeSpace: Equatable, Sendable {
  package var capacity: Int
  /// What this user may still write.
  package var free: Int

  package init(capacity: Int, free: Int) {
    self.capacity = capacity
    self.free = free
  }

  /// What should stay free while a run's files are on the volume: a tenth of it, but no more than
  /// 20 GB.
  package var reserve: Int { min(capacity / 10, 20_000_000_000) }

  package func hasRoom(for bytes: Int) -> Bool { free - bytes >= reserve }
}
