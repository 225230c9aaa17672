import Base
import Document
import Foundation
import Measure

/// The methods of `macmeter disk` other than graded files, from options to runs.
struct DiskMethods {
  /// Method names, with their options besides those of every measuring command.
  enum Name: String, CaseIterable {
    case gradedFiles = "graded-files"
    case streamRead = "stream-read"
    case sustainedWrite = "sustained-write"
    case latency
    case simultaneous
    case trim

    var options: [String] {
      switch self {
      case .gradedFiles: DiskRequest.planOptions.map(\.name)
      case .streamRead: ["size", "repetitions", "quick", "seed", "block-size"]
      case .sustainedWrite: ["size", "quick", "seed", "block-size"]
      case .latency: ["size", "quick", "seed"]
      case .simultaneous: ["size", "sets", "quick", "seed", "block-size"]
      case .trim: ["size", "repetitions", "quick", "seed", "block-size"]
      }
    }
  }

  static let options = [
    Option(
      name: "method", value: "METHOD",
      help: "\(Name.allCases.map(\.rawValue).joined(separator: ", ")) (default: graded-files for one PATH, simultaneous for several)"),
    Option(name: "size", value: "SIZE", help: "file size of the other methods (default: stream-read 16GB, sustained-write 50GB, latency 1GiB, simultaneous 2GB, trim 2GB)"),
    Option(name: "repetitions", value: "N", help: "how often stream-read reads its file, or trim frees one (default: 3)"),
  ]

  static let discussion = """
    Other methods: stream-read reads one large file from start to end. sustained-write writes without
    pause, to show the speed once the drive's fast cache is full. latency reads 4 KiB and writes
    16 KiB at random positions. simultaneous measures several PATHs at once, for example drives that
    share a dock. trim measures how fast freed space is trimmed (Linux, as root).
    """

  let invocation: Invocation
  let world: World

  func runs(_ name: Name) throws -> [PlannedRun] {
    switch name {
    case .gradedFiles: try DiskRequest(invocation, world).plannedRuns
    case .streamRead: [try streamRead()]
    case .sustainedWrite: [try sustainedWrite()]
    case .latency: [try latency()]
    case .simultaneous: [try simultaneous()]
    case .trim: [try trim()]
    }
  }

  /// The method asked for, after checking that the options given belong to it.
  static func name(_ invocation: Invocation) throws -> Name {
    let usual: Name = invocation.operands.count > 1 ? .simultaneous : .gradedFiles
    let text = invocation.text("method") ?? usual.rawValue
    guard let name = Name(rawValue: text) else {
      throw UsageError("--method takes \(Name.allCases.map(\.rawValue).joined(separator: ", ")), not \(text)")
    }
    let all = Set(DiskRequest.planOptions.map(\.name) + ["size", "repetitions"])
    if let other = all.subtracting(name.options).sorted().first(where: invocation.has) {
      throw UsageError("--\(other) can't be used with the method \(name.rawValue)")
    }
    guard (invocation.operands.count > 1) == (name == .simultaneous) else {
      throw UsageError(
        name == .simultaneous ? "simultaneous needs two or more PATHs" : "\(name.rawValue) takes one PATH; for several use --method simultaneous")
    }
    return name
  }

  private var quick: Bool { invocation.has("quick") }

  /// The size given, or the method's default.
  private func size(_ usual: Int, quick small: Int) throws -> Int {
    guard let given = try invocation.bytes("size") else { return quick ? small : usual }
    if quick { throw UsageError("--quick sets the size; leave out --size") }
    guard given >= 1_000_000 else { throw UsageError("--size takes 1 MB or more") }
    return given
  }

  private func path() throws -> String { try InfoCommand.directory(invocation.operands.first ?? ".", world) }

  private func oneFile(_ kind: OneFilePlan.Method, bytes: Int) throws -> OneFilePlan {
    var plan = OneFilePlan(
      kind, bytes: bytes, repetitions: try invocation.integer("repetitions", in: 1...1000) ?? 3,
      seed: try invocation.seed(world))
    plan.blockSize = try invocation.blockSize()
    plan.quick = quick
    return plan
  }

  func streamRead() throws -> PlannedRun {
    let plan = try oneFile(.streamRead, bytes: size(16_000_000_000, quick: 1_000_000_000))
    let path = try path()
    return PlannedRun(
      title: "disk \(plan.method)",
      announcement: "Writes a file of \(Figures.bytes(plan.bytes)) to \(path), reads it \(Figures.times(plan.repetitions)) "
        + "from start to end, then removes it. Seed \(plan.seed).",
      paths: [path], bytesWritten: plan.bytes, bytesNeeded: plan.bytes, bytesMoved: plan.bytes * (1 + plan.repetitions)
    ) { context in
      let done = try StreamReadRun.perform(
        plan, path: path, target: context.targets[0], frame: context.frame(), progress: context.progress(phases: 2))
      return [MeasuredRun(
        document: done.document, ending: done.outcome.ending, figures: DiskMethodReport.streamRead(done.outcome, plan))]
    }
  }

  func sustainedWrite() throws -> PlannedRun {
    let plan = SustainedWritePlan(
      bytes: try size(50_000_000_000, quick: 5_000_000_000), seed: try invocation.seed(world),
      blockSize: try invocation.blockSize(), quick: quick)
    let path = try path()
    return PlannedRun(
      title: "disk \(plan.method)",
      announcement: "Writes \(Figures.bytes(plan.bytes)) without pause to \(path), then removes it. Seed \(plan.seed).",
      paths: [path], bytesWritten: plan.bytes, bytesNeeded: plan.bytes, bytesMoved: plan.bytes
    ) { context in
      let done = try SustainedWriteRun.perform(
        plan, path: path, target: context.targets[0], frame: context.frame(), progress: context.progress(phases: 1))
      return [MeasuredRun(
        document: done.document, ending: done.outcome.ending, figures: DiskMethodReport.sustainedWrite(done.outcome, plan))]
    }
  }

  func latency() throws -> PlannedRun {
    let plan = LatencyPlan(bytes: try size(1 << 30, quick: 256 << 20), seed: try invocation.seed(world), quick: quick)
    let path = try path()
    return PlannedRun(
      title: "disk \(plan.method)",
      announcement: "Writes a file of \(Figures.bytes(plan.bytes)) to \(path), reads 4 KiB and writes 16 KiB at random "
        + "positions in it, one at a time and \(LatencyPlan.deepest) at a time, then removes it. Seed \(plan.seed).",
      paths: [path], bytesWritten: plan.bytesWritten, bytesNeeded: plan.bytes, bytesMoved: plan.bytes,
      seconds: quick ? 2 : 12
    ) { context in
      let done = try LatencyRun.perform(
        plan, path: path, target: context.targets[0], frame: context.frame(), progress: context.progress(phases: 1))
      return [MeasuredRun(
        document: done.document, ending: done.outcome.ending, figures: DiskMethodReport.latency(done.outcome))]
    }
  }

  func trim() throws -> PlannedRun {
    let plan = try oneFile(.trim, bytes: size(2_000_000_000, quick: 200_000_000))
    let path = try path()
    let total = plan.bytes * plan.repetitions
    return PlannedRun(
      title: "disk \(plan.method)",
      announcement: "Writes a file of \(Figures.bytes(plan.bytes)) to \(path), removes it and trims all free space, "
        + "\(Figures.times(plan.repetitions)). Seed \(plan.seed).",
      paths: [path], bytesWritten: total, bytesNeeded: plan.bytes, bytesMoved: total
    ) { context in
      let done = try TrimRun().perform(
        plan, path: path, target: context.targets[0], frame: context.frame(), progress: context.progress(phases: 1))
      let figures = Robust.median(done.outcome.speeds).map { ["Trimmed at \(Figures.gigabytesPerSecond($0)) GB/s"] } ?? []
      return [MeasuredRun(document: done.document, ending: done.outcome.ending, figures: figures)]
    }
  }

  private func sharesVolume(_ paths: [String]) -> Bool {
    let volumes = paths.compactMap { path -> dev_t? in
      var facts = stat()
      return stat(path, &facts) == 0 ? facts.st_dev : nil
    }
    return Set(volumes).count < volumes.count
  }

  func simultaneous() throws -> PlannedRun {
    let plan = SimultaneousPlan(
      bytes: try size(2_000_000_000, quick: 200_000_000),
      sets: try invocation.integer("sets", in: 1...100) ?? (quick ? 1 : 5), seed: try invocation.seed(world),
      blockSize: try invocation.blockSize(), quick: quick)
    let paths = try invocation.operands.map { try InfoCommand.directory($0, world) }
    guard Set(paths).count == paths.count else { throw UsageError("name each PATH only once") }
    let total = plan.bytes * plan.sets
    let shares = sharesVolume(paths)
    return PlannedRun(
      title: "disk \(plan.method)",
      announcement: "Writes \(Figures.bytes(total)) to each of \(paths.count) directories at once and reads it back, "
        + "\(plan.sets == 1 ? "in one set" : "in \(plan.sets) sets"), then removes it. "
        + (shares ? "Some directories are on the same volume and share its speed. " : "") + "Seed \(plan.seed).",
      paths: paths, bytesWritten: total * paths.count, bytesNeeded: plan.bytes, bytesMoved: 2 * total
    ) { context in
      let done = try SimultaneousRun.perform(
        plan, paths: paths, targets: context.targets, frames: paths.map { _ in context.frame(shares ? [Warning(.oneVolume)] : []) },
        progress: context.progress(phases: 1))
      return done.documents.indices.map { index in
        MeasuredRun(
          document: done.documents[index], ending: done.ending,
          figures: DiskMethodReport.simultaneous(done.outcomes[index], paths[index]))
      }
    }
  }
}
