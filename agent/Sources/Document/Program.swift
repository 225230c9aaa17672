import BuildRecord

/// This program, as named in documents and requests.
package enum Program {
  package static let version = "0.2.0"

  /// The commit it was built from; nil if not recorded.
  package static var commit: String? {
    let commit = String(cString: build_commit())
    return commit.isEmpty ? nil : commit
  }
}
