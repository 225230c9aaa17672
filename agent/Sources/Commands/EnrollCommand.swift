import Administration
import Base
import Document
import LocalState
import Upload

enum EnrollCommand {
  static let command = Command(
    name: "enroll", abstract: "Choose the server that runs are uploaded to",
    otherNames: ["enrol", "login", "register", "join", "connect", "server"],
    options: [
      Option(name: "server", value: "URL", help: "the server's address"),
      Option(name: "token", value: "TOKEN", help: "this device's token (default: the current one, or a new one for public runs)"),
      Option(name: "secret", value: "SECRET", help: "a fleet's enrolment secret, exchanged for a token of this device's own"),
      Option(name: "name", value: "NAME", help: "what the fleet calls this machine, such as an asset tag; only readers of the fleet see it"),
      Option(name: "yes", help: "accept the visibility and licence without being asked"),
      Option(name: "accept", help: "the same as --yes"),
      Option(name: "template", help: "prepare a virtual machine image whose copies each enrol by themselves"),
      Command.json,
    ],
    discussion: """
      Asks the server what the token may do and who will see the runs, and asks for your consent before
      it saves anything. It saves the server, the token and your consent in a file that only you can read.

      Without --secret and --token, a machine that has no token yet gets one for public runs, where the
      server takes those. `macmeter claim` then makes it yours.

      --template saves no machine id, so that each copy of the image makes its own. It needs --secret or
      the token of a fleet's uploader.
      """
  ) { invocation, world in
    let preferences = try Preferences.read(world)
    let address = try server(invocation, preferences)
    if invocation.has("template") { return try prepare(address, invocation, preferences, world) }
    let session = try Session(world)
    let credential = try credential(invocation, preferences) ?? Enroller.kept(session, at: address)
    let name = try name(invocation, preferences, credential)
    let enroller = Enroller(session: session, address: address, credential: credential, name: name)
    if credential == .alone { return try enrolAlone(enroller, address, invocation, preferences) }
    guard let offer = try enroller.offer() else {
      world.terminal.say("macmeter: this token belongs to another machine. Create a new one for this machine.")
      return .enrolAgain
    }
    explain(offer.terms, address, world.terminal)
    guard let manner = try consents(invocation, preferences, world.terminal) else {
      world.terminal.say("Not enrolled.")
      return .failure
    }
    return try finish(enroller, offer, manner, invocation)
  }

  /// Enrol this machine outside a fleet. Nothing is sent before someone agrees: the terms are built
  /// in.
  private static func enrolAlone(
    _ enroller: Enroller, _ address: ServerAddress, _ invocation: Invocation, _ preferences: Preferences
  ) throws -> ExitCode {
    let session = enroller.session
    let terminal = session.world.terminal
    explain(Terms(aloneAt: address), address, terminal)
    if let kept = session.readableEnrolment, !Terms.arePublic(kept.consent), agrees(invocation) {
      throw UsageError(
        "this Mac was in a fleet, and its token has ended. Give a fleet's --secret, or enroll without --yes and "
          + "agree that everyone will see its runs")
    }
    guard let manner = try consents(invocation, preferences, terminal) else {
      terminal.say("Not enrolled.")
      return .failure
    }
    guard let offer = try enroller.offer() else { return .enrolAgain }
    return try finish(enroller, offer, manner, invocation)
  }

  private static func finish(
    _ enroller: Enroller, _ offer: Enroller.Offer, _ manner: Consent.Manner, _ invocation: Invocation
  ) throws -> ExitCode {
    let session = enroller.session
    let enrolment = try enroller.accept(offer, manner)
    if invocation.has("json") {
      session.world.terminal.print(try JSONText.of(Result(enrolment.server, offer.facts)))
    }
    let waiting = session.spool.entries([.pending]).count
    session.world.terminal.say("Enrolled with \(enrolment.server)." + (waiting > 0 ? " \(Figures.runs(waiting)) waiting: run `macmeter upload`." : ""))
    return .success
  }

  private struct Result: Encodable {
    let server: String
    let scope: String?
    let visibility: String?
    let fleet: String?
    let licence: TokenFacts.Licence?

    init(_ server: String, _ facts: TokenFacts) {
      self.server = server
      scope = facts.scope
      visibility = facts.visibility
      fleet = facts.fleet
      licence = facts.licence
    }
  }

  private static func server(_ invocation: Invocation, _ preferences: Preferences) throws -> ServerAddress {
    guard let given = invocation.text("server") else {
      guard let address = preferences.server else { throw UsageError("`macmeter enroll` needs --server URL") }
      return address
    }
    guard let address = ServerAddress(given) else {
      throw UsageError("\(given) is not a server's address; it should look like https://example.org")
    }
    if address != preferences.server { try preferences.refuse("server", against: "server") }
    return address
  }

  private static func credential(
    _ invocation: Invocation, _ preferences: Preferences
  ) throws -> Enroller.Credential? {
    guard !invocation.has("token") || !invocation.has("secret") else {
      throw UsageError("give --token or --secret, not both")
    }
    for option in ["token", "secret"] {
      guard let text = invocation.text(option), !HTTPRequest.isHeaderSafe(text) else { continue }
      throw UsageError("--\(option) is not a valid \(option)")
    }
    if let token = invocation.text("token") { return .token(token) }
    return (invocation.text("secret") ?? preferences.secret).map { .secret($0) }
  }

  /// The fleet's name for this machine, which no document has.
  private static func name(
    _ invocation: Invocation, _ preferences: Preferences, _ credential: Enroller.Credential
  ) throws -> String? {
    guard let given = invocation.text("name") else { return preferences.name }
    if given != preferences.name { try preferences.refuse("name", against: "name") }
    guard case .secret = credential else { throw UsageError("--name needs a fleet's --secret: only a fleet names its Macs") }
    guard Preferences.isName(given) else {
      throw UsageError("--name takes up to \(Preferences.longestName) characters on one line")
    }
    return given
  }

  /// Prepare a template for copying. Only the server and a credential remain of this state; each
  /// copy creates its own identity.
  private static func prepare(
    _ address: ServerAddress, _ invocation: Invocation, _ preferences: Preferences, _ world: World
  ) throws -> ExitCode {
    guard !invocation.has("name") else { throw UsageError("--template and --name can't be used together: each copy is a machine of its own") }
    guard let credential = try credential(invocation, preferences) else {
      throw UsageError("`macmeter enroll --template` needs --secret SECRET, or --token with the token of a fleet's uploader")
    }
    let state = try StateDirectory(world.environment)
    let waiting = Spool(state: state).entries([.pending]).count
    guard waiting == 0 else {
      world.terminal.say("macmeter: runs measured here are waiting (\(waiting)). Run `macmeter upload` first.")
      return .keptForLater
    }
    var terms = Terms(fleetAt: address)
    if case .token(let token) = credential {
      let server = Server(address: address, token: token, world: world)
      try server.checkReady()
      let facts = try server.tokenFacts()
      guard facts.scope != "device" else {
        world.terminal.say("macmeter: a device token can't be shared by copies. Use --secret, or a fleet's token.")
        return .enrolAgain
      }
      terms = Terms(facts, address)
    } else {
      try Server(address: address, token: "", world: world).checkReady()
    }
    explain(terms, address, world.terminal)
    guard let manner = try consents(invocation, preferences, world.terminal) else {
      world.terminal.say("Not prepared.")
      return .failure
    }
    let consent = Consent(at: Timestamp(world.wallClock()), given: manner, text: terms.text)
    try Template(server: address.text, credential: credential, consent: consent).store(state)
    world.terminal.say("Prepared. Shut this machine down and copy it. Each copy gets its own id and enrols at its first upload.")
    world.terminal.say("Do not measure before you copy it: that would give this image an id.")
    return .success
  }

  private static func explain(_ terms: Terms, _ address: ServerAddress, _ terminal: Terminal) {
    terms.lines.forEach(terminal.say)
    if address.isReadableOnTheWay {
      terminal.say("This connection is not encrypted: others on the network could read the token. Use https if you can.")
    }
  }

  /// Whether an option agrees. Without a terminal, consent is never assumed.
  private static func agrees(_ invocation: Invocation) -> Bool {
    invocation.has("yes") || invocation.has("accept")
  }

  private static func consents(
    _ invocation: Invocation, _ preferences: Preferences, _ terminal: Terminal
  ) throws -> Consent.Manner? {
    if agrees(invocation) { return .option }
    if preferences.accept { return .preferences }
    guard let answer = try terminal.ask("Enrol and upload from now on? [y/N]") else {
      throw UsageError("there is no terminal to ask on; add --yes if you agree")
    }
    return ["y", "yes"].contains(answer.lowercased()) ? .asked : nil
  }
}
