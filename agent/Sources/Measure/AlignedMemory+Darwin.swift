#if canImport(Darwin)
  extension AlignedMemory {
    /// A page of Apple silicon.
    static let alignment = 1 << 14

    static func askForLargePages(_ start: UnsafeMutableRawPointer, _ bytes: Int) {}
  }
#endif
