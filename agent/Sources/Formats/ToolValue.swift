import Base
import Document
import Foundation

/// A value in a tool's structured output, JSON or XML property list. A tool may write a number on
/// one system and text on the next ("1000555581440"), so values are read by meaning, not by type;
/// nil if they can't have that meaning.
package enum ToolValue: Equatable, Sendable {
  case dictionary([String: ToolValue])
  case array([ToolValue])
  case string(String)
  case int(Int)
  case double(Double)
  case bool(Bool)
  /// Never part of a fact; kept apart only so that they are written back unchanged.
  case date
  case data
  /// null, and anything that isn't a value.
  case other

  /// Parse either format; nil for anything else or a truncated document.
  package init?(_ data: Data) {
    let read = Self.propertyList(in: data).map(XMLPropertyList.read) ?? JSONReader.read(data)
    guard let read else { return nil }
    self = read
  }

  /// Serialised in the same format as the tool's output `answer`.
  package func written(as answer: Data) -> Data {
    Data((Self.propertyList(in: answer) == nil ? json() + "\n" : propertyList).utf8)
  }

  /// The data from the start of an XML property list, skipping a byte order mark or other lines
  /// before it.
  private static func propertyList(in data: Data) -> Data? {
    let start = data.first { !($0 == 0 || $0 == 0x20 || (0x09...0x0d).contains($0)) }
    if start == UInt8(ascii: "<") { return data }
    guard start != UInt8(ascii: "{"), start != UInt8(ascii: "[") else { return nil }
    let head = data.prefix(4096)
    let found = head.range(of: Data("<?xml".utf8)) ?? head.range(of: Data("<plist".utf8))
    return found.map { data[$0.lowerBound...] }
  }

  package subscript(key: String) -> ToolValue? {
    if case .dictionary(let entries) = self { return entries[key] }
    return nil
  }

  package var entries: [String: ToolValue] {
    if case .dictionary(let entries) = self { return entries }
    return [:]
  }

  package var items: [ToolValue] {
    if case .array(let items) = self { return items }
    return []
  }

  /// The trimmed text; nil if it is empty, redacted or a number.
  package var text: String? {
    guard case .string(let string) = self, let text = documentText(string) else { return nil }
    return Redacted.isPlaceholder(text) ? nil : text
  }

  package var integer: Int? {
    switch self {
    case .int(let value): value
    case .double(let value): Int(exactly: value)
    case .string(let text): Int(trimmed(text))
    default: nil
    }
  }

  package var number: Double? {
    switch self {
    case .int(let value): Double(value)
    case .double(let value): value.isFinite ? value : nil
    case .string(let text): Quantity.number(text)
    default: nil
    }
  }

  package var boolean: Bool? {
    switch self {
    case .bool(let value): value
    case .int(0): false
    case .int(1): true
    case .string(let text): YesNo.read(text)
    default: nil
    }
  }

  /// An amount in bytes; nil if negative or implausibly large.
  package var bytes: Int? { integer.flatMap(Quantity.bytes) }
}
