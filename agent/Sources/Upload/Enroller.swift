import Administration
import Base
import Document
import LocalState

/// Enrolment, by command or automatic.
package struct Enroller {
  package let session: Session
  let address: ServerAddress
  let credential: Credential
  /// The fleet's name for this machine. Sent with a fleet's secret only.
  let name: String?

  package init(session: Session, address: ServerAddress, credential: Credential, name: String? = nil) {
    self.session = session
    self.address = address
    self.credential = credential
    self.name = name
  }

  /// The credential presented to a server.
  package enum Credential: Equatable, Codable {
    /// A device's token, or a fleet uploader's.
    case token(String)
    /// A fleet's secret, exchanged for a device token.
    case secret(String)
    /// None: requests a token for public runs, for a machine without an owner.
    case alone
  }

  /// The server's offer, before anyone has agreed.
  package struct Offer {
    package let token: String
    package let facts: TokenFacts
    package let terms: Terms
  }

  /// This Mac's token, as long as the server accepts it. An expired one still proves that this is
  /// the same Mac; enrolling alone presents it.
  package static func kept(_ session: Session, at address: ServerAddress) throws -> Credential {
    guard let token = session.readableEnrolment?.token else { return .alone }
    let server = Server(address: address, token: token, world: session.world)
    try server.checkReady()
    return try server.refusesToken() ? .alone : .token(token)
  }

  /// Request the server's offer; nil if the token belongs to another machine.
  /// - Throws: an error to show to the user.
  package func offer() throws -> Offer? {
    let world = session.world
    let token: String
    switch credential {
    case .token(let given):
      token = given
      try Server(address: address, token: token, world: world).checkReady()
    case .secret(let secret): token = try bought(with: secret)
    case .alone: token = try bought(with: nil)
    }
    let facts = try Server(address: address, token: token, world: world).tokenFacts()
    if let other = facts.machineID, facts.scope == "device", other != session.identity.machineID {
      return nil
    }
    return Offer(token: token, facts: facts, terms: Terms(facts, address, name: name))
  }

  private func bought(with secret: String?) throws -> String {
    try Server(address: address, token: "", world: session.world).checkReady()
    // A secret may be for another server; when enrolling alone, this server has already seen the
    // token.
    let present = session.readableEnrolment.flatMap { $0.server == address.text || secret == nil ? $0.token : nil }
    return try Server(address: address, token: "", world: session.world).enrol(
      secret: secret, name: secret == nil ? nil : name, identity: session.identity, present: present)
  }

  @discardableResult
  package func accept(_ offer: Offer, _ manner: Consent.Manner) throws -> Enrolment {
    let consent = Consent(
      at: Timestamp(session.world.wallClock()), given: manner, text: offer.terms.text)
    let enrolment = Enrolment(
      server: address.text, token: offer.token, machineID: session.identity.machineID, consent: consent)
    try enrolment.store(session.state)
    return enrolment
  }

  /// Enrol a machine that was made from a prepared image, or whose administrator has set a server
  /// and agreed to its terms; nil if neither applies.
  package static func byItself(_ session: Session) throws -> Enrolment? {
    guard let (enroller, manner, origin) = try prepared(session) else { return nil }
    let offer: Offer?
    do { offer = try enroller.offer() } catch let error as TransportError {
      throw TransportError(description: "\(error) (\(origin))", isUntrusted: error.isUntrusted)
    }
    guard let offer else {
      throw TransportError(description: "the prepared token belongs to another machine; use a fleet's token (\(origin))")
    }
    session.world.terminal.say("Enrolled with \(enroller.address.text), as prepared for this machine.")
    return try enroller.accept(offer, manner)
  }

  /// Enrol again if the server no longer accepts the token and there is a secret for it; otherwise
  /// nil.
  package static func again(_ session: Session, insteadOf enrolment: Enrolment) throws -> Enrolment? {
    try hasSecret(session, for: enrolment) ? byItself(session) : nil
  }

  /// Whether this machine has a secret to enrol with at the server of `enrolment`.
  package static func hasSecret(_ session: Session, for enrolment: Enrolment) throws -> Bool {
    guard let (enroller, _, _) = try prepared(session), case .secret = enroller.credential else { return false }
    return enroller.address.text == enrolment.server
  }

  /// Whether this machine will enrol automatically at its first upload.
  package static func isPrepared(_ session: Session) -> Bool { ((try? prepared(session)) ?? nil) != nil }

  /// The prepared enroller, with a description of where it was configured.
  private static func prepared(_ session: Session) throws -> (Enroller, Consent.Manner, origin: String)? {
    let preferences = try Preferences.read(session.world)
    if let server = preferences.server, let secret = preferences.secret, preferences.accept {
      return (Enroller(session: session, address: server, credential: .secret(secret), name: preferences.name), .preferences, preferences.origin(of: ["server", "secret"]))
    }
    guard let template = try Template.load(session.state), let address = ServerAddress(template.server) else {
      return nil
    }
    return (Enroller(session: session, address: address, credential: template.credential), template.consent.given, "as `macmeter enroll --template` prepared it")
  }
}
