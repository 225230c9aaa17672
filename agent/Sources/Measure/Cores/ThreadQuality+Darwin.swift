#if canImport(Darwin)
  extension ThreadQuality {
    /// Qualities that this system distinguishes.
    package static let distinct = allCases
  }
#endif
