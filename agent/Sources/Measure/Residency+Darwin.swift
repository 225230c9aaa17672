#if canImport(Darwin)
  extension Residency {
    /// The type that mincore writes for a page.
    typealias PageMark = CChar

    /// No-op: msync already requests all that is possible.
    static func advise(_ path: String) throws {}
  }
#endif
