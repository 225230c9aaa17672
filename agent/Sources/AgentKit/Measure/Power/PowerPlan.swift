/// The phases of a run of `sampled`: quiet, then for each number of threads loading, loaded and
/// unloading, then quiet again. Only quiet and loaded phases are evaluated: what lies between is on its
/// way from one to the other.
struct PowerPlan: Equatable, Sendable {
  static let version = 1
  /// Milliseconds a sample.
  static let interval = 100

  let name: String
  let kernel: String
  let quality: ThreadQuality
  /// Numbers of threads, in the order they are tried.
  let threads: [Int]
  let quiet: Double
  let ramp: Double
  let loaded: Double

  struct Phase: Equatable, Sendable {
    enum Kind: String, Sendable {
      case quiet, loading, loaded, unloading
    }

    let kind: Kind
    /// 0 while quiet.
    let threads: Int
    let seconds: Double
  }

  /// - Parameter quick: three numbers of threads and short phases: a smoke test with its own series.
  init(kernel: String, quality: ThreadQuality, context: CoreContext, most: Int?, quick: Bool) {
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

  var phases: [Phase] {
    let loads = threads.flatMap { count in
      [
        Phase(kind: .loading, threads: count, seconds: ramp), Phase(kind: .loaded, threads: count, seconds: loaded),
        Phase(kind: .unloading, threads: 0, seconds: ramp),
      ]
    }
    let rest = Phase(kind: .quiet, threads: 0, seconds: quiet)
    return [rest] + loads + [rest]
  }

  var seconds: Double { phases.map(\.seconds).reduce(0, +) }

  /// -b 1: a line at a time, so that a sample is here when it is over.
  static let command = [
    "powermetrics", "-f", "plist", "-b", "1", "-i", String(interval), "-s", "cpu_power,gpu_power,thermal",
  ]
}
