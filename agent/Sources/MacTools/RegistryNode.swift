import Base
import Formats
import Foundation

/// The properties of one node in `ioreg`'s text output (`-l` or `-r`, preferably with `-w0`:
/// otherwise long lines are cut at the terminal's width and end in "$"). The registry holds serial
/// numbers, user names and keys: only properties requested by name are ever read.
package struct RegistryNode {
  private let values: [Substring: Substring]

  /// The first node with this name ("pmgr", with or without an address) or class; nil if there is
  /// none.
  static func find(_ name: String, in text: String) -> RegistryNode? {
    var values: [Substring: Substring] = [:]
    var isInside = false
    for line in Lines.of(text) {
      if let heading = line.range(of: "+-o ") {
        if isInside { break }
        isInside = isCalled(name, heading: line[heading.upperBound...])
      } else if isInside, let property = property(line) {
        values[property.name] = values[property.name] ?? property.value
      }
    }
    return isInside ? RegistryNode(values: values) : nil
  }

  /// Whether a heading such as "pmgr@3B700000  <class AppleARMIODevice, id 0x100000173, …>" has
  /// this name or class.
  private static func isCalled(_ name: String, heading: Substring) -> Bool {
    let words = heading.split(separator: " ", maxSplits: 1)
    if words.first?.split(separator: "@").first.map({ $0 == name }) == true { return true }
    return heading.contains("<class \(name),")
  }

  /// Parse `| |   "CycleCount" = 125`.
  private static func property(_ line: Substring) -> (name: Substring, value: Substring)? {
    guard let quote = line.firstIndex(of: "\""), let sign = line.range(of: "\" = ") else { return nil }
    let start = line.index(after: quote)
    guard start < sign.lowerBound else { return nil }
    return (line[start..<sign.lowerBound], line[sign.upperBound...])
  }

  /// An integer property. Negative numbers are printed as unsigned 64-bit ones.
  package func integer(_ name: String) -> Int? {
    values[name[...]].flatMap { Self.integer(trimmed($0)) }
  }

  package static func integer(_ text: some StringProtocol) -> Int? {
    if let value = Int(text) { return value }
    return UInt64(text).map { Int(truncatingIfNeeded: $0) }
  }

  package func boolean(_ name: String) -> Bool? {
    values[name[...]].flatMap { YesNo.read($0) }
  }

  /// The bytes of `<0046c323…>`; nil if the line was cut.
  package func data(_ name: String) -> [UInt8]? {
    guard let value = values[name[...]], value.first == "<", value.last == ">" else { return nil }
    let digits = value.dropFirst().dropLast().compactMap(\.hexDigitValue)
    guard digits.count == value.count - 2, digits.count % 2 == 0 else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
  }

  /// A number inside a dictionary: `{"SystemLoad"=5230,"BatteryPower"=18446744073709550057}`.
  package func integer(_ name: String, inside dictionary: String) -> Int? {
    guard let text = values[dictionary[...]], let key = text.range(of: "\"\(name)\"=") else { return nil }
    return Self.integer(text[key.upperBound...].prefix { $0 == "-" || $0.isNumber })
  }
}

extension RegistryNode {
  /// Keep these nodes and their numeric and byte properties. Other properties keep only their
  /// names, which are the drivers' own.
  package static func recorded(of nodes: Set<String>, keeps: @escaping @Sendable (_ name: String) -> Bool) -> Recorded {
    Recorded(line: { line, _, names in
      if let heading = line.range(of: "+-o ") {
        let rest = line[heading.upperBound...]
        let called = nodes.sorted().first { isCalled($0, heading: rest) }
        return "+-o " + (called.map { "\($0)  <class \($0), id 0>" } ?? "node")
      }
      guard let (name, value) = property(line).map({ (String($0.name), trimmed($0.value)) }) else { return nil }
      let isPlain = integer(value) != nil || (value.first == "<" && value.dropFirst().allSatisfy { $0.isHexDigit || $0 == ">" || $0 == "$" })
      if isPlain, keeps(name) { return "    \"\(name)\" = \(value)" }
      guard name.count <= 48, name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_,#".contains($0)) }) else { return nil }
      return "    \"\(name)\" = \(integer(value) == nil ? "\"\"" : "0")"
    })
  }
}
