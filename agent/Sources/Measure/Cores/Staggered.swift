import Base
import Document

/// One stretch of a thread's work in a staggered run.
struct Stretch: Equatable, Sendable {
  /// Seconds since the run began.
  var started: Double
  var ended: Double
  var loops: Int
}

/// Plan of a staggered run: threads join one by one up to `peak`, then leave one by one: 1, 2, 3,
/// 2, 1. It shows the steps in which a cluster's frequency follows its number of busy cores.
package struct StaggeredPlan: Equatable, Sendable {
  package static let version = 1
  package static var method: String { Kernel.inAssembly ? "staggered" : "staggered-c" }

  package let kernel: String
  package let quality: ThreadQuality
  var peak = 3
  /// Seconds for which the number of threads stays constant.
  package var hold = 2.0
  package let context: CoreContext

  package init(kernel: String, quality: ThreadQuality, peak: Int = 3, hold: Double = 2.0, context: CoreContext) {
    self.kernel = kernel
    self.quality = quality
    self.peak = peak
    self.hold = hold
    self.context = context
  }

  /// Number of working threads in each phase.
  package var phases: [Int] { Array(1...peak) + (1..<peak).reversed() }

  /// The working time of a thread, numbered from 0: first in, first out.
  func working(_ thread: Int) -> ClosedRange<Double> {
    Double(thread) * hold...Double(thread + peak) * hold
  }

  package var parameters: [String: Scalar] {
    [
      "kernel": .text(kernel), "quality": .text(quality.rawValue), "peak": .integer(peak),
      "hold": .number(hold), "placement": "assumed", "empty_loop": "subtracted",
    ]
  }
}

/// Everything that a staggered run measured.
package struct StaggeredOutcome: Sendable {
  /// Stretches of each thread, in order.
  var stretches: [[Stretch]] = []
  /// Seconds per loop without its work.
  var emptyLoop = 0.0
  package var ending = RunEnding.complete
}

/// One staggered run.
struct StaggeredMeasurement {
  let plan: StaggeredPlan
  let world: World

  /// Short compared with a phase, and long compared with a clock read.
  static let stretchSeconds = 0.02

  func run() -> StaggeredOutcome {
    var outcome = StaggeredOutcome()
    do {
      let kernel = try Kernel.named(plan.kernel)
      let stretch = min(Self.stretchSeconds, plan.hold / 10)
      let loops = try Calibration.loops(kernel, quality: plan.quality, seconds: stretch, world: world)
      outcome.emptyLoop = try EmptyLoop.seconds(
        kernel, quality: plan.quality, loops: loops, team: ThreadTeam(world: world))
      let stints = ThreadTeam.run(plan.peak, quality: plan.quality, world: world) { thread in
        work(thread, kernel, loops)
      }
      outcome.stretches = stints.map { $0.work ?? [] }
      guard stints.allSatisfy({ $0.work != nil }) else { throw WrongResult(kernel: kernel.name) }
      if world.interrupted() { throw Interrupted() }
    } catch {
      outcome.ending = RunEnding(error)
    }
    return outcome
  }

  /// Sleep until its turn, then work until it is over; nil if a result was wrong.
  private func work(_ thread: Int, _ kernel: Kernel, _ loops: Int) -> [Stretch]? {
    let began = world.monotonic()
    let now = { Double(world.monotonic() - began) / 1e9 }
    let turn = plan.working(thread)
    var stretches: [Stretch] = []
    world.sleep(turn.lowerBound)
    while now() < turn.upperBound, !world.interrupted() {
      let started = now()
      guard kernel.run(loops) else { return nil }
      stretches.append(Stretch(started: started, ended: now(), loops: loops))
    }
    return stretches
  }
}

/// Conversion of stretches to a document's series and trace. Pure.
enum StaggeredSeries {
  /// One series per number of threads: the median rate of each phase and thread over stretches
  /// entirely inside the phase; the position is the phase.
  static func make(from outcome: StaggeredOutcome, plan: StaggeredPlan) -> [Series] {
    (1...plan.peak).compactMap { threads in
      var values: [Double] = []
      var positions: [Int] = []
      for (index, active) in plan.phases.enumerated() where active == threads {
        let phase = Double(index) * plan.hold...Double(index + 1) * plan.hold
        for stretches in outcome.stretches {
          let inside = stretches.filter {
            phase.contains($0.started) && phase.contains($0.ended)
          }
          guard let rate = Robust.median(inside.compactMap { rate($0, outcome) }) else { continue }
          values.append(rate)
          positions.append(index + 1)
        }
      }
      guard !values.isEmpty else { return nil }
      let step = CoresStep(kernel: plan.kernel, quality: plan.quality, threads: threads)
      return Series(
        metric: .coresLoopRate, parameters: CoresSeries.parameters(of: step, plan.context),
        values: values, positions: positions)
    }
  }

  /// Every stretch, to make the steps visible.
  static func trace(of outcome: StaggeredOutcome) -> Trace {
    Trace(
      kind: "staggered", columns: ["t", "thread", "loop_rate"],
      rows: outcome.stretches.enumerated().flatMap { thread, stretches in
        stretches.compactMap { stretch in
          rate(stretch, outcome).map {
            [.number(stretch.started), .integer(thread + 1), .number($0.rounded())]
          }
        }
      })
  }

  private static func rate(_ stretch: Stretch, _ outcome: StaggeredOutcome) -> Double? {
    let worked = stretch.ended - stretch.started - outcome.emptyLoop * Double(stretch.loops)
    return worked > 0 ? Double(stretch.loops) / worked : nil
  }
}
