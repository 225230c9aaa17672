import Administration
import Base
import Foundation
import LocalState
import Measure

enum UninstallCommand {
  static let command = Command(
    name: "uninstall", abstract: "Remove everything this agent keeps on this machine",
    options: [
      Option(name: "yes", help: "remove without a question"),
      Option(name: "discard-unsent", help: "remove runs too that no server has yet"),
    ],
    discussion: """
      Removes the schedule, what killed runs left, and the agent's state: its identity, its enrolment
      and its copies of runs. Runs on a server stay there. Only files that the agent made are
      touched. What a package installed is removed as well where root runs this.
      """
  ) { invocation, world in
    let terminal = world.terminal
    let job = try ScheduledJob.here(world)
    let package = InstalledPackage(world: world)
    guard let state = try StateDirectory.existing(world.environment) else {
      let replays = try StateDirectory.ofReplays(world.environment)
      guard job.exists || package.isInstalled || replays != nil else {
        terminal.say("There is nothing to remove. \(package.advice)")
        return .success
      }
      guard try confirmed(invocation, terminal) else { return .failure }
      _ = replays?.removeEverything()
      StateDirectory.removeEmptyParents(world.environment)
      try removeJob(job, package, terminal)
      return .success
    }
    guard let lock = FileLock(state.path("measuring.lock")) else {
      terminal.say("macmeter: a run is being measured. Stop it, or wait for its end.")
      return .alreadyRunning
    }
    return try withExtendedLifetime(lock) {
      let spool = Spool(state: state)
      let unsent = spool.entries([.pending, .quarantined]).count
      list(state, spool, job, package, terminal)
      guard unsent == 0 || invocation.has("discard-unsent") else {
        terminal.say("macmeter: \(unsent) of these runs no server has. `macmeter upload` sends them; --discard-unsent removes them.")
        return .keptForLater
      }
      guard try confirmed(invocation, terminal) else { return .failure }
      for directory in Scratch(state: state).removeLeftovers(world: world) {
        terminal.say("Removed what a killed run left: \(directory)")
      }
      let foreign = state.removeEverything() + (try StateDirectory.ofReplays(world.environment)?.removeEverything() ?? [])
      StateDirectory.removeEmptyParents(world.environment)
      try removeJob(job, package, terminal)
      guard foreign.isEmpty else {
        terminal.say("Left in \(state.path), because the agent did not make it: \(foreign.joined(separator: ", "))")
        return .failure
      }
      return .success
    }
  }

  private static func list(
    _ state: StateDirectory, _ spool: Spool, _ job: ScheduledJob, _ package: InstalledPackage,
    _ terminal: Terminal
  ) {
    terminal.say("To be removed:")
    terminal.say("  \(state.path)")
    for fate in Spool.RunFate.allCases {
      let count = spool.entries([fate]).count
      if count > 0 { terminal.say("    \(count == 1 ? "1 run" : "\(count) runs"), \(fate.rawValue)") }
    }
    if let replays = try? StateDirectory.ofReplays(job.world.environment) { terminal.say("  \(replays.path), of simulated Macs") }
    if job.exists { job.scheduler.paths.forEach { terminal.say("  \($0)") } }
    if package.isInstalled, package.isRemovable { package.files.forEach { terminal.say("  \($0)") } }
  }

  private static func confirmed(_ invocation: Invocation, _ terminal: Terminal) throws -> Bool {
    if invocation.has("yes") { return true }
    let answer = try terminal.ask("Remove all of this? [y/N]")
    if answer == nil { terminal.say("macmeter: nobody is here to answer; add --yes to remove it.") }
    if let answer, ["y", "yes"].contains(answer.lowercased()) { return true }
    terminal.say("Nothing was removed.")
    return false
  }

  private static func removeJob(
    _ job: ScheduledJob, _ package: InstalledPackage, _ terminal: Terminal
  ) throws {
    if job.exists { try job.remove() }
    if package.isInstalled, package.isRemovable { package.remove() }
    terminal.say("Removed. \(package.isInstalled && package.isRemovable ? "" : package.advice)")
  }
}

/// What the installer package put on this Mac (agent/Packaging/build-pkg.sh).
struct InstalledPackage {
  static let identifier = "org.macmeter.agent"
  let world: World

  let files = [
    "/usr/local/bin/macmeter", "/usr/local/share/man/man1/macmeter.1",
    "/usr/local/share/zsh/site-functions/_macmeter", "/usr/local/share/bash-completion/completions/macmeter",
    "/usr/local/share/fish/vendor_completions.d/macmeter.fish",
  ]

  var isInstalled: Bool { world.run("pkgutil", ["--pkg-info", Self.identifier], nil)?.status == 0 }
  var isRemovable: Bool { geteuid() == 0 }

  func remove() {
    for file in files { unlink(file) }
    _ = world.run("pkgutil", ["--forget", Self.identifier], nil)
  }

  /// How the program itself goes.
  var advice: String {
    if isInstalled { return "The program goes with `sudo macmeter uninstall`." }
    guard let program = try? ProgramFile.path(world) else { return "The program itself goes by removing its file." }
    return program.contains("/Cellar/") || program.contains("/homebrew/")
      ? "The program itself goes with `brew uninstall macmeter`." : "The program itself is \(program)."
  }
}
