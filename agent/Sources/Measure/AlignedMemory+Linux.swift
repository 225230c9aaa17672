#if !canImport(Darwin)
  import Glibc

  extension AlignedMemory {
    /// Size of a huge page.
    static let alignment = 1 << 21

    static func askForLargePages(_ start: UnsafeMutableRawPointer, _ bytes: Int) {
      madvise(start, bytes, MADV_HUGEPAGE)
    }
  }
#endif
