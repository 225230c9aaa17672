import Document

/// One team of threads on one kernel.
package struct CoresStep: Equatable, Sendable {
  package var kernel: String
  package var quality: ThreadQuality
  package var threads: Int
}

/// Plan of an `in-core` run: fixed before the first loop, and recorded.
///
/// Every kernel, at every number of threads for which a quality of service has cores: more threads
/// than cores would time the scheduler. All steps of all repetitions are shuffled together, so that
/// a machine that warms up doesn't look like one that scales badly.
package struct CoresPlan: Equatable, Sendable {
  /// Version 2: threads persist between steps and are warm when timed.
  package static let version = 2
  /// Compiled loops and smoke tests have different names, so that they never share a series.
  package var method: String { (Kernel.inAssembly ? "in-core" : "in-core-c") + (quick ? "-quick" : "") }

  package let kernels: [String]
  package let qualities: [ThreadQuality]
  package let repetitions: Int
  package let seed: Int
  /// Target duration of a thread's loops.
  package let seconds: Double
  package let quick: Bool
  package let context: CoreContext
  package let steps: [CoresStep]

  /// - Parameter threads: numbers of threads; a quality uses those it has cores for. nil for every
  ///   number up to the number of cores.
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

  /// Estimated duration of the whole run, including calibration and empty loops.
  package var expectedSeconds: Double {
    Double(steps.count) * seconds * (1 + CoresMeasurement.emptyShare + CoresMeasurement.warmUpShare)
      + Double(kernels.count * qualities.count) * seconds * 0.4
  }

  package var parameters: [String: Scalar] {
    [
      "kernels": .text(kernels.joined(separator: ",")), "seed": .integer(seed),
      "qualities": .text(qualities.map(\.rawValue).joined(separator: ",")),
      "repetitions": .integer(repetitions), "seconds": .number(seconds),
      // The cores that threads ran on are inferred from the request, not observed.
      "placement": "assumed", "empty_loop": "subtracted",
    ]
  }
}
