import Base
import Foundation
import Measure

enum HashCommand {
  static let command = Command(
    name: "hash", abstract: "Measure SHA-256 while reading a file, and what limits it",
    operands: "[PATH|FILE]", maximumOperands: 1,
    options: [
      Option(name: "size", value: "SIZE", help: "size of the file to create in PATH (default: 16GB)"),
      Option(name: "passes", value: "N", help: "how often to time each part (default: 3)"),
      Option(name: "quick", help: "smoke test: one pass over 1 GB, not combined with full runs"),
      Option(name: "cached", help: "read from a filled cache, to measure the processor's limit instead of the storage's"),
      .seed, .blockSize,
    ] + Measuring.options,
    discussion: """
      Creates a file in PATH (default: the current directory), or uses FILE as it is. Reads it while
      computing SHA-256, reads it alone, and computes SHA-256 in memory. The slower of the last two is
      what limits hashing here.
      """
  ) { invocation, world in
    try Measuring.run(plan(invocation, world), invocation, world)
  }

  static func plan(_ invocation: Invocation, _ world: World) throws -> [PlannedRun] {
    let given = invocation.operands.first ?? "."
    let file = try fileBytes(given, world)
    if let file, file < leastBytes { throw UsageError("\(given) is too small to time; it needs at least \(Figures.bytes(leastBytes))") }
    if file != nil, invocation.has("size") { throw UsageError("--size is for a new file; leave it out with \(given)") }
    let quick = invocation.has("quick")
    if quick, invocation.has("size") || invocation.has("passes") {
      throw UsageError("--quick makes one pass over 1 GB; leave out --size and --passes")
    }
    let bytes = try file ?? invocation.bytes("size") ?? (quick ? 1_000_000_000 : 16_000_000_000)
    guard bytes >= leastBytes else { throw UsageError("--size takes \(Figures.bytes(leastBytes)) or more") }
    let plan = HashPlan(
      bytes: bytes,
      passes: try invocation.integer("passes", in: 1...100) ?? (quick ? 1 : 3),
      seed: try invocation.seed(world), blockSize: try invocation.blockSize(),
      cached: invocation.has("cached"), makesFile: file == nil, quick: quick)
    let path = try file == nil ? InfoCommand.directory(given, world) : world.resolve(given) ?? given
    return [planned(plan, path)]
  }

  /// Smaller files are read too fast to time.
  private static let leastBytes = 1_000_000

  /// Size of a file; nil for a directory.
  private static func fileBytes(_ path: String, _ world: World) throws -> Int? {
    var facts = stat()
    guard let resolved = world.resolve(path), stat(resolved, &facts) == 0 else {
      throw UsageError("there is no directory or file \(path)")
    }
    if facts.st_mode & S_IFMT == S_IFDIR { return nil }
    guard facts.st_mode & S_IFMT == S_IFREG, facts.st_size > 0 else {
      throw UsageError("\(path) is empty or not a regular file")
    }
    return Int(facts.st_size)
  }

  private static func planned(_ plan: HashPlan, _ path: String) -> PlannedRun {
    let size = Figures.bytes(plan.bytes)
    let what = plan.makesFile ? "Writes a file of \(size) to \(path)" : "Uses the file \(path) (\(size))"
    let times = Figures.times(plan.passes)
    let reads = plan.bytes * plan.passes * 2
    return PlannedRun(
      title: "hash \(plan.method)",
      announcement: "\(what), reads it \(times) with SHA-256 and \(times) without, hashes as much in "
        + "memory\(plan.makesFile ? ", then removes it" : ""). Seed \(plan.seed).",
      paths: [path], bytesWritten: plan.bytesWritten, bytesNeeded: plan.bytesWritten,
      bytesMoved: plan.bytesWritten + reads, seconds: Double(plan.bytes * plan.passes) / 2e9
    ) { context in
      let result = try HashRun.perform(
        plan, path: path, target: context.targets[0], frame: context.frame(),
        progress: context.progress(phases: plan.makesFile ? 2 : 1))
      return [MeasuredRun(document: result.document, ending: result.outcome.ending, figures: HashReport.figures(result))]
    }
  }
}

/// Hashing results in columns.
enum HashReport {
  static func figures(_ result: HashRun.Result) -> [String] {
    var table = TextTable(
      headings: ["", "GB/s", "Lowest", "Highest", "n"],
      alignments: [.left, .decimal, .decimal, .decimal, .right])
    for (part, words) in [
      (HashPlan.Part.hashing, "Reading with SHA-256"), (.reading, "Reading alone"), (.memory, "SHA-256 from memory"),
    ] {
      let speeds = result.outcome.timings.filter { $0.part == part }.map(\.speed)
      guard let median = Robust.median(speeds), let low = speeds.min(), let high = speeds.max() else { continue }
      table.rows.append([words] + [median, low, high].map(Figures.gigabytesPerSecond) + ["\(speeds.count)"])
    }
    return table.lines() + [result.outcome.limit.map { ["", sentence($0)] } ?? []].joined()
  }

  private static func sentence(_ limit: HashOutcome.Limit) -> String {
    switch limit {
    case .reading: "Reading is the limit: hashing would be faster with a faster drive, but not with a faster processor."
    case .hashing: "The processor is the limit: hashing would not be faster with a faster drive."
    case .both: "Reading and hashing slow each other down: together they are slower than either one alone."
    }
  }
}
