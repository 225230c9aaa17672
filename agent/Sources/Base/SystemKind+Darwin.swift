#if canImport(Darwin)
  import Darwin
  import Foundation

  extension SystemKind {
    /// The system this program was built for.
    static let own = SystemKind.macOS

    static func monotonicNanoseconds() -> UInt64 { clock_gettime_nsec_np(CLOCK_UPTIME_RAW) }

    package static func thermalState() -> String? {
      switch ProcessInfo.processInfo.thermalState {
      case .nominal: "nominal"
      case .fair: "fair"
      case .serious: "serious"
      case .critical: "critical"
      @unknown default: nil
      }
    }
  }
#endif
