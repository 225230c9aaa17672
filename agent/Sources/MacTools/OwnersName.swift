import Base

/// A name that an owner gave to a device: computers act as drives, and are called as somebody calls them
/// ("Jane's Pi"). Makers' names have no such forms.
package enum OwnersName {
  private static let possessives = ["'s ", "\u{2019}s ", "s' ", "s\u{2019} ", "'s-", "\u{2019}s-", "\u{306e}"]

  /// - Parameter privateNames: those of this Mac's user and of this Mac.
  package static func isIn(_ text: String, privateNames: [String] = []) -> Bool {
    let end = text.lowercased() + " "
    return possessives.contains { end.contains($0) }
      || privateNames.contains { $0.count >= 3 && !KnownNames.isHarmless($0) && KnownNames.holds(text, $0) }
  }
}
