import Base
import Document
import Foundation

/// The directory of a run's files: `.macmeter-<run id>` inside the target, created and removed by
/// the run. A running run holds a lock on it; a directory of ours without a lock was left by a
/// killed run, and may be removed.
///
/// An image created by the run is in it too, and is mounted on a directory in it.
///
/// Only files named like a run's are ever deleted; a directory that holds anything else stays, with
/// that.
package final class TestDirectory {
  package static let prefix = ".macmeter-"
  static let imageName = "image"
  static let mountName = "mounted"

  package let path: String
  private var descriptor: Int32 = -1

  /// - Parameter parent: an existing directory.
  package init(in parent: String, id: String) throws {
    path = Self.path(in: parent, id: id)
    guard mkdir(path, 0o700) == 0 else { throw TransferError(call: "mkdir \(path)", code: errno) }
    do { try hold() } catch {
      rmdir(path)
      throw error
    }
  }

  deinit { letGo() }

  /// Lock it again after `letGo`.
  package func hold() throws {
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw TransferError(call: "lock \(path)", code: errno)
    }
  }

  /// Release the lock: an open directory keeps its volume from being unmounted.
  func letGo() {
    guard descriptor >= 0 else { return }
    // Unlock first, as in `FileLock.letGo`: a child starting now may also have it open.
    flock(descriptor, LOCK_UN)
    close(descriptor)
    descriptor = -1
  }

  package static func path(in parent: String, id: String) -> String {
    parent + (parent.hasSuffix("/") ? "" : "/") + prefix + id
  }

  package func remove() { Self.removeOwnFiles(in: path) }

  /// Remove the directories that killed runs left in `parent`; return how many.
  @discardableResult
  package static func removeLeftovers(in parent: String, world: World) -> Int {
    world.list(parent).filter(isName).count { name in
      removeLeftover(parent + "/" + name, world: world)
    }
  }

  /// Remove one such directory if it is ours and not locked.
  static func removeLeftover(_ path: String, world: World) -> Bool {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0, facts.st_uid == geteuid(),
      flock(descriptor, LOCK_EX | LOCK_NB) == 0
    else { return false }
    DiskImage.detachLeftover(in: path, world: world)
    return removeOwnFiles(in: path)
  }

  static func isName(_ name: String) -> Bool {
    name.hasPrefix(prefix) && RunIdentifier.isValid(String(name.dropFirst(prefix.count)))
  }

  @discardableResult
  private static func removeOwnFiles(in path: String) -> Bool {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
      if name.hasSuffix(PlannedFile.suffix) { unlink(path + "/" + name) }
      if name == mountName { rmdir(path + "/" + name) }
      if name.hasPrefix(imageName) { removeImage(path + "/" + name) }
    }
    return rmdir(path) == 0
  }

  /// Remove an image: a file, or a directory for sparse bundles.
  private static func removeImage(_ path: String) {
    if unlink(path) != 0 { try? FileManager.default.removeItem(atPath: path) }
  }
}
