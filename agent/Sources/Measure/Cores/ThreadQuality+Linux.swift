#if !canImport(Darwin)
  extension ThreadQuality {
    /// Those that this system tells apart.
    package static let distinct = [ThreadQuality.userInteractive]
  }
#endif
