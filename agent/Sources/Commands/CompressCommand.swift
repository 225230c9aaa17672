import Base
import Document
import Foundation
import Machine
import Measure

enum CompressCommand {
  static let command = Command(
    name: "compress", abstract: "Measure compression by number of threads, in memory and from file to file",
    otherNames: ["compression"],
    operands: "[PATH]", maximumOperands: 1,
    options: [
      Option(name: "threads", value: "A..B", help: "numbers of threads: 4, 1..8 or 1,2,4 (default: 1 to the number of cores)"),
      Option(name: "quick", help: "smoke test with 256 MiB instead of 1 GiB, not combined with full runs"),
      Option(name: "memory-only", help: "measure only in memory, without writing to PATH"),
      Option(name: "files-only", help: "measure only from file to file"),
      Option(name: "repetitions", value: "N", help: "how often to time each number of threads (default: 1)"),
      .qos, .seed,
    ] + Measuring.options,
    discussion: """
      Compresses the same data with one thread, two, and so on: in memory, where only the processor
      matters, and from file to file in PATH (default: the current directory), where the storage can be
      the limit. The two are separate runs.
      """
  ) { invocation, world in
    try Measuring.run(plan(invocation, world), invocation, world)
  }

  static func plan(_ invocation: Invocation, _ world: World) throws -> [PlannedRun] {
    let context = CoreContext(MachineFacts.read(world))
    let cores = context.cores(for: .userInteractive)
    let threads = try invocation.numbers("threads", in: 1...(4 * cores))
    let qualities = try invocation.qualities()
    let repetitions = try invocation.integer("repetitions", in: 1...100) ?? 1
    let seed = try invocation.seed(world)
    if invocation.has("memory-only"), let path = invocation.operands.first {
      throw UsageError("--memory-only writes no files; leave out \(path)")
    }
    if invocation.has("memory-only"), invocation.has("files-only") {
      throw UsageError("use --memory-only or --files-only, not both; with neither, both are measured")
    }
    let places = [CompressPlan.Place.memory, .files].filter {
      !invocation.has($0 == .memory ? "files-only" : "memory-only")
    }
    let path = try InfoCommand.directory(invocation.operands.first ?? ".", world)
    let plans = places.map { place in
      CompressPlan(
        place: place, quick: invocation.has("quick"), qualities: qualities, repetitions: repetitions,
        seed: seed, threads: threads, context: context)
    }
    let here = ProcessInfo.processInfo.activeProcessorCount
    let pace = CompressPace.measure(plans[0], cores: here, world: world)
    return plans.map { planned($0, path, pace, cores: here) }
  }

  private static func planned(_ plan: CompressPlan, _ path: String, _ pace: CompressPace, cores: Int) -> PlannedRun {
    let counts = Set(plan.steps.map(\.threads)).sorted()
    let threads = counts.count == 1 ? "\(counts[0])" : "\(counts[0]) to \(counts[counts.count - 1])"
    let size = Figures.bytes(plan.bytes)
    let place = plan.place == .memory ? "in memory" : "from file to file in \(path)"
    return PlannedRun(
      title: "compression \(plan.method)",
      announcement: "Compresses \(size) \(place) with \(threads) \(threads == "1" ? "thread" : "threads"), \(Figures.times(plan.steps.count)) in total. Seed \(plan.seed).",
      paths: plan.place == .files ? [path] : [],
      bytesWritten: plan.bytesWritten, bytesNeeded: plan.bytesNeeded, bytesMoved: plan.bytesMoved,
      seconds: pace.seconds(plan, cores: cores)
    ) { context in
      let progress = context.progress(phases: 1)
      progress.begin("Compressing", bytes: plan.bytes * plan.steps.count, share: pace.share(plan, cores: cores))
      let result = plan.place == .memory
        ? CompressRun.perform(plan, frame: context.frame(), progress: progress)
        : try CompressRun.perform(
          plan, path: path, target: context.targets[0], frame: context.frame(), progress: progress)
      return [MeasuredRun(
        document: result.document, ending: result.outcome.ending, figures: CompressReport.figures(result, plan))]
    }
  }
}

/// Compression results in columns.
enum CompressReport {
  static func figures(_ result: CompressRun.Result, _ plan: CompressPlan) -> [String] {
    plan.qualities.flatMap { quality -> [String] in
      let speeds = speeds(result.outcome, quality, bytes: plan.bytes)
      guard let slowest = speeds.first else { return [] }
      var table = TextTable(
        headings: ["Threads", "GB/s", "Time s", "vs \(slowest.threads)", "Cores", "n"],
        alignments: [.right, .decimal, .decimal, .decimal, .left, .right])
      table.rows = speeds.map { each in
        [
          "\(each.threads)", Figures.gigabytesPerSecond(each.median),
          Figures.significant(Double(plan.bytes) / each.median, 3),
          Figures.fixed(each.median / slowest.median, 2) + "×",
          plan.context.name(threads: each.threads, quality: quality), "\(each.count)",
        ]
      }
      let spark = Figures.sparkline(speeds.map(\.median))
      return table.lines() + ["", "Speed \(spark)   by number of threads, from zero"] + shrunk(result, plan)
    }
  }

  private static func speeds(
    _ outcome: CompressOutcome, _ quality: ThreadQuality, bytes: Int
  ) -> [(threads: Int, median: Double, count: Int)] {
    let own = outcome.timings.filter { $0.step.quality == quality }
    return Set(own.map(\.step.threads)).sorted().compactMap { threads in
      let speeds = own.filter { $0.step.threads == threads }.map { Double(bytes) / $0.seconds }
      return Robust.median(speeds).map { (threads, $0, speeds.count) }
    }
  }

  private static func shrunk(_ result: CompressRun.Result, _ plan: CompressPlan) -> [String] {
    guard let last = result.outcome.timings.last else { return [] }
    let share = Figures.fixed(Double(last.compressed) * 100 / Double(plan.bytes), 1)
    return ["\(BlockCompressor.algorithm) compressed \(Figures.bytes(plan.bytes)) to \(share)% of the size."]
  }
}
