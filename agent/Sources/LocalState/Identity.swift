import Base
import Document
import Foundation

/// This agent's identity: an id and a key that it generated, sealed to this machine.
///
/// A copy of the state on another machine (a cloned virtual machine, a migrated disk) doesn't match
/// the seal: it gets a new id and must enrol again.
package struct Identity: Codable, Equatable, Sendable {
  package var machineID: String
  package var key: String
  /// Digests of the machine's own identifiers under the key, by name.
  var seal: [String: String]

  enum CodingKeys: String, CodingKey {
    case machineID = "machine_id"
    case key, seal
  }

  package var keyBytes: [UInt8] { Array(key.utf8) }

  /// Load the identity in `state`; create one if there is none, or if it belongs to another
  /// machine. A damaged one is not replaced: a new id would turn one Mac into two.
  /// - Parameter putAside: set aside the other machine's data. Its identity is replaced only
  ///   afterwards, so that after a kill in between, the next start finds the broken seal and
  ///   resumes.
  package static func load(
    _ state: StateDirectory, identifiers: [String: String], world: World, puttingAside putAside: () throws -> Void = {}
  ) throws -> (identity: Identity, replaced: String?) {
    if let identity = try usable(state, identifiers) { return (identity, nil) }
    // Two agents starting at once must not create two.
    guard let lock = FileLock.waiting(state.path("identity.lock"), world) else {
      throw StateError("another macmeter is creating this machine's id; try again")
    }
    return try withExtendedLifetime(lock) {
      if let identity = try usable(state, identifiers) { return (identity, nil) }
      let other = try kept(state)?.machineID
      if other != nil { try putAside() }
      var identity = Identity(
        machineID: RunIdentifier.machine(random: world.randomBytes(16)),
        key: world.randomBytes(32).hexadecimal, seal: [:])
      identity.addToSeal(identifiers)
      try identity.store(in: state)
      return (identity, other)
    }
  }

  /// The stored identity, if it was created on this machine.
  private static func usable(_ state: StateDirectory, _ identifiers: [String: String]) throws -> Identity? {
    guard var identity = try kept(state), identity.matches(identifiers) else { return nil }
    // Root may read identifiers that this user couldn't: seal with them too.
    let before = identity.seal
    identity.addToSeal(identifiers)
    if identity.seal != before { try identity.store(in: state) }
    return identity
  }

  private static func kept(_ state: StateDirectory) throws -> Identity? {
    let path = state.path(name)
    let known = ((try? Enrolment.load(state)) ?? nil).map { " with the id \($0.machineID)" } ?? ""
    let remedy = "It says which machine this is\(known). Restore it from a backup; without one, delete it "
      + "and this machine becomes a new one, whose old runs an admin of its fleet can merge with the new."
    guard let identity: Identity = try DurableFile.decoded(path, remedy: remedy) else { return nil }
    guard UUID(uuidString: identity.machineID) != nil, !identity.key.isEmpty else {
      throw StateError("\(path) is damaged", remedy: remedy)
    }
    return identity
  }

  /// Only identifiers known both now and then can disagree.
  private func matches(_ identifiers: [String: String]) -> Bool {
    identifiers.allSatisfy { name, value in seal[name].map { $0 == digest(of: value) } ?? true }
  }

  private mutating func addToSeal(_ identifiers: [String: String]) {
    for (name, value) in identifiers where seal[name] == nil { seal[name] = digest(of: value) }
  }

  private func digest(of identifier: String) -> String {
    SHA256.authenticationCode(of: Array(identifier.utf8), key: keyBytes).hexadecimal
  }

  /// Proof to one server that this agent has its key; useless to any other.
  package func proof(for server: String) -> String { digest(of: "macmeter proof for " + server) }

  private static let name = "identity.json"

  private func store(in state: StateDirectory) throws {
    try DurableFile.write(try JSONEncoder().encode(self), to: state.path(Self.name))
  }
}
