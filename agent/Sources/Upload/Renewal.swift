import Base
import LocalState

/// Changes this machine's token for a fresh one, which is on disk before it is used. The server ends
/// the old one when the fresh one is first used: wherever this is killed, the token on disk is good.
struct Renewal {
  let state: StateDirectory
  let enrolment: Enrolment
  /// With the token that is to be changed.
  let server: Server

  /// Throws in words.
  func renew() throws {
    var renewed = enrolment
    renewed.token = try server.freshToken()
    // Somebody may have enrolled again in the meantime.
    guard try Enrolment.load(state) == enrolment else { return }
    try renewed.store(state)
    var next = server
    next.token = renewed.token
    // Its first use. If that fails, the next upload is.
    _ = try? next.tokenFacts()
    server.world.terminal.say("Renewed this machine's token.")
  }
}
