import Base
import Document
import Foundation

/// Registry of test directories of current runs, so that the next start can remove what a killed
/// run left, wherever it was measuring.
package struct Scratch {
  package let state: StateDirectory

  package init(state: StateDirectory) {
    self.state = state
  }

  /// - Parameter unmounting: the directory's volume, if it may be unmounted.
  package func register(_ directory: String, id: String, unmounting volume: String? = nil) throws {
    let parts = [directory, volume].compactMap { $0 }
    try DurableFile.write(Data(parts.joined(separator: Self.separator).utf8), to: state.path(.scratch, id))
  }

  package func forget(_ id: String) { unlink(state.path(.scratch, id)) }

  /// Forget a run that has removed its files, but not one whose volume was unmounted with them.
  package func end(_ id: String, world: World) {
    guard let entry = entry(id), entry.volume == nil || world.resolve(entry.directory) != nil else { return }
    forget(id)
  }

  /// Runs that have test files, or had when they were killed.
  package func runs(_ world: World) -> [String] { world.list(state.path(.scratch, "")).filter(RunIdentifier.isValid) }

  /// Can't occur in a path.
  private static let separator = "\0"

  /// A run's test directory, and the volume it was unmounting; nil if it has none.
  package func entry(_ id: String) -> (directory: String, volume: String?)? {
    guard let data = DurableFile.read(state.path(.scratch, id)) else { return nil }
    let parts = String(decoding: data, as: UTF8.self).components(separatedBy: Self.separator)
    return (parts[0], parts.count > 1 ? parts[1] : nil)
  }
}
