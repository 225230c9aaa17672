/// The phases of a run of `sampled`: quiet, then loading, loaded and unloading for each number of
/// threads, then quiet again. Only quiet and loaded phases are evaluated: the others are
/// transitions.
package struct PowerPlan: Equatable, Sendable {
  package static let version = 1
  /// Milliseconds per sample.
  package static let interval = 100

  package let name: String
  package let kernel: String
  package let quality: ThreadQuality
  /// Numbers of threads, in the order they run.
  package let threads: [Int]
  package let quiet: Double
  package let ramp: Double
  package let loaded: Double

  package struct Phase: Equatable, Sendable {
    package enum Kind: String, Sendable {
      case quiet, loading, loaded, unloading
    }

    package let kind: Kind
    /// 0 while quiet.
    package let threads: Int
    package let seconds: Double
  }

  /// - Parameter quick: three numbers of threads and short phases: a smoke test with its own
  ///   series.
  package init(kernel: String, quality: ThreadQuality, context: CoreContext, most: Int?, quick: Bool) {
    let all = context.cores(for: quality)
    let last = max(1, min(most ?? all, all))
    self.kernel = kernel
    self.quality = quality
    name = quick ? "sampled-quick" : "sampled"
    threads = quick ? Set([1, min(context.tiers[0].cores, last), last]).sorted() : Array(1...last)
    quiet = quick ? 2 : 5
    ramp = quick ? 0.5 : 1
    loaded = quick ? 2 : 5
  }

  package var phases: [Phase] {
    let loads = threads.flatMap { count in
      [
        Phase(kind: .loading, threads: count, seconds: ramp), Phase(kind: .loaded, threads: count, seconds: loaded),
        Phase(kind: .unloading, threads: 0, seconds: ramp),
      ]
    }
    let rest = Phase(kind: .quiet, threads: 0, seconds: quiet)
    return [rest] + loads + [rest]
  }

  package var seconds: Double { phases.map(\.seconds).reduce(0, +) }

  /// -b 1 flushes line by line, so that a sample arrives when it ends.
  package static let command = [
    "powermetrics", "-f", "plist", "-b", "1", "-i", String(interval), "-s", "cpu_power,gpu_power,thermal",
  ]
}
