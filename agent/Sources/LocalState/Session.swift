import Base

/// Context of every command that measures or uploads: the state, and this agent's identity.
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

  /// The enrolment, if this machine has one.
  package var enrolment: Enrolment? {
    get throws { try Enrolment.load(state).flatMap { $0.machineID == identity.machineID ? $0 : nil } }
  }

  /// The same for code that replaces it: a damaged one counts as none.
  package var readableEnrolment: Enrolment? { (try? enrolment) ?? nil }
}
