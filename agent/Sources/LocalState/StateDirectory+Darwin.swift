#if canImport(Darwin)
  extension StateDirectory {
    static func usualPlace(home: String, _ environment: [String: String]) -> String {
      home + "/Library/Application Support/Macmeter"
    }

    /// Do nothing: the directories above the default location always exist.
    package static func removeEmptyParents(_ environment: [String: String]) {}
  }
#endif
