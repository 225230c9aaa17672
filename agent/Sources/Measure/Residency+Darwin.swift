#if canImport(Darwin)
  extension Residency {
    /// What mincore writes for a page.
    typealias PageMark = CChar

    /// msync has asked for all that can be asked.
    static func advise(_ path: String) throws {}
  }
#endif
