import Base
import LocalState

/// Replacement of this machine's token with a new one, which is on disk before it is used. The
/// server revokes the old token at the new one's first use: the token on disk is valid whenever
/// this is killed.
struct Renewal {
  let state: StateDirectory
  let enrolment: Enrolment
  /// The server, with the token to replace.
  let server: Server

  /// - Throws: an error to show to the user.
  func renew() throws {
    var renewed = enrolment
    renewed.token = try server.freshToken()
    // The user may have enrolled again in the meantime.
    guard try Enrolment.load(state) == enrolment else { return }
    try renewed.store(state)
    var next = server
    next.token = renewed.token
    // First use of the new token. If it fails, the next upload is the first use.
    _ = try? next.tokenFacts()
    server.world.terminal.say("Renewed this machine's token.")
  }
}
