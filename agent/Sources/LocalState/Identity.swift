import Base
import Document
import Foundation

/// Who this agent is: an id and a key of its own making, sealed to this machine.
///
/// A copy of the state on another machine (a cloned virtual machine, a migrated disk) does not match
/// the seal: it gets a new id and must be enrolled again.
package struct Identity: Codable, Equatable, Sendable {
  package var machineID: String
  package var key: String
  /// Digests of the machine's own identifiers under the key, by the identifiers' names.
  var seal: [String: String]

  enum CodingKeys: String, CodingKey {
    case machineID = "machine_id"
    case key, seal
  }

  package var keyBytes: [UInt8] { Array(key.utf8) }

  /// The identity kept in `state`; made where there is none, or where it was made on another machine. One
  /// that is damaged is not replaced: with a new id, one Mac would become two.
  /// - Parameter putAside: what to do first with what is that other machine's. Only then is its identity
  ///   replaced: a kill in between finds the broken seal again, and goes on there.
  package static func load(
    _ state: StateDirectory, identifiers: [String: String], world: World, puttingAside putAside: () throws -> Void = {}
  ) throws -> (identity: Identity, replaced: String?) {
    if let identity = try usable(state, identifiers) { return (identity, nil) }
    // Two agents that start at once must not make one each.
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

  /// The one that was made on this machine.
  private static func usable(_ state: StateDirectory, _ identifiers: [String: String]) throws -> Identity? {
    guard var identity = try kept(state), identity.matches(identifiers) else { return nil }
    // What this user could not read before, root may read now: seal with it too.
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

  /// Only identifiers that are known now and were known then can disagree.
  private func matches(_ identifiers: [String: String]) -> Bool {
    identifiers.allSatisfy { name, value in seal[name].map { $0 == digest(of: value) } ?? true }
  }

  private mutating func addToSeal(_ identifiers: [String: String]) {
    for (name, value) in identifiers where seal[name] == nil { seal[name] = digest(of: value) }
  }

  private func digest(of identifier: String) -> String {
    SHA256.authenticationCode(of: Array(identifier.utf8), key: keyBytes).hexadecimal
  }

  /// What proves to one server that this agent has its key, and says nothing to another one.
  package func proof(for server: String) -> String { digest(of: "macmeter proof for " + server) }

  private static let name = "identity.json"

  private func store(in state: StateDirectory) throws {
    try DurableFile.write(try JSONEncoder().encode(self), to: state.path(Self.name))
  }
}
