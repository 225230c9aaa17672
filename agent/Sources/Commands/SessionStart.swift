import Base
import Document
import LocalState
import Machine
import Measure
import Upload

extension Session {
  /// Opens the state. On a machine that the state was not made on, a new identity is made, the old
  /// enrolment dropped, and runs of the other machine are put aside.
  init(_ world: World) throws {
    let state = try StateDirectory(world.environment)
    let spool = Spool(state: state)
    let loaded = try Identity.load(state, identifiers: MachineFacts.ownIdentifiers(world), world: world) {
      Enrolment.remove(state)
      for entry in spool.entries([.pending]) {
        let reason = "measured on the machine that this one's state was copied from"
        try spool.move(entry.id, to: .quarantined, note: Spool.Note(reason: reason))
      }
    }
    self.init(state: state, identity: loaded.identity, world: world, spool: spool)
    removeLeftovers()
    guard loaded.replaced != nil else { return }
    let next = Enroller.isPrepared(self) ? "enrols by itself at the next upload" : "must enrol again with `macmeter enroll`"
    world.terminal.say("This agent's state comes from another machine. It has a new id now and \(next).")
  }

  /// Removes what killed agents left, and says which test files.
  private func removeLeftovers() {
    state.removeTemporaries()
    for directory in Scratch(state: state).removeLeftovers(world: world) {
      world.terminal.say("Removed what a killed run left: \(directory)")
    }
  }
}
