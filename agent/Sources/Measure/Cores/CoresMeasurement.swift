import Base

/// The result of one step.
package struct CoresTiming: Equatable, Sendable {
  package var step: CoresStep
  /// Position in the run, counted from 1.
  var position: Int
  /// Loops per thread.
  var loops: Int
  /// Seconds per thread.
  package var seconds: [Double]
  /// Seconds from the first thread's start to the last thread's end.
  var total: Double
  /// Seconds per loop without its work, with the same number of threads.
  var emptyLoop: Double

  /// Loops per second of each thread, excluding counting and branching; nil for a thread whose time
  /// was only overhead.
  package var rates: [Double?] {
    seconds.map { time in
      let worked = time - emptyLoop * Double(loops)
      return worked > 0 ? Double(loops) / worked : nil
    }
  }
}

/// Everything that a run of `in-core` measured, complete or not.
package struct CoresOutcome: Sendable {
  package var timings: [CoresTiming] = []
  /// Kernels with wrong arithmetic results, which are not reported.
  package var wrong: [String] = []
  package var ending = RunEnding.complete
}

/// One run of `in-core`: calibrate each kernel, then run the teams in turn.
struct CoresMeasurement {
  let plan: CoresPlan
  let world: World
  /// Callback with the number of steps done and the total.
  var progress: (Int, Int) -> Void = { _, _ in }

  /// Share of a step's loops that its empty loops run.
  static let emptyShare = 0.125
  /// Share of a step's time that its threads run before they are timed, so that the cores are at
  /// full speed and each thread has its own.
  static let warmUpShare = 0.04
  private static let warmUpStretches = 20

  /// Never throws: what was measured before an early end is part of the outcome.
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

  /// Use the lowest empty-loop time of each step for all its repetitions: the true cost is the
  /// same, only the disturbance differs.
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

  /// Warm up in stretches, so that a slower core's thread takes no longer than a fast one's.
  private static func warmUp(_ kernel: Kernel, loops: Int, seconds: Double, _ world: World) {
    let began = world.monotonic()
    for _ in 0..<warmUpStretches {
      _ = kernel.run(max(2, loops / warmUpStretches / 2 * 2))
      if Double(world.monotonic() - began) / 1e9 >= seconds { return }
    }
  }
}
