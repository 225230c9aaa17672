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
      for folder in foundationFolders(home, environment) + [home + "/.local/state", home + "/.local"] { rmdir(folder) }
    }

    /// Folders that Foundation creates for caches and cookies, and leaves empty: no session here keeps
    /// any.
    private static func foundationFolders(_ home: String, _ environment: [String: String]) -> [String] {
      func base(_ name: String, _ usual: String) -> String {
        environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + usual
      }
      let cache = base("XDG_CACHE_HOME", "/.cache")
      let data = base("XDG_DATA_HOME", "/.local/share")
      let program = ProcessInfo.processInfo.processName
      let caches = "\(cache)/org.swift.foundation.URLCache"
      return [
        "\(caches)/\(program)", caches, cache,
        "\(data)/\((Bundle.main.bundlePath as NSString).lastPathComponent)", data,
      ]
    }
  }
#endif
