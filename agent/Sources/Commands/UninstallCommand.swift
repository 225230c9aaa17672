import Administration
import Base
import Foundation
import LocalState
import Measure

enum UninstallCommand {
  static let command = Command(
    name: "uninstall", abstract: "Remove the agent's files from this machine",
    otherNames: ["remove"],
    options: [
      Option(name: "yes", help: "remove without asking"),
      Option(name: "discard-unsent", help: "also remove runs that were never uploaded"),
    ],
    discussion: """
      Removes the schedule, leftover test files, and the agent's identity, enrolment and copies of runs.
      Uploaded runs stay on the server. Only files that the agent created are removed; as root, also
      those that the installer package put on this Mac.
      """
  ) { invocation, world in
    let terminal = world.terminal
    let job = try ScheduledJob.here(world)
    let package = InstalledPackage(world: world)
    guard let state = try StateDirectory.existing(world.environment) else {
      let replays = try StateDirectory.ofReplays(world.environment)
      guard job.exists || package.isInstalled || replays != nil else {
        StateDirectory.removeEmptyParents(world.environment)  // those that `forget` leaves, too
        terminal.say("There is nothing to remove." + programAdvice(world))
        return .success
      }
      guard try confirmed(invocation, terminal) else { return .failure }
      _ = replays?.removeEverything()
      StateDirectory.removeEmptyParents(world.environment)
      try removeJob(job, package, terminal)
      return .success
    }
    guard let lock = FileLock(state.path("measuring.lock")) else {
      terminal.say("macmeter: a run is being measured. Stop it, or wait until it has finished.")
      return .alreadyRunning
    }
    return try withExtendedLifetime(lock) {
      let spool = Spool(state: state)
      let unsent = spool.entries([.pending, .quarantined]).count
      list(state, spool, job, package, terminal)
      guard unsent == 0 || invocation.has("discard-unsent") else {
        terminal.say("macmeter: never uploaded: \(Figures.runs(unsent)). Run `macmeter upload` first, or remove with --discard-unsent.")
        return .keptForLater
      }
      guard try confirmed(invocation, terminal) else { return .failure }
      for directory in Scratch(state: state).removeLeftovers(world: world) {
        terminal.say("Removed the files of an interrupted run: \(directory)")
      }
      let foreign = state.removeEverything() + (try StateDirectory.ofReplays(world.environment)?.removeEverything() ?? [])
      StateDirectory.removeEmptyParents(world.environment)
      try removeJob(job, package, terminal)
      guard foreign.isEmpty else {
        terminal.say("Left in \(state.path), because the agent did not create it: \(foreign.joined(separator: ", "))")
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
      if count > 0 { terminal.say("    \(Figures.runs(count)), \(fate.words)") }
    }
    if let replays = try? StateDirectory.ofReplays(job.world.environment) { terminal.say("  \(replays.path) (simulated Macs)") }
    if job.exists { job.scheduler.paths.forEach { terminal.say("  \($0)") } }
    if package.isInstalled, package.isRemovable { package.files.forEach { terminal.say("  \($0)") } }
  }

  private static func confirmed(_ invocation: Invocation, _ terminal: Terminal) throws -> Bool {
    if invocation.has("yes") { return true }
    let answer = try terminal.ask("Remove all of this? [y/N]")
    if answer == nil { terminal.say("macmeter: there is no terminal to ask on; add --yes to remove it.") }
    if let answer, ["y", "yes"].contains(answer.lowercased()) { return true }
    terminal.say("Nothing was removed.")
    return false
  }

  private static func removeJob(
    _ job: ScheduledJob, _ package: InstalledPackage, _ terminal: Terminal
  ) throws {
    if job.exists { try job.remove() }
    if package.isInstalled, package.isRemovable { package.remove() }
    terminal.say("Removed." + (package.isInstalled && package.isRemovable ? "" : programAdvice(package.world)))
  }

  /// How to remove the program itself, after a sentence.
  private static func programAdvice(_ world: World) -> String {
    // uninstall.sh, which has started this program, removes it next.
    if world.environment["MACMETER_UNINSTALLING"] != nil { return "" }
    if InstalledPackage(world: world).isInstalled { return " To remove the program too, run `sudo macmeter uninstall`." }
    return switch try? Installation.find(world) {
    case .homebrew: " To remove the program too, run `brew uninstall macmeter`."
    case .script(let server, let prefix):
      " To remove the program too, run `curl -fsSL \(server.text)/uninstall.sh | sh -s -- --prefix \(prefix)`."
    case .package, nil: " To remove the program too, delete its file."
    case .other(let program): " To remove the program too, delete \(program)."
    }
  }
}
