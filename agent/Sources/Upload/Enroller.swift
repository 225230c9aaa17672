import Administration
import Base
import Document
import LocalState

/// Enrolling, by command or by itself.
package struct Enroller {
  package let session: Session
  let address: ServerAddress
  let credential: Credential

  package init(session: Session, address: ServerAddress, credential: Credential) {
    self.session = session
    self.address = address
    self.credential = credential
  }

  /// What a server is asked with.
  package enum Credential: Equatable, Codable {
    /// A token of this device, or an uploader's of a fleet.
    case token(String)
    /// A fleet's secret, which buys this device a token.
    case secret(String)
    /// None: a token for public runs, of a machine that belongs to nobody yet.
    case alone
  }

  /// What the server offers, before anybody has agreed.
  package struct Offer {
    package let token: String
    package let facts: TokenFacts
    package let terms: Terms
  }

  /// The token that this Mac has, as long as the server takes it. One that has ended still proves that
  /// this is the same Mac: enrolling alone shows it.
  package static func kept(_ session: Session, at address: ServerAddress) throws -> Credential {
    guard let token = session.readableEnrolment?.token else { return .alone }
    let server = Server(address: address, token: token, world: session.world)
    try server.checkReady()
    return try server.refusesToken() ? .alone : .token(token)
  }

  /// Throws in words. nil: the token is another machine's.
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
    return Offer(token: token, facts: facts, terms: Terms(facts, address))
  }

  private func bought(with secret: String?) throws -> String {
    try Server(address: address, token: "", world: session.world).checkReady()
    // A secret may be another server's; alone, this server was shown the token already.
    let present = session.readableEnrolment.flatMap { $0.server == address.text || secret == nil ? $0.token : nil }
    return try Server.enrol(
      address, secret: secret, identity: session.identity, present: present, world: session.world)
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

  /// Enrols a machine that was made from a prepared image, or that its administrator has given a
  /// server and agreed for; nil where neither is so.
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

  /// Enrols again if the server no longer accepts the token and there is a secret for it; otherwise nil.
  package static func again(_ session: Session, insteadOf enrolment: Enrolment) throws -> Enrolment? {
    guard let (enroller, _, _) = try prepared(session), enroller.address.text == enrolment.server,
      case .secret = enroller.credential
    else { return nil }
    return try byItself(session)
  }

  /// Whether this machine will enrol by itself when it first uploads.
  package static func isPrepared(_ session: Session) -> Bool { ((try? prepared(session)) ?? nil) != nil }

  /// With what to say of where it was laid down.
  private static func prepared(_ session: Session) throws -> (Enroller, Consent.Manner, origin: String)? {
    let preferences = try Preferences.read(session.world)
    if let server = preferences.server, let secret = preferences.secret, preferences.accept {
      return (Enroller(session: session, address: server, credential: .secret(secret)), .preferences, preferences.origin(of: ["server", "secret"]))
    }
    guard let template = try Template.load(session.state), let address = ServerAddress(template.server) else {
      return nil
    }
    return (Enroller(session: session, address: address, credential: template.credential), template.consent.given, "as `macmeter enroll --template` prepared it")
  }
}
