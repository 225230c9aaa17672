import Document

/// Runs of the cores suite, from start to document.
package enum CoresRun {
  package static func perform(
    _ plan: CoresPlan, frame: RunFrame, progress: @escaping (Int, Int) -> Void
  ) -> (document: RunDocument, outcome: CoresOutcome) {
    let measurement = CoresMeasurement(plan: plan, world: frame.session.world, progress: progress)
    let outcome = measurement.run()
    var parameters = plan.parameters
    if !outcome.wrong.isEmpty { parameters["wrong_results"] = .text(outcome.wrong.joined(separator: ",")) }
    let series = CoresSeries.make(from: outcome, plan: plan)
    let derived = Set(series.map(\.metric)).intersection([.coresAddedLoopRate])
    if let metric = derived.first { parameters["derived"] = .text(metric.rawValue) }
    let document = frame.document(
      RunContent(suite: "cores",
      method: MethodRecord(name: plan.method, version: CoresPlan.version, parameters: parameters),
      series: series), ending: outcome.ending, warnings: warnings(frame.facts))
    return (document, outcome)
  }

  package static func perform(
    _ plan: StaggeredPlan, frame: RunFrame
  ) -> (document: RunDocument, outcome: StaggeredOutcome) {
    let outcome = StaggeredMeasurement(plan: plan, world: frame.session.world).run()
    let document = frame.document(
      RunContent(suite: "cores",
      method: MethodRecord(
        name: StaggeredPlan.method, version: StaggeredPlan.version, parameters: plan.parameters),
      series: StaggeredSeries.make(from: outcome, plan: plan),
      traces: [StaggeredSeries.trace(of: outcome)]), ending: outcome.ending,
      warnings: warnings(frame.facts))
    return (document, outcome)
  }

  /// Warn in a virtual machine: a guest's threads run on whatever cores its host provides.
  package static func warnings(_ facts: MachineFacts) -> [Warning] {
    facts.environment.virtualMachine == nil ? [] : [Warning(.threadsAreVCPUs)]
  }
}
