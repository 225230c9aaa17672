import Base
import Document
import LocalState
import Machine
import Measure
import Upload

extension Session {
  /// Open the state. If it was copied from another machine, create a new identity, drop the old
  /// enrolment and quarantine that machine's runs.
  init(_ world: World) throws {
    let state = try StateDirectory(world.environment)
    let spool = Spool(state: state)
    let loaded = try Identity.load(state, identifiers: MachineFacts.ownIdentifiers(world), world: world) {
      Enrolment.remove(state)
      for entry in spool.entries([.pending]) {
        let reason = "measured on another machine, from which this agent's files were copied"
        try spool.move(entry.id, to: .quarantined, note: Spool.Note(reason: reason))
      }
    }
    self.init(state: state, identity: loaded.identity, world: world, spool: spool)
    removeLeftovers()
    guard loaded.replaced != nil else { return }
    let next = Enroller.isPrepared(self) ? "enrols by itself at the next upload" : "must enrol again with `macmeter enroll`"
    world.terminal.say("This agent's files were copied from another machine. This machine has a new id now and \(next).")
  }

  /// Remove what killed agents left, and report which test files.
  private func removeLeftovers() {
    state.removeTemporaries()
    for directory in Scratch(state: state).removeLeftovers(world: world) {
      world.terminal.say("Removed the files of an interrupted run: \(directory)")
    }
  }
}
