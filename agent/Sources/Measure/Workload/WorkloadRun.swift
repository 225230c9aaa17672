import Base
import Document

/// A run of the workload suite, from first repetition to document.
package enum WorkloadRun {
  package static func perform(
    _ plan: WorkloadPlan, frame: RunFrame, progress: ProgressLine
  ) -> (document: RunDocument, outcome: WorkloadOutcome) {
    let outcome = WorkloadMeasurement(plan: plan, world: frame.session.world, progress: progress).run()
    let document = frame.document(
      RunContent(suite: "workload",
      method: MethodRecord(name: WorkloadPlan.method, version: WorkloadPlan.version, parameters: plan.parameters),
      series: series(outcome, plan)), ending: outcome.ending, warnings: [])
    return (document, outcome)
  }

  /// Convert timings to a document's series.
  package static func series(_ outcome: WorkloadOutcome, _ plan: WorkloadPlan) -> [Series] {
    let readings: [(Metric, (WorkloadTiming) -> Double?)] = [
      (.workloadDuration, { $0.wall }), (.workloadUserTime, { $0.user }),
      (.workloadSystemTime, { $0.system }), (.workloadPeakMemory, \.peakMemory),
    ]
    return readings.compactMap { metric, reading in
      let samples = outcome.timings.enumerated().compactMap { index, timing in
        reading(timing).map { (value: $0, position: index + 1) }
      }
      guard !samples.isEmpty else { return nil }
      return Series(
        metric: metric, parameters: ["test": .text(plan.name)], values: samples.map(\.value),
        positions: samples.map(\.position))
    }
  }
}
