import Base

/// How one step fared.
package struct CoresTiming: Equatable, Sendable {
  package var step: CoresStep
  /// Its place in the run, counted from 1.
  var position: Int
  /// Loops of each thread.
  var loops: Int
  /// Seconds of each thread.
  package var seconds: [Double]
  /// Seconds from the first thread's start to the last one's end.
  var total: Double
  /// Seconds that a loop takes without its work, on the same number of threads.
  var emptyLoop: Double

  /// Loops a second of each thread, without what counting and branching cost; nil for a thread whose
  /// time was nothing else.
  package var rates: [Double?] {
    seconds.map { time in
      let worked = time - emptyLoop * Double(loops)
      return worked > 0 ? Double(loops) / worked : nil
    }
  }
}

/// Everything a run of `in-core` found out, finished or not.
package struct CoresOutcome: Sendable {
  package var timings: [CoresTiming] = []
  /// Kernels whose arithmetic came out wrong, and of which nothing is reported.
  package var wrong: [String] = []
  package var ending = RunEnding.complete
}

/// One run of `in-core`: calibrate each kernel, then team after team.
struct CoresMeasurement {
  let plan: CoresPlan
  let world: World
  /// Called with the steps done, and how many there are.
  var progress: (Int, Int) -> Void = { _, _ in }

  /// The empty loops of a step run for this share of its loops.
  static let emptyShare = 0.125
  /// A step's threads run its loops for this share of its time before they are timed: until the cores
  /// have come up to speed, and the system has put each thread on one of its own.
  static let warmUpShare = 0.04
  private static let warmUpStretches = 20

  /// Never throws: what was measured until an end that came early is part of the outcome.
  func run() -> CoresOutcome {
    var outcome = CoresOutcome()
    let team = ThreadTeam(world: world)
    do {
      var loops: [String: Int] = [:]
      for (index, step) in plan.steps.enumerated() where !outcome.wrong.contains(step.kernel) {
        if world.interrupted() { throw Interrupted() }
        do {
          let count = try loops[key(step)] ?? calibrate(step, team)
          loops[key(step)] = count
          outcome.timings.append(try measure(step, position: index + 1, loops: count, team))
        } catch let error as WrongResult {
          outcome.wrong.append(error.kernel)
          outcome.timings.removeAll { $0.step.kernel == error.kernel }
        }
        progress(index + 1, plan.steps.count)
      }
    } catch {
      outcome.ending = RunEnding(error)
    }
    outcome.timings = Self.withLeastEmptyLoops(outcome.timings)
    return outcome
  }

  /// What an empty loop costs does not change between the repetitions of a step, only how much its
  /// measurement was disturbed: the least disturbed one holds for all of them.
  static func withLeastEmptyLoops(_ timings: [CoresTiming]) -> [CoresTiming] {
    timings.map { timing in
      var timing = timing
      timing.emptyLoop = timings.filter { $0.step == timing.step }.map(\.emptyLoop).min() ?? timing.emptyLoop
      return timing
    }
  }

  private func key(_ step: CoresStep) -> String { step.kernel + "/" + step.quality.rawValue }

  private func calibrate(_ step: CoresStep, _ team: ThreadTeam) throws -> Int {
    try Calibration.loops(
      try Kernel.named(step.kernel), quality: step.quality, seconds: plan.seconds, team: team, world: world)
  }

  private func measure(
    _ step: CoresStep, position: Int, loops: Int, _ team: ThreadTeam
  ) throws -> CoresTiming {
    let kernel = try Kernel.named(step.kernel)
    let warmUp: @Sendable () -> Void = { [world, seconds = plan.seconds * Self.warmUpShare] in
      Self.warmUp(kernel, loops: Int(Double(loops) * Self.warmUpShare), seconds: seconds, world)
    }
    let stints = team.run(step.threads, quality: step.quality, warmUp: warmUp) { _ in kernel.run(loops) }
    guard stints.allSatisfy(\.work) else { throw WrongResult(kernel: kernel.name) }
    let emptyLoops = Int(Double(loops) * Self.emptyShare)
    let started = stints.map(\.started).min() ?? 0
    let ended = stints.map(\.ended).max() ?? 0
    return CoresTiming(
      step: step, position: position, loops: loops, seconds: stints.map(\.seconds),
      total: Double(max(1, ended - started)) / 1e9,
      emptyLoop: try EmptyLoop.seconds(
        kernel, threads: step.threads, quality: step.quality, loops: emptyLoops, team: team))
  }

  /// In stretches, so that a slower core's thread takes no longer than a fast one's.
  private static func warmUp(_ kernel: Kernel, loops: Int, seconds: Double, _ world: World) {
    let began = world.monotonic()
    for _ in 0..<warmUpStretches {
      _ = kernel.run(max(2, loops / warmUpStretches / 2 * 2))
      if Double(world.monotonic() - began) / 1e9 >= seconds { return }
    }
  }
}
