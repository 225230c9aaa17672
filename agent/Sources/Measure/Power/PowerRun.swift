import Base
import Document
import Foundation

/// One run of `sampled`: powermetrics alongside a load of our own, phase by phase.
package struct PowerRun {
  package let plan: PowerPlan
  package let world: World

  package init(plan: PowerPlan, world: World) {
    self.plan = plan
    self.world = world
  }
  /// Callback with the number of phases that have ended since its last call.
  package var progress: (Int) -> Void = { _ in }

  package struct Span: Equatable, Sendable {
    package var phase: PowerPlan.Phase
    var start: Double
    var end: Double
    /// Loops per second of each thread; nil if no load of ours ran.
    var rate: Double?
  }

  package struct Outcome: Sendable {
    var spans: [Span] = []
    var samples: [PowerRecorder.Timed] = []
    package var damaged = 0
    package var ending = RunEnding.complete
  }

  package func run() -> Outcome {
    let began = world.monotonic()
    let clock: @Sendable () -> Double = { [world] in Double(world.monotonic() - began) / 1e9 }
    let recorder = PowerRecorder(now: world.isSimulated ? nil : clock)
    var outcome = Outcome()
    guard let tool = world.stream(PowerPlan.command, { recorder.take($0) }) else {
      outcome.ending = .failed("powermetrics could not be started; on macOS it is in /usr/bin")
      return outcome
    }
    do {
      outcome.spans = world.isSimulated ? replayedSpans() : try spans(clock)
    } catch {
      outcome.ending = RunEnding(error)
    }
    let result = tool.stop()
    recorder.finish()
    outcome.samples = recorder.samples
    outcome.damaged = recorder.damaged
    if outcome.samples.isEmpty, outcome.ending == .complete {
      let said = documentText(result.errors).map { ": " + $0 } ?? ""
      outcome.ending = .failed("powermetrics gave no readable sample\(said)")
    }
    return outcome
  }

  /// The plan's phases: samples from another Mac had their load there.
  private func replayedSpans() -> [Span] {
    var start = 0.0
    return plan.phases.map { phase in
      defer { start += phase.seconds }
      return Span(phase: phase, start: start, end: start + phase.seconds)
    }
  }

  private func spans(_ clock: @Sendable () -> Double) throws -> [Span] {
    let kernel = try Kernel.named(plan.kernel)
    // Use short stints, so that phases end on time.
    let stint = try Calibration.loops(kernel, quality: plan.quality, seconds: 0.02, world: world)
    var spans: [Span] = []
    let phases = plan.phases
    var index = 0
    while index < phases.count {
      let phase = phases[index]
      if phase.kind == .loading {
        // Keep the same threads running through both phases.
        let (loading, loaded) = (phase, phases[index + 1])
        let start = clock()
        let rate = try load(kernel, stint, loading.threads, seconds: loading.seconds + loaded.seconds)
        let end = clock()
        spans.append(Span(phase: loading, start: start, end: start + loading.seconds))
        spans.append(Span(phase: loaded, start: start + loading.seconds, end: end, rate: rate))
        index += 2
        progress(2)
      } else {
        let start = clock()
        world.sleep(phase.seconds)
        spans.append(Span(phase: phase, start: start, end: clock()))
        index += 1
        progress(1)
      }
      if world.interrupted() { throw Interrupted() }
    }
    return spans
  }

  /// Mean loops per second of each thread.
  private func load(_ kernel: Kernel, _ stint: Int, _ threads: Int, seconds: Double) throws -> Double {
    let end = world.monotonic() + UInt64(seconds * 1e9)
    let stints = ThreadTeam.run(threads, quality: plan.quality, world: world) { [world] _ -> Int? in
      var loops = 0
      while world.monotonic() < end, !world.interrupted() {
        guard kernel.run(stint) else { return nil }
        loops += stint
      }
      return loops
    }
    let rates = stints.compactMap { stint in stint.work.map { Double($0) / stint.seconds } }
    guard rates.count == threads else { throw WrongResult(kernel: kernel.name) }
    return rates.reduce(0, +) / Double(threads)
  }
}
