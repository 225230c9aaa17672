enum EnrollCommand {
  static let command = Command(
    name: "enroll", abstract: "Name the server that runs are uploaded to",
    options: [
      Option(name: "server", value: "URL", help: "the server's address"),
      Option(name: "token", value: "TOKEN", help: "this device's token there"),
      Option(name: "yes", help: "agree to what is said about visibility and licence, without a question"),
      Command.json,
    ],
    discussion: """
      Asks the server what the token may do and who will see the runs, and asks for your consent
      before anything is kept. The server and the token are kept readable by you alone.
      """
  ) { invocation, world in
    guard let given = invocation.text("server"), let token = invocation.text("token") else {
      throw UsageError("`macmeter enroll` needs --server URL and --token TOKEN")
    }
    guard let address = ServerAddress(given) else {
      throw UsageError("\(given) is no address of a server; it should look like https://example.org")
    }
    guard isHeaderSafe(token) else { throw UsageError("--token: this is no token") }
    let session = try Session(world)
    let server = Server(address: address, token: token, world: world)
    try server.checkReady()
    let facts = try server.tokenFacts()
    if let other = facts.machineID, facts.scope == "device", other != session.identity.machineID {
      world.terminal.say("macmeter: this token already belongs to another machine; make a new one for this machine.")
      return .enrolAgain
    }
    explain(facts, address, world.terminal)
    guard try consents(invocation, world.terminal) else {
      world.terminal.say("Not enrolled.")
      return .failure
    }
    try Enrolment(server: address.text, token: token, machineID: session.identity.machineID)
      .store(session.state)
    if invocation.has("json") { world.terminal.print(try JSONText.of(Result(address, facts))) }
    let waiting = session.spool.entries([.pending]).count
    world.terminal.say("Enrolled with \(address.text)." + (waiting > 0 ? " \(waiting) waiting: `macmeter upload`." : ""))
    return .success
  }

  private struct Result: Encodable {
    let server: String
    let scope: String?
    let visibility: String?
    let fleet: String?
    let licence: Server.TokenFacts.Licence?

    init(_ address: ServerAddress, _ facts: Server.TokenFacts) {
      server = address.text
      scope = facts.scope
      visibility = facts.visibility
      fleet = facts.fleet
      licence = facts.licence
    }
  }

  /// Printable ASCII without spaces: anything else could break out of the header it is sent in.
  private static func isHeaderSafe(_ token: String) -> Bool {
    !token.isEmpty && token.utf8.allSatisfy { (0x21...0x7e).contains($0) }
  }

  private static func explain(_ facts: Server.TokenFacts, _ address: ServerAddress, _ terminal: Terminal) {
    terminal.say("Server: \(address.text)")
    if let fleet = documentText(facts.fleet) { terminal.say("Fleet: \(fleet)") }
    switch facts.visibility {
    case "public":
      terminal.say("Everybody will be able to see the runs uploaded from here (`macmeter preview` shows what is in one).")
    case "private":
      terminal.say("Only the fleet's members will be able to see the runs uploaded from here.")
    default:
      terminal.say("Visibility: \(documentText(facts.visibility) ?? "not said; expect the runs to be public").")
    }
    let licence = [facts.licence?.name, facts.licence?.text].compactMap(documentText)
    if !licence.isEmpty { terminal.say("Licence: \(licence.joined(separator: ": "))") }
    if address.isReadableOnTheWay {
      terminal.say("This address is not encrypted: others on the network could read the token. Prefer https.")
    }
  }

  /// --yes, or a yes on the terminal. With nobody to ask, agreement is not assumed.
  private static func consents(_ invocation: Invocation, _ terminal: Terminal) throws -> Bool {
    if invocation.has("yes") { return true }
    guard let answer = terminal.ask("Enrol and upload from now on? [y/N]") else {
      throw UsageError("nobody is here to answer; add --yes if you agree")
    }
    return ["y", "yes"].contains(answer.lowercased())
  }
}
