import Foundation

/// The server this agent uploads to and its token there.
public struct Enrolment: Codable, Equatable, Sendable {
  public var server: String
  public var token: String
  /// The machine that the token was entered for.
  public var machineID: String
  /// Absent where an older agent enrolled.
  public var consent: Consent?

  enum CodingKeys: String, CodingKey {
    case server, token, consent
    case machineID = "machine_id"
  }

  static func load(_ state: StateDirectory) -> Enrolment? {
    DurableFile.read(state.path("enrolment.json"))
      .flatMap { try? JSONDecoder().decode(Enrolment.self, from: $0) }
  }

  func store(_ state: StateDirectory) throws {
    try DurableFile.write(try JSONEncoder().encode(self), to: state.path("enrolment.json"))
  }

  static func remove(_ state: StateDirectory) { unlink(state.path("enrolment.json")) }
}

/// That somebody agreed to what enrolling means: when, how, and to which words.
public struct Consent: Codable, Equatable, Sendable {
  public var at: Timestamp
  public var given: Manner
  public var text: String

  public enum Manner: String, Codable, Sendable {
    /// Answered on the terminal.
    case asked
    /// An option of the command line.
    case option
    /// An administrator's, in the preferences.
    case preferences
  }
}
