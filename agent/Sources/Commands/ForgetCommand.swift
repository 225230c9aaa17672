import Base
import LocalState
import Upload

enum ForgetCommand {
  static let command = Command(
    name: "forget", abstract: "Delete this machine and its runs, here and on its server",
    otherNames: ["delete", "reset", "logout"],
    options: [
      Option(name: "yes", help: "delete without asking"),
      Option(name: "discard-unsent", help: "also delete runs that were never uploaded"),
    ],
    discussion: """
      Asks the server to delete this machine with its runs, then deletes the token, the copies of runs
      and the machine's id here. A machine of a fleet is retired instead: its runs are the fleet's, and
      its admins delete them. The next run gets a new id. A schedule stays; see `macmeter schedule`.
      """
  ) { invocation, world in
    let terminal = world.terminal
    guard let state = try StateDirectory.existing(world.environment) else {
      terminal.say("There is nothing to forget.")
      return .success
    }
    guard let lock = FileLock(state.path("measuring.lock")) else {
      terminal.say("macmeter: a run is being measured. Stop it, or wait for its end.")
      return .alreadyRunning
    }
    return try withExtendedLifetime(lock) {
      let unsent = Spool(state: state).entries([.pending, .quarantined]).count
      guard unsent == 0 || invocation.has("discard-unsent") else {
        terminal.say("macmeter: never uploaded: \(Figures.runs(unsent)). Run `macmeter upload` first, or delete with --discard-unsent.")
        return .keptForLater
      }
      guard try confirmed(invocation, terminal) else { return .failure }
      do { try deleteThere(state, world) } catch let error as TransportError {
        terminal.say("Nothing was deleted: \(error)")
        return .keptForLater
      }
      let foreign = state.removeEverything()
      terminal.say("Deleted here: the token, the runs and this machine's id.")
      guard foreign.isEmpty else {
        terminal.say("Left in \(state.path), because the agent did not make it: \(foreign.joined(separator: ", "))")
        return .failure
      }
      return .success
    }
  }

  private static func deleteThere(_ state: StateDirectory, _ world: World) throws {
    guard let enrolment = try Enrolment.load(state), let address = ServerAddress(enrolment.server) else { return }
    let server = Server(address: address, token: enrolment.token, world: world)
    switch try server.forget(machineID: enrolment.machineID) {
    case .deleted: world.terminal.say("Deleted on \(enrolment.server): this machine and its runs.")
    case .retired:
      world.terminal.say("Retired on \(enrolment.server). Its runs are the fleet's: an admin of the fleet deletes them.")
    case .unknown(let why): world.terminal.say("\(enrolment.server) deletes nothing: \(why)")
    }
  }

  private static func confirmed(_ invocation: Invocation, _ terminal: Terminal) throws -> Bool {
    if invocation.has("yes") { return true }
    let answer = try terminal.ask("Delete this machine and its runs, here and on its server? [y/N]")
    if answer == nil { terminal.say("macmeter: nobody is here to answer; add --yes to delete.") }
    if let answer, ["y", "yes"].contains(answer.lowercased()) { return true }
    terminal.say("Nothing was deleted.")
    return false
  }
}
