import Base
import Foundation
import LocalState

/// Enrolment data in a virtual machine image, so that each machine made from it enrols
/// automatically: the server and a credential that isn't bound to one machine. Never an identity,
/// which all would share.
package struct Template: Codable, Equatable {
  package var server: String
  var credential: Enroller.Credential
  var consent: Consent

  package init(server: String, credential: Enroller.Credential, consent: Consent) {
    self.server = server
    self.credential = credential
    self.consent = consent
  }

  private static let name = "template.json"

  /// nil if none was prepared.
  package static func load(_ state: StateDirectory) throws -> Template? {
    try DurableFile.decoded(
      state.path(name), remedy: "Restore it from a backup, or prepare it again with `macmeter enroll --template`.")
  }

  /// Prepare `state`, removing this machine's own enrolment and identity.
  package func store(_ state: StateDirectory) throws {
    try DurableFile.write(try JSONEncoder().encode(self), to: state.path(Self.name))
    Enrolment.remove(state)
    unlink(state.path("identity.json"))
  }
}
