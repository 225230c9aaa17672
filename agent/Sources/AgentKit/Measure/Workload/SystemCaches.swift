import Foundation

/// The system's caches of files.
enum SystemCaches {
  /// nil where they can be emptied; else why not.
  static var obstacle: String? {
    geteuid() == 0 ? nil : "emptying the system's caches needs root: use sudo, or leave out --cold"
  }
}
