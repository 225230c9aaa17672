#if canImport(Darwin)
  extension StateDirectory {
    static func usualPlace(home: String, _ environment: [String: String]) -> String {
      home + "/Library/Application Support/Macmeter"
    }

    /// The directories above the usual place are always there.
    package static func removeEmptyParents(_ environment: [String: String]) {}
  }
#endif
