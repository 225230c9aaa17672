/// What every command that measures or uploads goes by: the state, and who this agent is.
struct Session {
  let state: StateDirectory
  let identity: Identity
  let world: World
  let spool: Spool

  init(state: StateDirectory, identity: Identity, world: World, spool: Spool) {
    self.state = state
    self.identity = identity
    self.world = world
    self.spool = spool
  }

  /// The server, if this machine was enrolled with one.
  var enrolment: Enrolment? {
    Enrolment.load(state).flatMap { $0.machineID == identity.machineID ? $0 : nil }
  }
}
