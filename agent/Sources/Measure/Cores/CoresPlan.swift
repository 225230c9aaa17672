import Document

/// One team of threads on one kernel.
package struct CoresStep: Equatable, Sendable {
  package var kernel: String
  package var quality: ThreadQuality
  package var threads: Int
}

/// What a run of `in-core` will do, whole: decided before the first loop, and recorded.
///
/// Every kernel, at every number of threads that a quality of service has cores for: more threads than
/// cores would time the scheduler. All steps of all repetitions are shuffled together, so that a
/// machine which warms up does not look like a machine that scales badly.
package struct CoresPlan: Equatable, Sendable {
  /// 2: threads stay from step to step and are warm when they are timed.
  package static let version = 2
  /// Another name where the loops are the compiler's, and for a smoke test: never one series.
  package var method: String { (Kernel.inAssembly ? "in-core" : "in-core-c") + (quick ? "-quick" : "") }

  package let kernels: [String]
  package let qualities: [ThreadQuality]
  package let repetitions: Int
  package let seed: Int
  /// What a thread's loops should take.
  package let seconds: Double
  package let quick: Bool
  package let context: CoreContext
  package let steps: [CoresStep]

  /// - Parameter threads: numbers of threads, of which a quality uses those it has cores for; nil for
  ///   every one up to as many as there are cores.
  package init(
    kernels: [String], qualities: [ThreadQuality], repetitions: Int = 1, seed: Int,
    seconds: Double? = nil,
    quick: Bool = false, threads: [Int]? = nil, context: CoreContext
  ) {
    self.kernels = kernels
    self.qualities = qualities
    self.repetitions = repetitions
    self.seed = seed
    self.seconds = seconds ?? (quick ? 0.5 : 2.5)
    self.quick = quick
    self.context = context
    steps = kernels
      .flatMap { Self.steps($0, qualities, threads: threads, context: context, repetitions: repetitions) }
      .shuffled(seed: seed)
  }

  private static func steps(
    _ kernel: String, _ qualities: [ThreadQuality], threads: [Int]?, context: CoreContext, repetitions: Int
  ) -> [CoresStep] {
    qualities.flatMap { quality -> [CoresStep] in
      let cores = context.cores(for: quality)
      return (threads?.filter { $0 <= cores } ?? Array(1...cores)).flatMap { threads in
        Array(repeating: CoresStep(kernel: kernel, quality: quality, threads: threads), count: repetitions)
      }
    }
  }

  /// About how long the whole run takes, calibration and empty loops included.
  package var expectedSeconds: Double {
    Double(steps.count) * seconds * (1 + CoresMeasurement.emptyShare + CoresMeasurement.warmUpShare)
      + Double(kernels.count * qualities.count) * seconds * 0.4
  }

  package var parameters: [String: Scalar] {
    [
      "kernels": .text(kernels.joined(separator: ",")), "seed": .integer(seed),
      "qualities": .text(qualities.map(\.rawValue).joined(separator: ",")),
      "repetitions": .integer(repetitions), "seconds": .number(seconds),
      // Which cores a thread ran on is read off what was asked for, not seen.
      "placement": "assumed", "empty_loop": "subtracted",
    ]
  }
}
