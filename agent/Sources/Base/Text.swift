import Foundation

/// A text without the spaces and line ends around it.
package func trimmed(_ text: some StringProtocol) -> String {
  text.trimmingCharacters(in: .whitespacesAndNewlines)
}
