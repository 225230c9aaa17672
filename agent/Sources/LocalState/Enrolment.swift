import Base
import Document
import Foundation

/// The server this agent uploads to, and its token there.
package struct Enrolment: Codable, Equatable, Sendable {
  package var server: String
  package var token: String
  /// The machine that the token was issued for.
  package var machineID: String
  /// Absent if an older agent enrolled.
  package var consent: Consent?

  package init(server: String, token: String, machineID: String, consent: Consent? = nil) {
    self.server = server
    self.token = token
    self.machineID = machineID
    self.consent = consent
  }

  enum CodingKeys: String, CodingKey {
    case server, token, consent
    case machineID = "machine_id"
  }

  /// nil if this agent isn't enrolled.
  package static func load(_ state: StateDirectory) throws -> Enrolment? {
    try DurableFile.decoded(
      state.path("enrolment.json"),
      remedy: "Restore it from a backup, or run `macmeter enroll` again. Runs are kept.")
  }

  package func store(_ state: StateDirectory) throws {
    try DurableFile.write(try JSONEncoder().encode(self), to: state.path("enrolment.json"))
  }

  package static func remove(_ state: StateDirectory) { unlink(state.path("enrolment.json")) }
}

/// Consent to the terms of enrolling: when, how, and to which text.
package struct Consent: Codable, Equatable, Sendable {
  package var at: Timestamp
  package var given: Manner
  package var text: String

  package init(at: Timestamp, given: Manner, text: String) {
    self.at = at
    self.given = given
    self.text = text
  }

  package enum Manner: String, Codable, Sendable {
    /// Answered on the terminal.
    case asked
    /// Given as a command-line option.
    case option
    /// Set by an administrator in the preferences.
    case preferences
  }
}
