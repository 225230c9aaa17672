import Base
import Document
import Foundation

/// Where runs under way keep their test files, so that the next start can remove what a killed one
/// left, wherever it was measuring.
package struct Scratch {
  package let state: StateDirectory

  package init(state: StateDirectory) {
    self.state = state
  }

  /// - Parameter unmounting: the volume that the directory is on, while it may be unmounted.
  package func register(_ directory: String, id: String, unmounting volume: String? = nil) throws {
    let parts = [directory, volume].compactMap { $0 }
    try DurableFile.write(Data(parts.joined(separator: Self.separator).utf8), to: state.path(.scratch, id))
  }

  package func forget(_ id: String) { unlink(state.path(.scratch, id)) }

  /// Forgets a run that has removed its files; not one whose volume they went with.
  package func end(_ id: String, world: World) {
    guard let entry = entry(id), entry.volume == nil || world.resolve(entry.directory) != nil else { return }
    forget(id)
  }

  /// The runs that have test files, or had when they were killed.
  package func runs(_ world: World) -> [String] { world.list(state.path(.scratch, "")).filter(RunIdentifier.isValid) }

  /// No path holds it.
  private static let separator = "\0"

  /// Where a run has its test files, and the volume it was unmounting; nil where it has none.
  package func entry(_ id: String) -> (directory: String, volume: String?)? {
    guard let data = DurableFile.read(state.path(.scratch, id)) else { return nil }
    let parts = String(decoding: data, as: UTF8.self).components(separatedBy: Self.separator)
    return (parts[0], parts.count > 1 ? parts[1] : nil)
  }
}
