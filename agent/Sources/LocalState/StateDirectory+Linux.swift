#if !canImport(Darwin)
  import Foundation

  extension StateDirectory {
    static func usualPlace(home: String, _ environment: [String: String]) -> String {
      if let base = environment["XDG_STATE_HOME"], base.hasPrefix("/") { return base + "/macmeter" }
      return home + "/.local/state/macmeter"
    }

    /// Remove the directories above the default location that may have been created for it, if
    /// empty.
    package static func removeEmptyParents(_ environment: [String: String]) {
      guard environment["MACMETER_HOME"] ?? "" == "", let home = environment["HOME"], !home.isEmpty else { return }
      for folder in ["/.local/state", "/.local"] { rmdir(home + folder) }
    }
  }
#endif
