import Foundation

extension RunDocument {
  /// The document as the bytes that are stored and uploaded: keys sorted, so that one document is
  /// always the same bytes.
  public func encoded() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }

  /// The document for human eyes.
  public func readable() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }

  public init(json: Data) throws {
    self = try JSONDecoder().decode(RunDocument.self, from: json)
  }
}

/// Text from outside as a document may carry it: no control characters, no more than 256
/// characters, nil where nothing is left.
func documentText(_ text: String?) -> String? {
  guard let text else { return nil }
  let printable = text.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7f }
  var kept = String(String.UnicodeScalarView(printable))
  while let last = kept.last, last.isWhitespace { kept.removeLast() }
  kept = String(kept.drop { $0.isWhitespace }.unicodeScalars.prefix(256))
  return kept.isEmpty ? nil : kept
}
