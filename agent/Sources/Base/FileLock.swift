import Foundation

/// An exclusive lock, released if its holder dies.
package final class FileLock {
  private let path: String
  private var descriptor: Int32 = -1

  /// nil while another process holds it.
  /// - Parameter path: a file, created if absent, or an existing directory.
  package init?(_ path: String) {
    self.path = path
    guard take() else { return nil }
  }

  deinit { letGo() }

  /// Wait up to five seconds for the lock; nil if it is still held.
  package static func waiting(_ path: String, _ world: World) -> FileLock? {
    for _ in 0..<50 {
      if let lock = FileLock(path) { return lock }
      world.sleep(0.1)
    }
    return nil
  }

  /// - Returns: false while another process holds it.
  package func take() -> Bool {
    var facts = stat()
    let isDirectory = stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
    let flags = isDirectory ? O_RDONLY | O_CLOEXEC : O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW
    descriptor = open(path, flags, 0o600)
    guard descriptor >= 0 else { return false }
    if !isDirectory { Ownership.give(descriptor, toOwnerOf: (path as NSString).deletingLastPathComponent) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      descriptor = -1
      return false
    }
    return true
  }

  package func letGo() {
    guard descriptor >= 0 else { return }
    // A child that another thread starts shares the descriptor until it runs its program: closing
    // alone would leave the lock held until then.
    flock(descriptor, LOCK_UN)
    close(descriptor)
    descriptor = -1
  }
}
