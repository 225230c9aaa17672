/// Progress of a run: one line redrawn on a terminal, an occasional line elsewhere.
package final class ProgressLine {
  private let world: World
  private let quiet: Bool
  private let phases: Int
  private var phase = ""
  private var inSteps = false
  private var phasesBegun = 0
  private var total = 0
  private var done = 0
  private var started: UInt64 = 0
  private var told: UInt64 = 0
  private var share: ((Int) -> Double)?

  /// - Parameter phases: number of phases, each about equally long.
  package init(phases: Int, world: World, quiet: Bool = false) {
    self.phases = phases
    self.world = world
    self.quiet = quiet
  }

  /// - Parameter share: fraction of the phase's time (0...1) that so many bytes take; by default
  ///   their fraction of its bytes.
  package func begin(_ phase: String, bytes: Int, share: ((_ done: Int) -> Double)? = nil) {
    begin(phase, total: bytes, inSteps: false)
    self.share = share
  }

  package func begin(_ phase: String, steps: Int) { begin(phase, total: steps, inSteps: true) }

  private func begin(_ phase: String, total: Int, inSteps: Bool) {
    share = nil
    self.phase = phase
    self.total = total
    self.inSteps = inSteps
    done = 0
    phasesBegun += 1
    started = world.monotonic()
    told = started
    guard !quiet else { return }
    if world.terminal.isInteractive {
      world.terminal.redraw("\(phase) …")
    } else {
      world.terminal.say(total > 0 ? "\(phase) \(amount(total))" : phase)
    }
  }

  package func advance(bytes: Int) { advance(by: bytes) }
  package func advance(steps: Int) { advance(by: steps) }

  private func advance(by amount: Int) {
    done += amount
    guard !quiet else { return }
    let now = world.monotonic()
    let interval: UInt64 = world.terminal.isInteractive ? 200_000_000 : 10_000_000_000
    guard now - told >= interval else { return }
    told = now
    let line = self.line(at: now)
    if world.terminal.isInteractive { world.terminal.redraw(line) } else { world.terminal.say(line) }
  }

  /// Clear the line.
  package func finish() {
    if !quiet, world.terminal.isInteractive { world.terminal.redraw("") }
  }

  private func amount(_ count: Int) -> String {
    inSteps ? "\(count) \(count == 1 ? "step" : "steps")" : Figures.bytes(count)
  }

  private func line(at now: UInt64) -> String {
    let elapsed = Double(now - started) / 1e9
    // The size of a pipe's data is unknown.
    guard total > 0 else { return "\(phase) · \(amount(done))" }
    let percent = done * 100 / total
    let part = share?(done) ?? Double(done) / Double(max(1, total))
    let ahead = 1 - part + Double(max(0, phases - phasesBegun))
    var parts = ["\(phase) \(percent)%", "\(inSteps ? "\(done)" : amount(done)) of \(amount(total))"]
    if elapsed > 1, part > 0 {
      parts.append("about \(Figures.duration(max(0, ahead) * elapsed / part)) left")
    }
    return parts.joined(separator: " · ")
  }
}
