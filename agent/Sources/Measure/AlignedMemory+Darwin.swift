#if canImport(Darwin)
  extension AlignedMemory {
    /// Page size of Apple silicon.
    static let alignment = 1 << 14

    static func askForLargePages(_ start: UnsafeMutableRawPointer, _ bytes: Int) {}
  }
#endif
