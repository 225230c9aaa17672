/// A volume's capacity and free space, in bytes.
package struct VolumeSpace: Equatable, Sendable {
  package var capacity: Int
  /// Space available to this user.
  package var free: Int

  package init(capacity: Int, free: Int) {
    self.capacity = capacity
    self.free = free
  }

  /// Space to keep free while a run's files are on the volume: a tenth, at most 20 GB.
  package var reserve: Int { min(capacity / 10, 20_000_000_000) }

  package func hasRoom(for bytes: Int) -> Bool { free - bytes >= reserve }
}
