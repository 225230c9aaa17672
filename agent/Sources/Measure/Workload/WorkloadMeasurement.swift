import Base
import CommandSpawn
import Foundation

/// The result of one repetition.
package struct WorkloadTiming: Equatable, Sendable {
  package var wall: Double
  package var user: Double
  package var system: Double
  /// Peak bytes of the largest process; nil if unknown.
  package var peakMemory: Double?
}

/// Everything that a run of `repeat-command` measured, complete or not.
package struct WorkloadOutcome: Sendable {
  package var timings: [WorkloadTiming] = []
  package var ending = RunEnding.complete
}

/// Why a repetition doesn't count and the run stopped.
struct CommandFailed: Error, CustomStringConvertible, Equatable {
  let description: String
}

/// One run of `repeat-command`.
struct WorkloadMeasurement {
  let plan: WorkloadPlan
  let world: World
  let progress: ProgressLine

  /// Never throws: what was measured before an early end is part of the outcome.
  func run() -> WorkloadOutcome {
    var outcome = WorkloadOutcome()
    do {
      if plan.warmUp > 0 { progress.begin("Warming up", steps: plan.warmUp) }
      for number in 0..<plan.warmUp { _ = try repetition("warm-up \(number + 1)") }
      progress.begin("Repeating", steps: plan.repetitions)
      for number in 0..<plan.repetitions {
        outcome.timings.append(try repetition("repetition \(number + 1)"))
      }
    } catch {
      outcome.ending = RunEnding(error)
    }
    progress.finish()
    return outcome
  }

  private func repetition(_ which: String) throws -> WorkloadTiming {
    if world.interrupted() { throw Interrupted() }
    if plan.cold { try SystemCaches.empty(world) }
    let least = command_own_peak()
    let started = world.monotonic()
    let process = try start()
    let guardian = Guardian(process: process, world: world)
    var usage = command_usage()
    let failed = command_wait(process, &usage)
    let wall = Double(max(1, world.monotonic() - started)) / 1e9
    guardian.stop()
    guard failed == 0 else { throw TransferError(call: "wait", code: failed) }
    if world.interrupted() { throw Interrupted() }
    guard usage.signal == 0 else {
      throw CommandFailed(description: "signal \(usage.signal) ended the command in \(which)\(hint)")
    }
    guard usage.exit_code == 0 else {
      throw CommandFailed(description: "the command ended with exit code \(usage.exit_code) in \(which)\(hint)")
    }
    progress.advance(steps: 1)
    return WorkloadTiming(
      wall: wall, user: usage.user, system: usage.system, peakMemory: usage.peak_memory > least ? usage.peak_memory : nil)
  }

  private var hint: String {
    plan.showsOutput ? "" : "; --show-output shows its output"
  }

  private func start() throws -> pid_t {
    var words = plan.command.map { strdup($0) }
    defer { words.forEach { free($0) } }
    words.append(nil)
    var process: pid_t = 0
    let failed = command_spawn(&words, plan.showsOutput ? 1 : 0, &process)
    guard failed == 0 else {
      throw CommandFailed(description: "\(plan.command[0]) cannot be started: \(String(cString: strerror(failed)))")
    }
    return process
  }
}

/// A watchdog that ends a program and all its children if the user stops this one.
private final class Guardian: @unchecked Sendable {
  private let condition = NSCondition()
  private var over = false

  init(process: pid_t, world: World) {
    let thread = Thread { self.watch(process, world) }
    thread.qualityOfService = .utility
    thread.start()
  }

  func stop() {
    condition.lock()
    over = true
    condition.signal()
    condition.unlock()
  }

  private static let patience = 5.0

  private func watch(_ process: pid_t, _ world: World) {
    var asked: Date?
    condition.lock()
    defer { condition.unlock() }
    while !over {
      _ = condition.wait(until: Date(timeIntervalSinceNow: 0.1))
      guard !over, world.interrupted() else { continue }
      // The group is the program's own: a signal to it reaches nothing else.
      let late = asked.map { Date().timeIntervalSince($0) > Self.patience } ?? false
      if asked == nil || late { kill(-process, late ? SIGKILL : SIGTERM) }
      asked = asked ?? Date()
    }
  }
}
