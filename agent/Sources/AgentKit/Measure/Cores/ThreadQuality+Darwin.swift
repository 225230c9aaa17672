#if canImport(Darwin)
  extension ThreadQuality {
    /// Those that this system tells apart.
    static let distinct = allCases
  }
#endif
