import BuildRecord

/// This program, as its documents and its requests name it.
package enum Program {
  package static let version = "0.2.0"

  /// The commit it was built from, where the build said so.
  package static var commit: String? {
    let commit = String(cString: build_commit())
    return commit.isEmpty ? nil : commit
  }
}
