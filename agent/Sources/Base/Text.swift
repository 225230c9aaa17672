import Foundation

/// The text without surrounding whitespace.
package func trimmed(_ text: some StringProtocol) -> String {
  text.trimmingCharacters(in: .whitespacesAndNewlines)
}
