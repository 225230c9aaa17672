import Foundation

/// The system's caches of files.
package enum SystemCaches {
  /// nil where they can be emptied; else why not.
  package static var obstacle: String? {
    geteuid() == 0 ? nil : "emptying the system's caches needs root: use sudo, or leave out --cold"
  }
}
