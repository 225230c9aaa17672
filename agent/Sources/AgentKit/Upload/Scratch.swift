import Foundation

/// Where runs under way keep their test files, so that the next start can remove what a killed one
/// left, wherever it was measuring.
struct Scratch {
  let state: StateDirectory

  func register(_ directory: String, id: String) throws {
    try DurableFile.write(Data(directory.utf8), to: state.path(.scratch, id))
  }

  func forget(_ id: String) { unlink(state.path(.scratch, id)) }

  /// Removes the test directories of killed runs; those of living ones are locked and stay.
  /// - Returns: the directories removed.
  @discardableResult
  func removeLeftovers(world: World) -> [String] {
    world.list(state.path(.scratch, "")).filter(RunIdentifier.isValid).compactMap { id in
      guard let data = DurableFile.read(state.path(.scratch, id)) else { return nil }
      let directory = String(decoding: data, as: UTF8.self)
      let name = (directory as NSString).lastPathComponent
      guard name == TestDirectory.prefix + id else { return nil }
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
