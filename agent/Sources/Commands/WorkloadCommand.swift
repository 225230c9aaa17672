import Administration
import Base
import Document
import Measure

enum WorkloadCommand {
  static let command = Command(
    name: "workload", abstract: "Time any command, repeatedly",
    operands: "-- COMMAND…", maximumOperands: .max,
    options: [
      Option(name: "name", value: "NAME", help: "the workload's public name; the command line is never sent"),
      Option(name: "repeat", value: "N", help: "how often to time it (default: 10)"),
      Option(name: "warm-up", value: "N", help: "how often to run it before timing starts (default: 1)"),
      Option(name: "cold", help: "empty the system's caches before each repetition (root)"),
      Option(name: "show-output", help: "show what the command prints, on standard error"),
    ] + Measuring.options,
    discussion: """
      Runs COMMAND repeatedly and records wall, user and system time and the peak memory of its largest
      process. Use --label for the configuration under test: --label iops=12000. The run ends if COMMAND
      fails. COMMAND runs without a shell: for a pipe, use `-- sh -c '…'`.
      """
  ) { invocation, world in
    try Measuring.run(plan(invocation, world), invocation, world)
  }

  static func plan(_ invocation: Invocation, _ world: World) throws -> [PlannedRun] {
    guard let given = invocation.text("name"), let name = documentText(given), name == given else {
      throw UsageError("`macmeter workload` needs --name NAME, the public name of the workload")
    }
    if let secret = Labels.privateName(in: name, world.privateNames()) {
      throw UsageError("--name \(name) contains \(secret), the name of this user or host, and would be public")
    }
    guard !invocation.operands.isEmpty else {
      throw UsageError("`macmeter workload` needs a command: macmeter workload --name \(name) -- COMMAND…")
    }
    if invocation.has("cold"), let obstacle = SystemCaches.obstacle { throw UsageError("--cold: \(obstacle)") }
    let plan = WorkloadPlan(
      name: name, command: invocation.operands,
      repetitions: try invocation.integer("repeat", in: 1...10_000) ?? 10,
      warmUp: try invocation.integer("warm-up", in: 0...1000) ?? 1, cold: invocation.has("cold"),
      showsOutput: invocation.has("show-output"))
    return [planned(plan)]
  }

  private static func planned(_ plan: WorkloadPlan) -> PlannedRun {
    let warmUp = plan.warmUp == 0 ? "" : ", after \(plan.warmUp) warm-up \(plan.warmUp == 1 ? "run" : "runs")"
    let cold = plan.cold ? ", and empties the system's caches before each" : ""
    let times = Figures.times(plan.repetitions)
    return PlannedRun(
      title: "workload \(plan.name)", announcement: "Runs the command \(times)\(warmUp)\(cold).",
      isTimed: false
    ) { context in
      let progress = context.progress(phases: 1)
      let result = WorkloadRun.perform(plan, frame: context.frame(), progress: progress)
      return [MeasuredRun(
        document: result.document, ending: result.outcome.ending, figures: WorkloadReport.figures(result.outcome))]
    }
  }
}

/// Results of a repeated command in columns.
enum WorkloadReport {
  static func figures(_ outcome: WorkloadOutcome) -> [String] {
    guard !outcome.timings.isEmpty else { return [] }
    var table = TextTable(
      headings: ["", "Median", "p90", "Lowest", "Highest", "n"],
      alignments: [.left, .decimal, .decimal, .decimal, .decimal, .right])
    let rows: [(String, Double, (WorkloadTiming) -> Double?)] = [
      ("Wall time s", 1, { $0.wall }), ("User time s", 1, { $0.user }), ("System time s", 1, { $0.system }),
      ("Peak memory MB", 1e6, \.peakMemory),
    ]
    for (name, scale, value) in rows {
      let values = outcome.timings.compactMap(value).map { $0 / scale }.sorted()
      guard !values.isEmpty else { continue }
      let figures = [Robust.quantile(values, 0.5), Robust.quantile(values, 0.9), values.first, values.last]
      table.rows.append([name] + figures.map { $0.map { Figures.significant($0, 3) } ?? "–" } + ["\(values.count)"])
    }
    let spark = Figures.sparkline(outcome.timings.map(\.wall))
    return table.lines() + ["", "Wall time \(spark)   by repetition, from zero"]
  }
}
