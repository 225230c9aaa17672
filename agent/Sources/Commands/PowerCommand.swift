import Base
import Document
import Machine
import Measure

enum PowerCommand {
  static let command = Command(
    name: "power", abstract: "Measure power and core frequencies by number of threads (as root)",
    options: [
      Option(name: "threads", value: "N", help: "highest number of threads (default: the number of cores)"),
      Option(name: "kernel", value: "NAME", help: "the loop that loads the cores: \(Kernel.all.map(\.name).joined(separator: ", ")) (default: fp64)"),
      Option(name: "background", help: "use background threads, which run on the slowest core tier"),
      Option(name: "quick", help: "smoke test: three numbers of threads, short phases, not combined with full runs"),
    ] + Measuring.options,
    discussion: """
      Samples macOS's powermetrics ten times a second, first idle, then under load with each number of
      threads, then idle again. Sampling adds overhead, so these runs aren't used for timing. A virtual
      machine can't measure power.
      """
  ) { invocation, world in
    let facts = MachineFacts.read(world)
    if let obstacle = PowerAccess.obstacle(facts, world) {
      let heat = facts.environment.thermalState.map { " The thermal state is \($0)." } ?? ""
      world.terminal.say("macmeter: \(obstacle.words). \(obstacle.fix)\(obstacle.fix.hasSuffix(".") ? "" : ".")\(heat)")
      return .notPossibleHere
    }
    return try Measuring.run([plan(invocation, facts)], invocation, world)
  }

  static func plan(_ invocation: Invocation, _ facts: MachineFacts) throws -> PlannedRun {
    let cores = facts.coreTiers?.map(\.cores).reduce(0, +) ?? 1
    let context = CoreContext(tiers: facts.coreTiers, cores: cores)
    let kernel = invocation.text("kernel") ?? Kernel.fp64.name
    do { _ = try Kernel.named(kernel) } catch { throw UsageError("--kernel: \(error)") }
    let plan = PowerPlan(
      kernel: kernel, quality: invocation.has("background") ? .background : .userInteractive, context: context,
      most: try invocation.integer("threads", in: 1...1024), quick: invocation.has("quick"))
    let counts = plan.threads.map(String.init).joined(separator: ", ")
    return PlannedRun(
      title: "power \(plan.name)",
      announcement: "Samples power, frequencies and residencies under load with \(counts) threads, one after another.",
      seconds: plan.seconds, perform: { [measure(plan, context, $0)] })
  }

  private static func measure(_ plan: PowerPlan, _ context: CoreContext, _ run: RunContext) -> MeasuredRun {
    let frame = run.frame()
    var warnings: [Warning] = []
    let progress = run.progress(phases: 1)
    progress.begin("Sampling", steps: plan.phases.count)
    var sampling = PowerRun(plan: plan, world: run.session.world)
    sampling.progress = { progress.advance(steps: $0) }
    let outcome = sampling.run()
    progress.finish()
    if outcome.damaged > 0 { warnings.append(Warning(.incomplete, "\(outcome.damaged) samples could not be read")) }
    let made = PowerSeries(plan: plan, context: context, outcome: outcome)
    let traces = made.traces()
    let document = frame.document(
      RunContent(suite: "power",
      method: MethodRecord(
        name: plan.name, version: PowerPlan.version,
        parameters: [
          "interval": .number(Double(PowerPlan.interval) / 1000), "quiet": .number(plan.quiet), "ramp": .number(plan.ramp),
          "loaded": .number(plan.loaded), "kernel": .text(plan.kernel), "placement": "assumed",
        ]),
      series: made.series(), traces: traces.isEmpty ? nil : traces), ending: outcome.ending, warnings: warnings)
    return MeasuredRun(document: document, ending: outcome.ending, figures: figures(made))
  }

  /// One row per number of threads.
  private static func figures(_ made: PowerSeries) -> [String] {
    var table = TextTable(headings: ["Threads", "CPU W", "± SD", "Highest"], alignments: [.right, .decimal, .decimal, .decimal])
    for span in made.loadedSpans {
      guard let power = made.meanPower(span) else { continue }
      table.rows.append([
        String(span.phase.threads), Figures.significant(power.mean, 3), power.deviation.map { Figures.significant($0, 2) } ?? "–",
        Figures.significant(power.maximum, 3),
      ])
    }
    var lines = table.rows.isEmpty ? ["No sample was entirely within a loaded phase."] : table.lines()
    var clusters = TextTable(headings: ["Tier", "Active cores", "GHz"], alignments: [.left, .right, .decimal])
    clusters.rows = made.series().filter { $0.metric == .coresFrequency }.compactMap { series in
      guard case .text(let tier)? = series.parameters?["tier"], case .integer(let active)? = series.parameters?["active_cores"],
        let median = Robust.median(series.values)
      else { return nil }
      return [tier, String(active), Figures.fixed(median / 1e9, 2)]
    }
    if !clusters.rows.isEmpty { lines += [""] + clusters.lines() }
    let slopes = made.series().filter { $0.metric == .powerPerAddedThread }.compactMap { series -> String? in
      guard case .text(let context)? = series.parameters?["core_context"], let watts = series.values.first else { return nil }
      return "Each added thread (\(context)): \(Figures.significant(watts, 3)) W"
    }
    return lines + (slopes.isEmpty ? [] : [""] + slopes)
  }
}
