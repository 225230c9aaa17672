import Foundation
import TestSupport
import Testing

@testable import Base
@testable import Document
@testable import Measure

private let m4Pro = CoreContext(
  tiers: [CoreTier(name: "Performance", cores: 10), CoreTier(name: "Efficiency", cores: 4)], cores: 14)

@Suite struct CoreContextTests {
  @Test("the fastest tier, spilling over, and background have different names")
  func names() {
    #expect(m4Pro.name(threads: 1, quality: .userInteractive) == "Performance/high")
    #expect(m4Pro.name(threads: 10, quality: .userInteractive) == "Performance/high")
    #expect(m4Pro.name(threads: 11, quality: .userInteractive) == "Performance+Efficiency/high")
    #expect(m4Pro.name(threads: 14, quality: .userInteractive) == "Performance+Efficiency/high")
    #expect(m4Pro.name(threads: 1, quality: .background) == "Efficiency/background")
    #expect(m4Pro.spills.map(\.name) == ["Efficiency/high"])
    #expect(m4Pro.spills.map(\.threads) == [10...14])
  }

  @Test("tiers keep Apple's names, whatever they are and however many")
  func unknownTiers() {
    let names = ["Super", "Performance", "Frugal"]
    let context = CoreContext(tiers: names.map { CoreTier(name: $0, cores: 2) }, cores: 6)
    #expect(context.name(threads: 5, quality: .userInteractive) == "Super+Performance+Frugal/high")
    #expect(context.name(threads: 2, quality: .background) == "Frugal/background")
    #expect(context.spills.map(\.threads) == [2...4, 4...6])
    #expect(context.cores(for: .userInteractive) == 6)
    #expect(context.cores(for: .background) == 2)
  }

  @Test("where the system names no tiers, all cores are one")
  func noTiers() {
    let context = CoreContext(tiers: nil, cores: 5)
    #expect(context.name(threads: 5, quality: .userInteractive) == "Core/high")
    #expect(context.cores(for: .background) == 5)
    #expect(context.spills.isEmpty)
  }
}

@Suite struct KernelTests {
  @Test("every kernel's arithmetic comes out right", arguments: Kernel.all.map(\.name))
  func results(name: String) throws {
    let kernel = try Kernel.named(name)
    for loops in [2, 4, 1000, 65536] {
      #expect(kernel.run(loops))
      #expect(kernel.runEmpty(loops))
    }
  }

  @Test("a kernel this system lacks is refused by name, saying which there are")
  func unknown() {
    #expect(throws: MissingKernel(name: "quantum")) { try Kernel.named("quantum") }
    #expect("\(MissingKernel(name: "quantum"))".contains("int64, fp64, \(Kernel.neon.name)"))
  }

  @Test("ten times the loops take about ten times the processor's time: nothing is optimised away")
  func scales() {
    for kernel in Kernel.all {
      // Thread processor time, which excludes other work on this computer.
      let seconds = { (loops: Int) in
        (0..<5).map { _ in
          let began = threadSeconds()
          #expect(kernel.run(loops))
          return threadSeconds() - began
        }.min() ?? 0
      }
      var loops = 1000
      while seconds(loops) < 0.002 { loops *= 4 }
      let ratio = seconds(loops * 10) / seconds(loops)
      #expect((5...20).contains(ratio), "\(kernel.name): \(ratio)")
    }
  }
}

private func threadSeconds() -> Double {
  var now = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
  return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
}

@Suite struct CalibrationTests {
  @Test("loop counts are round, so that like machines share them, and near what was wanted")
  func round() {
    #expect(Calibration.round(1.02e9) == 1_000_000_000)
    #expect(Calibration.round(4.7e8) == 500_000_000)
    #expect(Calibration.round(9.6e5) == 1_000_000)
    #expect(Calibration.round(3) == 1000)
    for loops in stride(from: 1e3, to: 1e6, by: 777) {
      let ratio = Double(Calibration.round(loops)) / loops
      #expect((0.85...1.16).contains(ratio))
      #expect(Calibration.round(loops) % 2 == 0)
    }
  }
}

@Suite struct EmptyLoopTests {
  /// Two nanoseconds per loop on a core that a neighbour slows down in all but every tenth stretch.
  @Test("the cost of counting is that of an undisturbed stretch")
  func undisturbed() throws {
    let core = SharedCore()
    var world = World.test()
    world.monotonic = { core.time }
    let cost = { (loops: Int) in
      try EmptyLoop.seconds(core.kernel, quality: .background, loops: loops, team: ThreadTeam(world: world))
    }
    #expect(abs(try cost(1_000_000) - 2e-9) < 1e-15)
    // Fewer loops than a stretch count as one stretch.
    #expect(try cost(100) > 0)
    core.isRight = false
    #expect(throws: WrongResult(kernel: "shared")) { try cost(1_000_000) }
  }

  private final class SharedCore: @unchecked Sendable {
    var time: UInt64 = 0
    var isRight = true
    private var stretches: UInt64 = 0

    var kernel: Kernel {
      Kernel(name: "shared", run: { _ in true }, runEmpty: { [self] loops in
        stretches += 1
        time += UInt64(loops) * (stretches % 10 == 0 ? 2 : 2 + stretches % 10)
        return isRight
      })
    }
  }
}

@Suite struct ThreadTeamTests {
  @Test("each thread has its own time, and all have begun before any has ended")
  func together() {
    let meeting = Meeting(of: 4)
    let stints = ThreadTeam.run(4, quality: .background, world: World.test()) { number in
      meeting.join()
      return number
    }
    #expect(stints.map(\.work) == [0, 1, 2, 3])
    let lastStart = stints.map(\.started).max() ?? 0
    #expect(stints.allSatisfy { $0.ended >= lastStart && $0.ended > $0.started })
  }

  @Test("a team keeps its threads from run to run; warming up doesn't count in their time")
  func kept() {
    let team = ThreadTeam(world: World.test())
    let threads = { (count: Int) in
      Set(team.run(count, quality: .background) { _ in ObjectIdentifier(Thread.current) }.map(\.work))
    }
    let two = threads(2)
    #expect(two.count == 2)
    #expect(threads(2) == two)
    #expect(threads(1).isSubset(of: two))
    #expect(threads(3).isSuperset(of: two))
    let order = Order()
    let stint = team.run(1, quality: .background, warmUp: { order.warm = World.live().monotonic() }) { _ in 0 }[0]
    #expect(stint.started >= order.warm && order.warm > 0)
  }

  private final class Order: @unchecked Sendable { var warm: UInt64 = 0 }

  /// A barrier: nobody leaves before all have arrived, so threads that run in turn would never
  /// meet.
  private final class Meeting: @unchecked Sendable {
    private let condition = NSCondition()
    private var missing: Int

    init(of count: Int) { missing = count }

    func join() {
      condition.lock()
      missing -= 1
      condition.broadcast()
      let patience = Date(timeIntervalSinceNow: 60)
      while missing > 0, condition.wait(until: patience) {}
      if missing > 0 { Issue.record("\(missing) threads did not come") }
      condition.unlock()
    }
  }
}

@Suite struct CoresPlanTests {
  let plan = CoresPlan(
    kernels: ["int64", "fp64"], qualities: ThreadQuality.allCases, repetitions: 3, seed: 7,
    context: m4Pro)

  @Test("every kernel at every number of threads that has cores, as often as asked")
  func steps() {
    #expect(plan.steps.count == 2 * (14 + 4) * 3)
    for threads in 1...14 {
      let step = CoresStep(kernel: "fp64", quality: .userInteractive, threads: threads)
      #expect(plan.steps.count { $0 == step } == 3)
    }
    #expect(!plan.steps.contains { $0.quality == .background && $0.threads > 4 })
  }

  @Test("shuffled over everything, the same for the same seed")
  func order() {
    let again = CoresPlan(
      kernels: plan.kernels, qualities: plan.qualities, repetitions: 3, seed: 7, context: m4Pro)
    let other = CoresPlan(
      kernels: plan.kernels, qualities: plan.qualities, repetitions: 3, seed: 8, context: m4Pro)
    #expect(plan.steps == again.steps)
    #expect(plan.steps != other.steps)
    #expect(Set(plan.steps.prefix(20).map(\.kernel)).count == 2)
  }
}

@Suite struct CoresSeriesTests {
  let plan = CoresPlan(
    kernels: ["fp64"], qualities: [.userInteractive, .background], seed: 1, context: m4Pro)

  /// A fast core does 200 million loops per second, a slow one 80 million; counting costs a tenth.
  func timing(_ step: CoresStep, _ position: Int) -> CoresTiming {
    let loops = 400_000_000
    let slow = max(0, step.threads - 10)
    let fast = step.quality == .background ? 0 : step.threads - slow
    let rates = Array(repeating: 2e8, count: fast) + Array(repeating: 8e7, count: step.threads - fast)
    let emptyLoop = 5e-10
    let seconds = rates.map { Double(loops) * (1 / $0 + emptyLoop) }
    return CoresTiming(
      step: step, position: position, loops: loops, seconds: seconds,
      total: (seconds.max() ?? 0) + 0.001, emptyLoop: emptyLoop)
  }

  var series: [Series] {
    var outcome = CoresOutcome()
    outcome.timings = plan.steps.enumerated().map { timing($1, $0 + 1) }
    return CoresSeries.make(from: outcome, plan: plan)
  }

  func find(_ metric: Metric, _ threads: Int, _ quality: ThreadQuality) -> Series? {
    series.first {
      $0.metric == metric && $0.parameters?["threads"] == .integer(threads)
        && $0.parameters?["qos"] == .text(quality.rawValue)
    }
  }

  @Test("rates leave counting out; times are as they were")
  func rates() throws {
    let rates = try #require(find(.coresLoopRate, 11, .userInteractive))
    #expect(rates.values.count == 11)
    #expect(rates.values.prefix(10).allSatisfy { abs($0 - 2e8) < 1 })
    #expect(abs(rates.values[10] - 8e7) < 1)
    #expect(rates.parameters?["core_context"] == "Performance+Efficiency/high")
    let slowest = try #require(find(.coresSlowestThread, 11, .userInteractive))
    #expect(abs(slowest.values[0] - 5.2) < 1e-9)
    #expect(slowest.parameters?["loops"] == .integer(400_000_000))
    let total = try #require(find(.coresTotalTime, 11, .userInteractive))
    #expect(abs(total.values[0] - 5.201) < 1e-9)
    let position = plan.steps.firstIndex(of: CoresStep(kernel: "fp64", quality: .userInteractive, threads: 11))
    let place = try #require(position) + 1
    #expect(total.positions == [place])
    #expect(rates.positions == Array(repeating: place, count: 11))
  }

  @Test("the slower tier at high quality is what each added thread gains")
  func added() throws {
    let added = try #require(series.first { $0.metric == .coresAddedLoopRate })
    #expect(added.parameters?["core_context"] == "Efficiency/high")
    #expect(abs(added.values[0] - 8e7) < 1)
    let background = try #require(find(.coresLoopRate, 4, .background))
    #expect(background.parameters?["core_context"] == "Efficiency/background")
  }

  @Test("a time that is nothing but counting gives no rate, not zero")
  func nothingLeft() {
    var timing = timing(plan.steps[0], 1)
    timing.emptyLoop = 1
    #expect(timing.rates.allSatisfy { $0 == nil })
    var outcome = CoresOutcome()
    outcome.timings = [timing]
    #expect(!CoresSeries.make(from: outcome, plan: plan).contains { $0.metric == .coresLoopRate })
    #expect(CoresSeries.make(from: CoresOutcome(), plan: plan).isEmpty)
  }
}

@Suite(.serialized) struct CoresMeasurementTests {
  let context = CoreContext(tiers: nil, cores: 2)

  @Test("a short run measures every step, and its rates agree with its times")
  func run() {
    let plan = CoresPlan(
      kernels: ["int64", Kernel.neon.name], qualities: ThreadQuality.allCases, repetitions: 2, seed: 3,
      seconds: 0.02, context: context)
    let outcome = CoresMeasurement(plan: plan, world: .test()).run()
    #expect(outcome.ending == .complete)
    #expect(outcome.timings.map(\.step) == plan.steps)
    for timing in outcome.timings {
      #expect(timing.seconds.count == timing.step.threads)
      #expect(timing.total >= (timing.seconds.max() ?? 0))
      for case (let rate?, let seconds) in zip(timing.rates, timing.seconds) {
        #expect(rate >= Double(timing.loops) / seconds)
      }
    }
  }

  @Test("repetitions of a step share what its least disturbed empty loop took")
  func emptyLoops() {
    let step = { (threads: Int) in CoresStep(kernel: "int64", quality: .userInteractive, threads: threads) }
    let timing = { (threads: Int, emptyLoop: Double) in
      CoresTiming(step: step(threads), position: 1, loops: 1000, seconds: [1], total: 1, emptyLoop: emptyLoop)
    }
    let timings = [timing(1, 3e-10), timing(2, 1e-10), timing(1, 2e-10), timing(1, 5e-10)]
    let settled = CoresMeasurement.withLeastEmptyLoops(timings)
    #expect(settled.map(\.emptyLoop) == [2e-10, 1e-10, 2e-10, 2e-10])
    #expect(Set(settled.filter { $0.step.threads == 1 }.map(\.rates)).count == 1)
  }

  @Test("stopped, it keeps what it has")
  func interrupted() {
    let plan = CoresPlan(
      kernels: ["int64"], qualities: [.userInteractive], repetitions: 10, seed: 3, seconds: 0.01,
      context: context)
    var world = World.test()
    let steps = StepsDone()
    world.interrupted = { steps.count >= 3 }
    let outcome = CoresMeasurement(plan: plan, world: world, progress: { count, _ in steps.count = count })
      .run()
    #expect(outcome.ending == .interrupted)
    #expect(outcome.timings.count == 3)
  }

  @Test("threads join and leave one by one, none before its turn")
  func staggered() {
    let plan = StaggeredPlan(
      kernel: "fp64", quality: .userInteractive, peak: 2, hold: 0.2, context: context)
    let outcome = StaggeredMeasurement(plan: plan, world: .test()).run()
    #expect(outcome.ending == .complete)
    #expect(outcome.stretches.count == 2)
    for (thread, stretches) in outcome.stretches.enumerated() {
      let turn = plan.working(thread)
      #expect(stretches.allSatisfy { turn.contains($0.started) && $0.ended > $0.started })
    }
    // On a busy machine a stretch can be shorter than its empty loops: it has no rate.
    #expect(StaggeredSeries.trace(of: outcome).rows.count <= outcome.stretches.map(\.count).reduce(0, +))
  }

  @Test("a phase's rate is that of the stretches that lie wholly inside it")
  func phases() {
    let plan = StaggeredPlan(
      kernel: "fp64", quality: .userInteractive, peak: 2, hold: 1, context: context)
    #expect(plan.phases == [1, 2, 1])
    let stretch = { (started: Double, ended: Double, rate: Double) in
      Stretch(started: started, ended: ended, loops: Int(((ended - started) * rate).rounded()))
    }
    let outcome = StaggeredOutcome(stretches: [
      [stretch(0, 0.5, 4000), stretch(0.5, 1.5, 9000), stretch(1.5, 2, 3000)],
      [stretch(1, 1.5, 2000), stretch(1.5, 2.5, 9000), stretch(2.5, 3, 5000)],
    ])
    let series = StaggeredSeries.make(from: outcome, plan: plan)
    #expect(series.map { $0.parameters?["threads"] } == [.integer(1), .integer(2)])
    #expect(series.map(\.values) == [[4000, 5000], [3000, 2000]])
    #expect(series.map(\.positions) == [[1, 3], [2, 2]])
  }
}

/// A counter written by a measurement's progress and read by its world.
private final class StepsDone: @unchecked Sendable {
  private let lock = NSLock()
  private var number = 0

  var count: Int {
    get { lock.withLock { number } }
    set { lock.withLock { number = newValue } }
  }
}
