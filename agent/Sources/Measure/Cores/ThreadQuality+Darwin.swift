#if canImport(Darwin)
  extension ThreadQuality {
    /// Those that this system tells apart.
    package static let distinct = allCases
  }
#endif
