import Base
import Foundation
import LocalState

/// What an image of a virtual machine carries so that each machine made from it enrols by itself: the
/// server and a credential that isn't bound to one machine. Never an identity, which all would share.
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

  package static func load(_ state: StateDirectory) -> Template? {
    DurableFile.read(state.path(name)).flatMap { try? JSONDecoder().decode(Template.self, from: $0) }
  }

  /// Prepares `state`: whatever was this machine's own goes.
  package func store(_ state: StateDirectory) throws {
    try DurableFile.write(try JSONEncoder().encode(self), to: state.path(Self.name))
    Enrolment.remove(state)
    unlink(state.path("identity.json"))
  }
}
