#if !canImport(Darwin)
  import Foundation

  extension SystemKind {
    /// The system this program was built for.
    static let own = SystemKind.linux

    static func monotonicNanoseconds() -> UInt64 {
      var now = timespec()
      clock_gettime(CLOCK_MONOTONIC, &now)
      return UInt64(now.tv_sec) * 1_000_000_000 + UInt64(now.tv_nsec)
    }

    package static func thermalState() -> String? { nil }
  }
#endif
