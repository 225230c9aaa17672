import Foundation

/// The system's file caches.
package enum SystemCaches {
  /// Why they can't be emptied; nil if they can.
  package static var obstacle: String? {
    geteuid() == 0 ? nil : "emptying the system's caches needs root: use sudo, or leave out --cold"
  }
}
