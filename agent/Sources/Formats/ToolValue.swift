import Base
import Document
import Foundation

/// A value in a tool's structured output, JSON or XML property list alike. What a tool writes as a
/// number on one system it writes as a text on the next ("1000555581440"), so values are asked for
/// by what they mean, not by how they were written; nil where they cannot mean it.
package enum ToolValue: Equatable, Sendable {
  case dictionary([String: ToolValue])
  case array([ToolValue])
  case string(String)
  case int(Int)
  case double(Double)
  case bool(Bool)
  /// Never part of a fact; distinguished only so that they are written again as they were.
  case date
  case data
  /// null, and anything that isn't a value.
  case other

  /// Reads whichever of the two the tool printed; nil for anything else or for half a document.
  package init?(_ data: Data) {
    let read = Self.propertyList(in: data).map(XMLPropertyList.read) ?? JSONReader.read(data)
    guard let read else { return nil }
    self = read
  }

  /// In the form of an answer that it stands for.
  package func written(as answer: Data) -> Data {
    Data((Self.propertyList(in: answer) == nil ? json() + "\n" : propertyList).utf8)
  }

  /// From where an XML property list begins: at once, or after a mark or lines that are none of it.
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

  /// A text without the spaces around it; nil if it is empty, was taken out, or is a number.
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

  /// An amount in bytes, never negative nor more than there can be.
  package var bytes: Int? { integer.flatMap(Quantity.bytes) }
}
