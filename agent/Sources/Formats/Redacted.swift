/// Placeholders for values that were redacted from an output: not facts.
package enum Redacted {
  private static let words: Set<String> = [
    "removed", "masked", "hidden", "anonymized", "anonymised", "obfuscated", "null", "nil", "unknown", "na",
    "notavailable", "notprovided",
  ]
  private static let strokes = Set("*•█▇#?_-–—.…<>[](){}=~xX ")

  /// "<redacted>", "[REMOVED]", "XXXX", "****", "(null)", "N/A".
  package static func isPlaceholder(_ text: some StringProtocol) -> Bool {
    guard !text.isEmpty else { return false }
    if text.allSatisfy(strokes.contains) { return true }
    // "<serial>", "[model]": no tool encloses values in these.
    if (text.first == "<" && text.last == ">") || (text.first == "[" && text.last == "]") { return true }
    let letters = text.lowercased().filter { $0.isLetter || $0.isNumber }
    return words.contains(letters) || letters.contains("redacted")
  }
}
