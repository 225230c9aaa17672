import Base
import Document
import LocalState

/// The terms of enrolling: who will see the runs, and under which licence. Shown before the user
/// agrees, and stored with the consent.
package struct Terms {
  package let lines: [String]
  package var text: String { lines.joined(separator: "\n") }
  private static let everyone =
    "Everyone will be able to see the runs uploaded from here. `macmeter preview` shows what a run contains."

  /// Whether the consent covers public runs.
  package static func arePublic(_ consent: Consent?) -> Bool { consent?.text.contains(everyone) ?? false }

  /// - Parameter name: what the fleet is going to call this machine.
  package init(_ facts: TokenFacts, _ address: ServerAddress, name: String? = nil) {
    var lines = ["Server: \(address.text)"]
    if let fleet = documentText(facts.fleet) { lines.append("Fleet: \(fleet)") }
    if let name = documentText(name) { lines.append("This machine's name there: \(name). Only readers of the fleet will see it.") }
    switch facts.visibility {
    case "public":
      lines.append(Self.everyone)
    case "private":
      lines.append("Only the fleet's members will be able to see the runs uploaded from here.")
    case "members":
      lines.append("Everyone with an account on that server will be able to see the runs uploaded from here.")
    default:
      lines.append("Visibility: \(documentText(facts.visibility) ?? "not said; expect the runs to be public").")
    }
    let licence = [facts.licence?.name, facts.licence?.text].compactMap(documentText)
    // Whoever asks, the server names the licence of public runs.
    if !licence.isEmpty, !["private", "members"].contains(facts.visibility) { lines.append("Licence: \(licence.joined(separator: ". "))") }
    self.lines = lines
  }

  /// Terms of a machine that enrols without a fleet, known before it sends anything.
  package init(aloneAt address: ServerAddress) {
    lines = [
      "Server: \(address.text)",
      Self.everyone,
      "Licence: CC0 1.0. Anybody may use, copy and publish these results. `macmeter claim` makes this Mac yours.",
    ]
  }

  /// Terms known before a fleet's secret is used.
  package init(fleetAt address: ServerAddress) {
    lines = [
      "Server: \(address.text)",
      "Each copy of this image joins the secret's fleet at its first upload, which decides who can see its runs.",
    ]
  }
}
