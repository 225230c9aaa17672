import Base
import Document
import LocalState
import Upload

enum ClaimCommand {
  static let command = Command(
    name: "claim", abstract: "Print a link by which you claim this Mac as yours",
    options: [Command.json],
    discussion: """
      Asks the server for a link that works once. Open it in a browser and sign in, or make an account:
      then this machine is on your page My Macs, where you see its history and its percentile among
      similar Macs, and rename or delete it. A fleet's machine can't be claimed.
      """
  ) { invocation, world in
    let terminal = world.terminal
    let session = try Session(world)
    guard let enrolment = try session.enrolment, let address = ServerAddress(enrolment.server) else {
      terminal.say("macmeter: this machine is not enrolled. Run `macmeter enroll --server URL`, then `macmeter claim`.")
      return .notEnrolled
    }
    let claim: Claim
    do {
      claim = try Server(address: address, token: enrolment.token, world: world)
        .claimLink(machineID: session.identity.machineID)
    } catch let error as TransportError {
      terminal.say("macmeter: \(error)")
      return .failure
    }
    switch claim {
    case .link(let link, let expiresAt):
      terminal.say("Open this link in a browser. It works once, until \(Timestamp(rawValue: expiresAt).dayAndMinute) UTC, and makes whoever opens it this Mac's owner:")
      terminal.print(invocation.has("json") ? try JSONText.of(Result(link: link, expires_at: expiresAt)) : link)
      return .success
    case .enrolAgain(let why):
      terminal.say("macmeter: the server does not accept the token: \(why). Run `macmeter enroll` again.")
      return .enrolAgain
    case .refused(let why):
      terminal.say("macmeter: this Mac can't be claimed: \(why)")
      return .failure
    }
  }

  private struct Result: Encodable {
    let link: String
    let expires_at: String
  }
}
