import Foundation

/// What an image of a virtual machine carries so that each machine made from it enrols by itself: the
/// server and a credential that is no machine's own. Never an identity, which all of them would share.
struct Template: Codable, Equatable {
  var server: String
  var credential: Enroller.Credential
  var consent: Consent

  private static let name = "template.json"

  static func load(_ state: StateDirectory) -> Template? {
    DurableFile.read(state.path(name)).flatMap { try? JSONDecoder().decode(Template.self, from: $0) }
  }

  /// Prepares `state`: whatever was this machine's own goes.
  func store(_ state: StateDirectory) throws {
    try DurableFile.write(try JSONEncoder().encode(self), to: state.path(Self.name))
    Enrolment.remove(state)
    unlink(state.path("identity.json"))
  }
}
