import Foundation

/// Ownership of the user's state under sudo, which `macmeter power` needs: what root creates in a
/// user's directory is given to that user.
package enum Ownership {
  /// - Parameter descriptor: a file or directory just created in `directory`.
  package static func give(_ descriptor: Int32, toOwnerOf directory: String) {
    var made = stat()
    var owner = stat()
    guard geteuid() == 0, fstat(descriptor, &made) == 0, stat(directory, &owner) == 0, owner.st_uid != 0,
      made.st_uid == 0
    else { return }
    // A file with several links could be a hard link that the user made to one of root's files.
    guard made.st_mode & S_IFMT == S_IFDIR || made.st_nlink == 1 else { return }
    _ = fchown(descriptor, owner.st_uid, owner.st_gid)
  }

  package static func give(directory path: String) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    give(descriptor, toOwnerOf: (path as NSString).deletingLastPathComponent)
    close(descriptor)
  }
}
