import Base

/// What every command that measures or uploads goes by: the state, and who this agent is.
package struct Session {
  package let state: StateDirectory
  package let identity: Identity
  package let world: World
  package let spool: Spool

  package init(state: StateDirectory, identity: Identity, world: World, spool: Spool) {
    self.state = state
    self.identity = identity
    self.world = world
    self.spool = spool
  }

  /// The server, if this machine was enrolled with one.
  package var enrolment: Enrolment? {
    get throws { try Enrolment.load(state).flatMap { $0.machineID == identity.machineID ? $0 : nil } }
  }

  /// The same for who replaces it: a damaged one counts as none.
  package var readableEnrolment: Enrolment? { (try? enrolment) ?? nil }
}
