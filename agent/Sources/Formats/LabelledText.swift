import Base

/// The non-empty lines of a tool's output, with any line ending. Split by bytes for speed: some
/// outputs have ten thousand lines.
package enum Lines {
  package static func of(_ text: some StringProtocol) -> [Substring] {
    Substring(text).utf8.split { $0 == 0x0a || $0 == 0x0d }.map { Substring($0) }
  }

  /// Sections of a text, each starting at a line that satisfies `begins`; drops what precedes the
  /// first.
  package static func sections(of text: String, begins: (Substring) -> Bool) -> [String] {
    var sections: [[Substring]] = []
    for line in of(text) {
      if begins(line) {
        sections.append([line])
      } else if !sections.isEmpty {
        sections[sections.count - 1].append(line)
      }
    }
    // Keep the last line's ending: it shows whether the output was cut off.
    let end = text.last?.isNewline == true ? "\n" : ""
    return sections.enumerated().map { place, lines in
      lines.joined(separator: "\n") + (place < sections.count - 1 ? "\n" : end)
    }
  }
}

/// The "Label: value" lines of a tool's human-readable output, in order. Labels are compared
/// ignoring case, spaces and punctuation, which vary between versions ("Type (Bundle)" and "Type
/// Bundle").
package struct LabelledText {
  package struct Line: Equatable {
    /// Indentation of the line in characters.
    package var depth: Int
    package var label: String
    package var value: String
  }

  package let lines: [Line]

  package init(_ text: some StringProtocol) {
    lines = Lines.of(text).compactMap { line in
      // Chinese and Japanese reports use a full-width colon.
      guard let colon = line.firstIndex(where: { $0 == ":" || $0 == "：" }) else { return nil }
      let label = trimmed(line[..<colon])
      guard !label.isEmpty else { return nil }
      let value = trimmed(line[line.index(after: colon)...])
      return Line(depth: line.prefix { $0.isWhitespace }.count, label: label, value: value)
    }
  }

  /// The value of the first line with that label; nil if there is none or the tool says that it
  /// doesn't apply.
  package subscript(label: String) -> String? {
    let wanted = Self.plain(label)
    guard let line = lines.first(where: { Self.plain($0.label) == wanted }) else { return nil }
    return Self.meaning(line.value)
  }

  package func all(_ label: String) -> [String] {
    let wanted = Self.plain(label)
    return lines.filter { Self.plain($0.label) == wanted }.compactMap { Self.meaning($0.value) }
  }

  private static func meaning(_ value: String) -> String? {
    let isAbsent = value.isEmpty || value.hasPrefix("Not applicable") || value.hasPrefix("Info not available")
      || Redacted.isPlaceholder(value)
    return isAbsent ? nil : value
  }

  package static func plain(_ label: some StringProtocol) -> String {
    String(label.lowercased().filter { $0.isLetter || $0.isNumber })
  }
}
