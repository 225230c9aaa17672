import Base

/// A name that an owner gave to a device. Computers can act as drives and have personal names
/// ("Jane's Pi"); manufacturers' names have no such forms.
package enum OwnersName {
  private static let possessives = ["'s ", "\u{2019}s ", "s' ", "s\u{2019} ", "'s-", "\u{2019}s-", "\u{306e}"]

  /// - Parameter privateNames: names of this Mac and its user.
  package static func isIn(_ text: String, privateNames: [String] = []) -> Bool {
    let end = text.lowercased() + " "
    return possessives.contains { end.contains($0) }
      || privateNames.contains { $0.count >= 3 && !KnownNames.isHarmless($0) && KnownNames.holds(text, $0) }
  }
}
