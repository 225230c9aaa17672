import Document
import Foundation

/// A reader for the JSON that tools print. Foundation's decoder crashes on some damaged texts (a
/// bare line feed in a string, in Swift 6.0), and imported files may be damaged. This one accepts
/// control characters in strings and rejects other errors.
package struct JSONReader {
  private static let deepest = 128

  private let bytes: [UInt8]
  private var position: Int
  /// Keys of invalid numbers (nan, inf).
  private var gaps: [String] = []
  private var key = ""
  /// The furthest position that couldn't be parsed.
  private var obstacle = 0

  /// Parse the text's value. Notes may precede it (fio prints some, with brackets), so try the
  /// first value at the start of a line, then the first anywhere. Ignore text after it. nil if
  /// there is none or it is incomplete.
  package static func read(_ data: Data) -> ToolValue? {
    var reader = JSONReader(bytes: Array(data), position: 0)
    return reader.nextValue()
  }

  /// One of several JSON texts in a file.
  package struct Text {
    package let value: ToolValue
    /// Keys of invalid numbers: tools that divide by zero print nan or inf.
    package let gaps: [String]
  }

  /// Parse consecutive JSON texts in one file, as far as they are complete.
  package static func readAll(_ data: Data) -> [Text] {
    var reader = JSONReader(bytes: Array(data), position: 0)
    var texts: [Text] = []
    while let value = reader.nextValue() { texts.append(Text(value: value, gaps: reader.gaps)) }
    return texts
  }

  /// The line, counted from 1, where the first value at the start of a line stops being JSON; nil
  /// if it is complete.
  package static func damagedLine(_ data: Data) -> Int? {
    var reader = JSONReader(bytes: Array(data), position: 0)
    guard let start = reader.starts.first else { return nil }
    reader.position = start
    guard reader.value(depth: 0) == nil else { return nil }
    return 1 + reader.bytes[..<min(reader.obstacle, reader.bytes.count)].count { $0 == 0x0a }
  }

  private mutating func nextValue() -> ToolValue? {
    skipSpaces()
    gaps = []
    if isOpening(position) { return value(depth: 0) }
    for start in starts {
      position = start
      gaps = []
      if let value = value(depth: 0) { return value }
    }
    return nil
  }

  private static let mostTries = 16

  /// Possible starts of a value: each line that starts with a bracket, then the first bracket
  /// anywhere.
  private var starts: [Int] {
    var lines: [Int] = []
    var begin = position
    while begin < bytes.count, lines.count < Self.mostTries {
      let end = bytes[begin...].firstIndex { $0 == 0x0a || $0 == 0x0d } ?? bytes.count
      if let first = bytes[begin..<end].firstIndex(where: { $0 != 0x20 && $0 != 0x09 }), isOpening(first) { lines.append(first) }
      begin = end + 1
    }
    return lines + (bytes[position...].indices.first(where: isOpening).map { [$0] } ?? [])
  }

  private func isOpening(_ place: Int) -> Bool {
    place < bytes.count && (bytes[place] == UInt8(ascii: "{") || bytes[place] == UInt8(ascii: "["))
  }

  private init(bytes: [UInt8], position: Int) {
    self.bytes = bytes
    self.position = position
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpaces() {
    while let byte = next, byte == 0x20 || (0x09...0x0d).contains(byte) { position += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipSpaces()
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func value(depth: Int) -> ToolValue? {
    skipSpaces()
    guard depth < Self.deepest, let first = next else { return stopped() }
    let value = switch first {
    case UInt8(ascii: "{"): dictionary(depth: depth)
    case UInt8(ascii: "["): array(depth: depth)
    case UInt8(ascii: "\""): string().map(ToolValue.string)
    default: word()
    }
    return value ?? stopped()
  }

  /// Record how far parsing got, and return nil.
  private mutating func stopped() -> ToolValue? {
    obstacle = max(obstacle, position)
    return nil
  }

  private mutating func dictionary(depth: Int) -> ToolValue? {
    position += 1
    var entries: [String: ToolValue] = [:]
    if take("}") { return .dictionary(entries) }
    repeat {
      skipSpaces()
      guard next == UInt8(ascii: "\""), let key = string(), take(":") else { return nil }
      self.key = key
      guard let value = value(depth: depth + 1) else { return nil }
      entries[key] = value
    } while take(",")
    return take("}") ? .dictionary(entries) : nil
  }

  private mutating func array(depth: Int) -> ToolValue? {
    position += 1
    var items: [ToolValue] = []
    if take("]") { return .array(items) }
    repeat {
      guard let item = value(depth: depth + 1) else { return nil }
      items.append(item)
    } while take(",")
    return take("]") ? .array(items) : nil
  }

  private static let gapWords: Set<String> = ["nan", "-nan", "inf", "-inf", "infinity", "-infinity"]

  /// Parse true, false, null or a number; nan and inf count as missing.
  private mutating func word() -> ToolValue? {
    let start = position
    while let byte = next, byte > 0x20, !",]}:\"[{".utf8.contains(byte) { position += 1 }
    let word = String(decoding: bytes[start..<position], as: UTF8.self)
    switch word {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .other
    default:
      if Self.gapWords.contains(word.lowercased()) {
        gaps.append(key)
        return .other
      }
      guard let first = word.utf8.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first) else { return nil }
      if let integer = Int(word) { return .int(integer) }
      guard let number = Double(word), number.isFinite else { return nil }
      return .double(number)
    }
  }

  private mutating func string() -> String? {
    position += 1
    var content: [UInt8] = []
    while let byte = next {
      position += 1
      if byte == UInt8(ascii: "\"") { return String(decoding: content, as: UTF8.self) }
      if byte == UInt8(ascii: "\\") {
        guard let escaped = escape() else { return nil }
        content += escaped
      } else {
        content.append(byte)
      }
    }
    return nil
  }

  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "n"): 0x0a, UInt8(ascii: "t"): 0x09, UInt8(ascii: "r"): 0x0d, UInt8(ascii: "b"): 0x08,
    UInt8(ascii: "f"): 0x0c,
  ]

  private mutating func escape() -> [UInt8]? {
    guard let byte = next else { return nil }
    position += 1
    guard byte == UInt8(ascii: "u") else { return [Self.escapes[byte] ?? byte] }
    guard let first = codeUnit() else { return nil }
    var units = [first]
    if UTF16.isLeadSurrogate(first), position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
      bytes[position + 1] == UInt8(ascii: "u")
    {
      position += 2
      guard let second = codeUnit() else { return nil }
      units.append(second)
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  private mutating func codeUnit() -> UInt16? {
    guard position + 4 <= bytes.count else { return nil }
    let digits = String(decoding: bytes[position..<(position + 4)], as: UTF8.self)
    position += 4
    return digits.allSatisfy(\.isHexDigit) ? UInt16(digits, radix: 16) : nil
  }
}
