import Foundation

/// Who this agent is: an id and a key of its own making, sealed to this machine.
///
/// A copy of the state on another machine (a cloned virtual machine, a migrated disk) does not match
/// the seal: it gets a new id and must be enrolled again.
public struct Identity: Codable, Equatable, Sendable {
  public var machineID: String
  var key: String
  /// Digests of the machine's own identifiers under the key, by the identifiers' names.
  var seal: [String: String]

  enum CodingKeys: String, CodingKey {
    case machineID = "machine_id"
    case key, seal
  }

  var keyBytes: [UInt8] { Array(key.utf8) }

  /// The identity kept in `state`, made where there is none.
  /// - Returns: the identity, and the id that was kept before where the seal did not match.
  static func load(
    _ state: StateDirectory, identifiers: [String: String], world: World
  ) throws -> (identity: Identity, replaced: String?) {
    let path = state.path("identity.json")
    let kept = DurableFile.read(path).flatMap { try? JSONDecoder().decode(Identity.self, from: $0) }
    if var identity = kept, identity.matches(identifiers) {
      // What this user could not read before, root may read now: seal with it too.
      let before = identity.seal
      identity.addToSeal(identifiers)
      if identity.seal != before { try identity.store(at: path) }
      return (identity, nil)
    }
    var identity = Identity(
      machineID: RunIdentifier.machine(random: world.randomBytes(16)),
      key: world.randomBytes(32).hexadecimal, seal: [:])
    identity.addToSeal(identifiers)
    try identity.store(at: path)
    return (identity, kept?.machineID)
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

  private func store(at path: String) throws {
    try DurableFile.write(try JSONEncoder().encode(self), to: path)
  }
}
