/// What every command that measures or uploads starts with: the state, who this agent is, and what
/// this machine is.
struct Session {
  let state: StateDirectory
  let identity: Identity
  let world: World
  let spool: Spool

  /// Opens the state. On a machine that the state was not made on, a new identity is made, the old
  /// enrolment dropped, and runs of the other machine are put aside.
  init(_ world: World) throws {
    self.world = world
    let state = try StateDirectory(world.environment)
    let spool = Spool(state: state)
    let loaded = try Identity.load(state, identifiers: MachineFacts.ownIdentifiers(world), world: world) {
      Enrolment.remove(state)
      for entry in spool.entries([.pending]) {
        let reason = "measured on the machine that this one's state was copied from"
        try spool.move(entry.id, to: .quarantined, note: Spool.Note(reason: reason))
      }
    }
    (self.state, self.spool, identity) = (state, spool, loaded.identity)
    removeLeftovers()
    guard loaded.replaced != nil else { return }
    let next = Enroller.isPrepared(self) ? "enrols by itself at the next upload" : "must enrol again with `macmeter enroll`"
    world.terminal.say("This agent's state comes from another machine. It has a new id now and \(next).")
  }

  /// The server, if this machine was enrolled with one.
  var enrolment: Enrolment? {
    Enrolment.load(state).flatMap { $0.machineID == identity.machineID ? $0 : nil }
  }

  /// Removes what killed agents left, and says which test files.
  private func removeLeftovers() {
    state.removeTemporaries()
    for directory in Scratch(state: state).removeLeftovers(world: world) {
      world.terminal.say("Removed what a killed run left: \(directory)")
    }
  }
}
