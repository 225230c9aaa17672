import Base
import Document

/// Conversion of timings to a document's series. Pure.
enum CoresSeries {
  static func make(from outcome: CoresOutcome, plan: CoresPlan) -> [Series] {
    var series: [Series] = []
    for step in distinct(plan.steps) {
      let timings = outcome.timings.filter { $0.step == step }
      let named = parameters(of: step, plan.context)
      series += rates(timings, named)
      for loops in Set(timings.map(\.loops)).sorted() {
        let same = timings.filter { $0.loops == loops }
        let counted = named.merging(["loops": .integer(loops)]) { $1 }
        series.append(Series(
          metric: .coresTotalTime, parameters: counted, values: same.map(\.total),
          positions: same.map(\.position)))
        series.append(Series(
          metric: .coresSlowestThread, parameters: counted,
          values: same.map { $0.seconds.max() ?? $0.total }, positions: same.map(\.position)))
      }
    }
    return series + slopes(outcome, plan)
  }

  /// Distinct steps, ordered by kernel, quality and threads.
  private static func distinct(_ steps: [CoresStep]) -> [CoresStep] {
    var seen: [CoresStep] = []
    for step in steps where !seen.contains(step) { seen.append(step) }
    return seen.sorted {
      ($0.kernel, $0.quality.rawValue, $0.threads) < ($1.kernel, $1.quality.rawValue, $1.threads)
    }
  }

  static func parameters(of step: CoresStep, _ context: CoreContext) -> [String: Scalar] {
    [
      "kernel": .text(step.kernel), "threads": .integer(step.threads),
      "core_context": .text(context.name(threads: step.threads, quality: step.quality)),
      "qos": .text(step.quality.rawValue),
    ]
  }

  /// One value per thread, each with its step's position.
  private static func rates(_ timings: [CoresTiming], _ parameters: [String: Scalar]) -> [Series] {
    let samples = timings.flatMap { timing in
      timing.rates.compactMap { rate in rate.map { (rate: $0, position: timing.position) } }
    }
    guard !samples.isEmpty else { return [] }
    return [Series(
      metric: .coresLoopRate, parameters: parameters, values: samples.map(\.rate),
      positions: samples.map(\.position))]
  }

  /// Gain of each added thread once the faster tiers are full: macOS's only view of a lower tier at
  /// high quality of service. Absent if a tier adds nothing, or wasn't reached.
  private static func slopes(_ outcome: CoresOutcome, _ plan: CoresPlan) -> [Series] {
    plan.kernels.flatMap { kernel in
      plan.context.spills.compactMap { spill -> Series? in
        let points = outcome.timings.compactMap { timing -> (x: Double, y: Double)? in
          let step = timing.step
          guard step.kernel == kernel, step.quality == .userInteractive,
            spill.threads.contains(step.threads)
          else { return nil }
          let rates = timing.rates.compactMap { $0 }
          guard rates.count == step.threads else { return nil }
          return (Double(step.threads), rates.reduce(0, +))
        }
        guard let line = Robust.line(through: points), line.slope > 0 else { return nil }
        return Series(
          metric: .coresAddedLoopRate,
          parameters: [
            "kernel": .text(kernel), "core_context": .text(spill.name),
            "qos": .text(ThreadQuality.userInteractive.rawValue),
          ],
          values: [line.slope])
      }
    }
  }
}
