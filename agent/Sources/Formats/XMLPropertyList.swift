import Base
import Document
import Foundation

/// A reader for the XML property lists that Apple's tools print. Foundation reads them differently
/// on each platform, and files that people keep may be damaged; this way the tested code is the one
/// that runs on every Mac. It doesn't recurse, however deep the nesting.
///
/// Unsigned integers beyond Int.max are negative numbers that wrapped (battery telemetry), and are
/// returned as negative.
package struct XMLPropertyList {
  private static let deepest = 128

  private let bytes: [UInt8]
  private var position = 0
  private var open: [Container] = []
  private var root: ToolValue?

  /// Filled in place: taking it out and putting it back would copy it for every entry.
  private struct Container {
    var isDictionary: Bool
    var entries: [String: ToolValue] = [:]
    var key: String?
    var items: [ToolValue] = []
  }

  /// The document's value; nil if it isn't a complete property list.
  package static func read(_ data: Data) -> ToolValue? {
    var reader = XMLPropertyList(bytes: Array(data))
    while reader.root == nil {
      guard reader.step() else { return nil }
    }
    return reader.root
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  /// Process the next tag; false if there is none or it is misplaced.
  private mutating func step() -> Bool {
    guard let start = find(UInt8(ascii: "<"), from: position) else { return false }
    position = start + 1
    if bytes[position...].first == UInt8(ascii: "!"), follows("!--") {
      guard let end = find("-->", from: position) else { return false }
      position = end + 3
      return true
    }
    guard let end = find(UInt8(ascii: ">"), from: position) else { return false }
    let tag = bytes[position..<end]
    position = end + 1
    guard let first = tag.first else { return false }
    if first == UInt8(ascii: "?") || first == UInt8(ascii: "!") { return true }
    if first == UInt8(ascii: "/") { return close(Self.name(tag.dropFirst())) }
    return enter(Self.name(tag), isEmpty: tag.last == UInt8(ascii: "/"))
  }

  private mutating func enter(_ name: String, isEmpty: Bool) -> Bool {
    switch name {
    case "plist": return true
    case "dict", "array":
      guard open.count < Self.deepest else { return false }
      open.append(Container(isDictionary: name == "dict"))
      return isEmpty ? close(name) : true
    case "true": return add(.bool(true))
    case "false": return add(.bool(false))
    case "key", "string", "integer", "real", "date", "data":
      guard let content = isEmpty ? "" : content(of: name) else { return false }
      if name == "key" { return put(key: content) }
      return add(Self.value(name, content))
    default: return false
    }
  }

  /// The text up to this element's closing tag.
  private mutating func content(of name: String) -> String? {
    guard let end = closing(name), let after = find(UInt8(ascii: ">"), from: end) else { return nil }
    let text = String(decoding: bytes[position..<end], as: UTF8.self)
    position = after + 1
    return text.utf8.contains(UInt8(ascii: "&")) ? Self.unescaped(text) : text
  }

  /// Position of this element's closing tag, which is usually the next tag.
  private func closing(_ name: String) -> Int? {
    guard let next = find(UInt8(ascii: "<"), from: position) else { return nil }
    let tag = bytes[next...].dropFirst()
    if tag.first == UInt8(ascii: "/"), tag.dropFirst().starts(with: name.utf8) { return next }
    return find("</" + name, from: next)
  }

  private static func value(_ name: String, _ content: String) -> ToolValue {
    let content = name == "string" ? content : trimmed(content)
    switch name {
    case "string": return .string(content)
    case "integer":
      if let value = Int(content) { return .int(value) }
      return UInt64(content).map { .int(Int(bitPattern: UInt($0))) } ?? .other
    case "real":
      guard let value = Double(content), value.isFinite else { return .other }
      return .double(value)
    case "date": return .date
    case "data": return .data
    default: return .other
    }
  }

  private mutating func put(key: String) -> Bool {
    guard let last = open.indices.last, open[last].isDictionary else { return false }
    open[last].key = key
    return true
  }

  private mutating func add(_ value: ToolValue) -> Bool {
    guard let last = open.indices.last else {
      root = value
      return true
    }
    guard open[last].isDictionary else {
      open[last].items.append(value)
      return true
    }
    guard let key = open[last].key else { return false }
    open[last].entries[key] = value
    open[last].key = nil
    return true
  }

  private mutating func close(_ name: String) -> Bool {
    guard let last = open.popLast(), name == (last.isDictionary ? "dict" : "array") else { return false }
    return add(last.isDictionary ? .dictionary(last.entries) : .array(last.items))
  }

  private static func name(_ tag: ArraySlice<UInt8>) -> String {
    let letters = tag.prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "/") && $0 > 0x20 }
    return String(decoding: letters, as: UTF8.self)
  }

  private func follows(_ text: String) -> Bool {
    bytes[position...].starts(with: text.utf8)
  }

  private func find(_ byte: UInt8, from start: Int) -> Int? {
    bytes.withUnsafeBytes { $0.place(of: byte, from: start) }
  }

  private func find(_ text: String, from start: Int) -> Int? {
    guard let first = text.utf8.first else { return nil }
    var place = start
    while let next = find(first, from: place) {
      if bytes[next...].starts(with: text.utf8) { return next }
      place = next + 1
    }
    return nil
  }

  private static let entities = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]

  private static func unescaped(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let ampersand = rest.firstIndex(of: "&") {
      result += rest[..<ampersand]
      rest = rest[rest.index(after: ampersand)...]
      guard let semicolon = rest.prefix(10).firstIndex(of: ";") else {
        result += "&"
        continue
      }
      result += character(rest[..<semicolon])
      rest = rest[rest.index(after: semicolon)...]
    }
    return result + rest
  }

  private static func character(_ entity: Substring) -> String {
    if let known = entities[String(entity)] { return known }
    guard entity.first == "#" else { return "" }
    let isHexadecimal = entity.dropFirst().first == "x"
    let digits = entity.dropFirst(isHexadecimal ? 2 : 1)
    let scalar = UInt32(digits, radix: isHexadecimal ? 16 : 10).flatMap(Unicode.Scalar.init)
    return scalar.map { String(Character($0)) } ?? ""
  }
}
