import Base
import Document

/// Labels of a run, `key=value`. They are published as given.
package enum Labels {
  package static let most = 64

  /// - Parameter privateNames: names of the user and the host; a label that contains one is
  ///   refused.
  package static func parse(_ texts: [String], privateNames: [String]) throws -> [String: String]? {
    var labels: [String: String] = [:]
    for text in texts {
      let parts = text.split(separator: "=", maxSplits: 1)
      guard parts.count == 2 else { throw UsageError("--label takes key=value, not \(text)") }
      guard let key = documentText(String(parts[0])), key == parts[0],
        let value = documentText(String(parts[1])), value == parts[1]
      else {
        throw UsageError(
          "a label's key and value are at most 256 characters, without control characters or spaces at either end: \(text.prefix(80))")
      }
      guard labels[key] == nil else { throw UsageError("the label \(key) was given twice") }
      if let name = privateName(in: key, privateNames) ?? privateName(in: value, privateNames) {
        throw UsageError("the label \(text) contains \(name), the name of this user or host, and would be public")
      }
      labels[key] = value
    }
    guard labels.count <= most else { throw UsageError("at most \(most) labels") }
    return labels.isEmpty ? nil : labels
  }

  /// The first of these names that `text`, which would be public, contains.
  package static func privateName(in text: String, _ names: [String]) -> String? {
    names.first { holds(text, $0) }
  }

  /// Whether `text` contains `name`: anywhere for names of four or more characters, as a whole word
  /// for shorter ones ("vm" is not in "vmware").
  private static func holds(_ text: String, _ name: String) -> Bool {
    let text = text.lowercased()
    let name = name.lowercased()
    if name.count >= 4 { return text.contains(name) }
    return text.split { !$0.isLetter && !$0.isNumber }.contains { $0 == name }
  }
}
