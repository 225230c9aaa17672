import Base
import Document
import Machine
import Measure

enum CoresCommand {
  static let command = Command(
    name: "cores", abstract: "Measure the speed of each core tier, by kernel and number of threads",
    otherNames: ["cpu"],
    options: [
      Option(name: "threads", value: "A..B", help: "numbers of threads: 4, 1..8 or 1,2,4 (default: 1 to the number of cores)"),
      Option(name: "kernels", value: "NAME,…", repeats: true, help: "loops to run: \(Kernel.all.map(\.name).joined(separator: ", ")) (default: all)"),
      Option(name: "repetitions", value: "N", help: "how often to time each (default: 1)"),
      Option(name: "quick", help: "smoke test with loops of 0.5 instead of 2.5 seconds, not combined with full runs"),
      Option(name: "staggered", help: "start threads one by one, then stop them one by one (1, 2, 3, 2, 1)"),
      Option(
        name: "qos", value: "QUALITY",
        help: "user-interactive (fastest cores first), background (slowest cores) or both (default: both)"),
      .seed,
    ] + Measuring.options,
    discussion: """
      Runs loops that stay inside a core, a few seconds each, on one thread, two, and so on, and subtracts
      the cost of an empty loop. macOS can't pin a thread to a core, so the core tier is inferred from the
      requested quality of service. Nothing is written to a drive.
      """
  ) { invocation, world in
    try Measuring.run(plan(invocation, world), invocation, world)
  }

  static func plan(_ invocation: Invocation, _ world: World) throws -> [PlannedRun] {
    let context = CoreContext(MachineFacts.read(world))
    let named = invocation.texts("kernels").flatMap { $0.split(separator: ",").map(String.init) }
    for name in named {
      do { _ = try Kernel.named(name) } catch { throw UsageError("--kernels: \(error)") }
    }
    let qualities = invocation.has("qos") ? try invocation.qualities() : ThreadQuality.distinct
    if invocation.has("staggered") {
      for option in ["threads", "repetitions", "quick"] where invocation.has(option) {
        throw UsageError("--\(option) can't be used with --staggered")
      }
      return (named.isEmpty ? [Kernel.int64.name] : named).flatMap { kernel in
        qualities.map { staggered(StaggeredPlan(kernel: kernel, quality: $0, peak: min(3, context.cores(for: $0)), context: context)) }
      }
    }
    let most = qualities.map { context.cores(for: $0) }.max() ?? 1
    return [planned(CoresPlan(
      kernels: named.isEmpty ? Kernel.all.map(\.name) : named, qualities: qualities,
      repetitions: try invocation.integer("repetitions", in: 1...100) ?? 1, seed: try invocation.seed(world),
      quick: invocation.has("quick"), threads: try invocation.numbers("threads", in: 1...most), context: context))]
  }

  private static func planned(_ plan: CoresPlan) -> PlannedRun {
    let counts = Set(plan.steps.map(\.threads)).sorted()
    let threads = counts.count == 1 ? "\(counts[0])" : "\(counts[0]) to \(counts[counts.count - 1])"
    return PlannedRun(
      title: "cores \(plan.method)",
      announcement: "Runs \(plan.kernels.joined(separator: ", ")) on \(threads) \(threads == "1" ? "thread" : "threads"), "
        + "\(Figures.times(plan.steps.count)) in total. Seed \(plan.seed).",
      seconds: plan.expectedSeconds
    ) { context in
      let progress = context.progress(phases: 1)
      progress.begin("Running loops", steps: plan.steps.count)
      let result = CoresRun.perform(plan, frame: context.frame()) { _, _ in progress.advance(steps: 1) }
      progress.finish()
      return [MeasuredRun(
        document: result.document, ending: result.outcome.ending, figures: CoresReport.figures(result.outcome, plan))]
    }
  }

  private static func staggered(_ plan: StaggeredPlan) -> PlannedRun {
    PlannedRun(
      title: "cores \(StaggeredPlan.method) \(plan.kernel) \(plan.quality.rawValue)",
      announcement: "Runs \(plan.kernel) on \(plan.phases.map(String.init).joined(separator: ", ")) threads, "
        + "\(Figures.duration(plan.hold)) each.",
      seconds: plan.hold * Double(plan.phases.count)
    ) { context in
      let result = CoresRun.perform(plan, frame: context.frame())
      return [MeasuredRun(
        document: result.document, ending: result.outcome.ending,
        figures: CoresReport.figures(result.document, plan))]
    }
  }
}

/// Core results in columns.
enum CoresReport {
  static func figures(_ outcome: CoresOutcome, _ plan: CoresPlan) -> [String] {
    let tables = plan.kernels.flatMap { kernel in
      plan.qualities.compactMap { quality -> [String]? in
        let own = outcome.timings.filter { $0.step.kernel == kernel && $0.step.quality == quality }
        return own.isEmpty ? nil : table(own, "\(kernel), \(quality.rawValue): million loops/s", plan, quality)
      }
    }
    let wrong = outcome.wrong.map { "\($0): gave wrong results, so its times are not reported." }
    return tables.joined(separator: [""]) + wrong
  }

  private static func table(
    _ timings: [CoresTiming], _ title: String, _ plan: CoresPlan, _ quality: ThreadQuality
  ) -> [String] {
    var table = TextTable(
      headings: ["Threads", "Per thread", "Total", "Slowest s", "Cores", "n"],
      alignments: [.right, .decimal, .decimal, .decimal, .left, .right])
    var totals: [Double?] = []
    for threads in Set(timings.map(\.step.threads)).sorted() {
      let own = timings.filter { $0.step.threads == threads }
      let total = Robust.median(own.map { $0.rates.compactMap { $0 }.reduce(0, +) })
      totals.append(total)
      table.rows.append([
        "\(threads)", cell(Robust.median(own.flatMap { $0.rates.compactMap { $0 } })), cell(total),
        Robust.median(own.compactMap { $0.seconds.max() }).map { Figures.significant($0, 3) } ?? "–",
        plan.context.name(threads: threads, quality: quality), "\(own.count)",
      ])
    }
    return [title] + table.lines()
      + ["Total \(Figures.sparkline(totals))   by number of threads, from zero"]
  }

  static func figures(_ document: RunDocument, _ plan: StaggeredPlan) -> [String] {
    var table = TextTable(
      headings: ["Threads", "Per thread", "Cores", "n"],
      alignments: [.right, .decimal, .left, .right])
    for series in document.series {
      guard case .integer(let threads)? = series.parameters?["threads"] else { continue }
      table.rows.append([
        "\(threads)", cell(Robust.median(series.values)),
        plan.context.name(threads: threads, quality: plan.quality), "\(series.values.count)",
      ])
    }
    return ["\(plan.kernel), \(plan.quality.rawValue), threads starting and stopping one by one: million loops/s"] + table.lines()
  }

  private static func cell(_ rate: Double?) -> String { rate.map { Figures.significant($0 / 1e6, 3) } ?? "–" }
}
