import Base
import Foundation
import LocalState

extension Scratch {
  /// Remove the test directories of killed runs; those of running ones are locked and stay.
  /// - Returns: the directories removed.
  @discardableResult
  package func removeLeftovers(world: World) -> [String] {
    runs(world).compactMap { id in
      guard let entry = entry(id) else { return nil }
      let directory = entry.directory
      let name = (directory as NSString).lastPathComponent
      guard name == TestDirectory.prefix + id else { return nil }
      if let volume = entry.volume, world.resolve(directory) == nil { RemountableVolume.mount(volume, world) }
      if world.resolve(directory) == nil {
        forget(id)
        return nil
      }
      guard TestDirectory.removeLeftover(directory, world: world) else { return nil }
      forget(id)
      return directory
    }
  }
}
