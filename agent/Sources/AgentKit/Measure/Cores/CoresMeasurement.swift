/// How one step fared.
struct CoresTiming: Equatable, Sendable {
  var step: CoresStep
  /// Its place in the run, counted from 1.
  var position: Int
  /// Loops of each thread.
  var loops: Int
  /// Seconds of each thread.
  var seconds: [Double]
  /// Seconds from the first thread's start to the last one's end.
  var total: Double
  /// Seconds that a loop takes without its work, on the same number of threads.
  var emptyLoop: Double

  /// Loops a second of each thread, without what counting and branching cost; nil for a thread whose
  /// time was nothing else.
  var rates: [Double?] {
    seconds.map { time in
      let worked = time - emptyLoop * Double(loops)
      return worked > 0 ? Double(loops) / worked : nil
    }
  }
}

/// Everything a run of `in-core` found out, finished or not.
struct CoresOutcome: Sendable {
  var timings: [CoresTiming] = []
  /// Kernels whose arithmetic came out wrong, and of which nothing is reported.
  var wrong: [String] = []
  var ending = RunEnding.complete
}

/// One run of `in-core`: calibrate each kernel, then team after team.
struct CoresMeasurement {
  let plan: CoresPlan
  let world: World
  /// Told the steps done, of how many.
  var progress: (Int, Int) -> Void = { _, _ in }

  /// The empty loops of a step run for this share of its loops.
  static let emptyShare = 0.125

  /// Never throws: what was measured until an end that came early is part of the outcome.
  func run() -> CoresOutcome {
    var outcome = CoresOutcome()
    do {
      var loops: [String: Int] = [:]
      for (index, step) in plan.steps.enumerated() where !outcome.wrong.contains(step.kernel) {
        if world.interrupted() { throw Interrupted() }
        do {
          let count = try loops[key(step)] ?? calibrate(step)
          loops[key(step)] = count
          outcome.timings.append(try measure(step, position: index + 1, loops: count))
        } catch let error as WrongResult {
          outcome.wrong.append(error.kernel)
          outcome.timings.removeAll { $0.step.kernel == error.kernel }
        }
        progress(index + 1, plan.steps.count)
      }
    } catch {
      outcome.ending = RunEnding(error)
    }
    return outcome
  }

  private func key(_ step: CoresStep) -> String { step.kernel + "/" + step.quality.rawValue }

  private func calibrate(_ step: CoresStep) throws -> Int {
    try Calibration.loops(
      try Kernel.named(step.kernel), quality: step.quality, seconds: plan.seconds, world: world)
  }

  private func measure(_ step: CoresStep, position: Int, loops: Int) throws -> CoresTiming {
    let kernel = try Kernel.named(step.kernel)
    let stints = ThreadTeam.run(step.threads, quality: step.quality, world: world) { _ in
      kernel.run(loops)
    }
    guard stints.allSatisfy(\.work) else { throw WrongResult(kernel: kernel.name) }
    let emptyLoops = Int(Double(loops) * Self.emptyShare)
    let started = stints.map(\.started).min() ?? 0
    let ended = stints.map(\.ended).max() ?? 0
    return CoresTiming(
      step: step, position: position, loops: loops, seconds: stints.map(\.seconds),
      total: Double(max(1, ended - started)) / 1e9,
      emptyLoop: try EmptyLoop.seconds(
        kernel, threads: step.threads, quality: step.quality, loops: emptyLoops, world: world))
  }
}
