import Formats
import Foundation

/// The parts of a tool's output that a recording keeps: those that its reader reads, declared next
/// to the reader. Everything else becomes a placeholder of the same type. A field that is read but
/// not declared would be replaced and make the replay describe another Mac: a test checks every
/// reader.
package struct Recorded: Sendable {
  /// For JSON or property list output.
  var shape = Shape.nothing
  /// For text output: returns the line to keep; nil for a line that nothing reads.
  package var line: @Sendable (_ line: Substring, _ answer: String, _ names: StandIns) -> String? = { _, _, _ in nil }

  package init(
    shape: Shape = .nothing,
    line: @escaping @Sendable (_ line: Substring, _ answer: String, _ names: StandIns) -> String? = { _, _, _ in nil }
  ) {
    self.shape = shape
    self.line = line
  }

  /// Placeholder for a line that no reader reads.
  static let unread = "…"
}

/// The parts of a structured value to keep.
package indirect enum Shape: Sendable {
  /// Nothing: a placeholder of the value's type.
  case nothing
  /// The value, which identifies nobody: a number, a word of Apple's, a model name.
  case fact
  /// A device's manufacturer, kept if a disk is named after it.
  case maker
  /// The closure's result for a text; a placeholder if nil.
  case text(@Sendable (String) -> String?)
  /// A path's form and file suffix, with placeholders for its names.
  case path
  /// A dictionary's values, by key.
  case fields(@Sendable (_ key: String) -> Shape?)
  /// A list's items.
  case each(Shape)
  /// The same as the enclosing dictionary, for trees.
  case same
  /// A shape that depends on the value.
  case either(@Sendable (ToolValue) -> Shape)

  static func fields(_ shapes: [String: Shape]) -> Shape { .fields { shapes[$0] } }

  /// A disk name under /dev; any other text is replaced.
  package static let device = Shape.text { DeviceName.read($0) == nil ? nil : $0 }
}

/// Placeholders for names in one recording: the same text always gets the same placeholder, so that
/// outputs still refer to each other. They are numbered, not hashed: the digest of a short name can
/// be guessed.
package final class StandIns {
  /// Names of this Mac and its user, never part of a fact.
  private let privateNames: [String]
  /// Model names of the disks; nil if unknown.
  private let models: [String]?
  private var names: [String: String] = [:]

  package init(privateNames: [String] = [], models: [String]? = nil) {
    self.models = models?.filter { !OwnersName.isIn($0, privateNames: privateNames) }.map(LabelledText.plain)
    self.privateNames = privateNames.filter { $0.count >= 3 && !KnownNames.isHarmless($0) }
  }

  package func name(_ text: String) -> String {
    if Self.saysNothing(text) { return text }
    // A value redacted earlier must not be read, but could reveal what it was.
    return Redacted.isPlaceholder(text) ? "<redacted>" : standIn(text)
  }

  private func standIn(_ text: String) -> String {
    if let known = names[text] { return known }
    // A medium is named after its device.
    if text.hasSuffix(Self.medium), text.count > Self.medium.count { return standIn(String(text.dropLast(Self.medium.count))) + Self.medium }
    let number = String(names.count + 1)
    let name: String
    if Self.isUUID(text) {
      name = "00000000-0000-4000-8000-" + String(repeating: "0", count: max(0, 12 - number.count)) + number
    } else {
      name = (text.hasPrefix("0x") ? "0x" : "name-") + number
    }
    names[text] = name
    return name
  }

  private static let medium = " Media"

  /// Whether a text is a recording's placeholder.
  package static func isStandIn(_ text: String) -> Bool {
    text.hasPrefix("name-") && text.dropFirst("name-".count).allSatisfy(\.isNumber)
  }

  /// The text if it is a fact; nil if it contains an owner's name.
  func fact(_ text: String) -> String? { OwnersName.isIn(text, privateNames: privateNames) ? nil : text }

  /// A manufacturer's name, needed if a medium is named after it.
  func maker(_ text: String) -> String? {
    guard let models else { return fact(text) }
    let plain = LabelledText.plain(text)
    return !plain.isEmpty && models.contains { $0.hasPrefix(plain) } ? fact(text) : nil
  }

  /// Directories that every Mac has, and suffixes of disk images.
  private static let places: Set<String> = ["", "/", "Users", "Shared", "Volumes", "System", "Library", "private", "var", "tmp", "token"]
  private static let suffixes: Set<String> = ["dmg", "img", "iso", "cdr", "sparsebundle", "backupbundle", "sparseimage", "asif", "shadow"]

  package func path(_ path: String) -> String {
    // A RAM disk has no path.
    if path.hasPrefix("ram:") { return "ram://0" }
    // A file name may look like a redaction placeholder ("x.dmg").
    func name(_ part: String) -> String { Self.saysNothing(part) ? part : standIn(part) }
    return path.split(separator: "/", omittingEmptySubsequences: false).map { part in
      let part = String(part)
      guard !Self.places.contains(part) else { return part }
      let suffix = part.split(separator: ".").dropFirst().last.map { $0.lowercased() } ?? ""
      return Self.suffixes.contains(suffix) ? name(String(part.dropLast(suffix.count + 1))) + "." + suffix : name(part)
    }.joined(separator: "/")
  }

  /// Whether a text is empty or one repeated character, and so no serial number.
  static func saysNothing(_ text: String) -> Bool {
    Set(text.filter { !$0.isWhitespace }).count <= 1 && !(text.count == 1 && text.first?.isLetter == true)
  }

  private static func isUUID(_ text: String) -> Bool { text.count == 36 && UUID(uuidString: text) != nil }
}

extension StandIns {
  package func kept(_ value: ToolValue, _ shape: Shape, around: Shape = .nothing) -> ToolValue {
    switch shape {
    case .same: return kept(value, around, around: around)
    case .either(let decide): return kept(value, decide(value), around: around)
    case .fields(let known):
      guard case .dictionary(let entries) = value else { return replaced(value) }
      return dictionary(entries) { kept($1, known($0) ?? .nothing, around: shape) } isKnown: { known($0) != nil }
    case .each(let item):
      guard case .array(let items) = value else { return replaced(value) }
      return .array(items.map { kept($0, item, around: around) })
    case .nothing: return replaced(value)
    case .fact, .maker, .text, .path: return leaf(value, shape)
    }
  }

  private func leaf(_ value: ToolValue, _ shape: Shape) -> ToolValue {
    guard case .string(let text) = value else {
      switch (value, shape) {
      case (.int, .fact), (.double, .fact), (.bool, .fact): return value
      default: return replaced(value)
      }
    }
    switch shape {
    case .path: return .string(path(text))
    case .text(let keep): return .string(keep(text).flatMap(fact) ?? name(text))
    case .maker: return .string(maker(text) ?? name(text))
    default: return .string(Redacted.isPlaceholder(text) ? name(text) : fact(text) ?? name(text))
    }
  }

  private func replaced(_ value: ToolValue) -> ToolValue {
    switch value {
    case .dictionary(let entries): dictionary(entries) { replaced($1) } isKnown: { _ in false }
    case .array(let items): .array(items.map(replaced))
    case .string(let text): .string(name(text))
    case .int: .int(0)
    case .double: .double(0)
    case .bool: .bool(false)
    case .other, .date, .data: value
    }
  }

  /// Keep unread keys that look like a tool's own, to show developers what is new.
  private func dictionary(_ entries: [String: ToolValue], _ kept: (String, ToolValue) -> ToolValue, isKnown: (String) -> Bool) -> ToolValue {
    var result: [String: ToolValue] = [:]
    for key in entries.keys.sorted() {
      let isTools = isKnown(key) || (Self.isToolsKey(key) && fact(key) != nil)
      result[isTools ? key : name(key)] = entries[key].map { kept(key, $0) }
    }
    return .dictionary(result)
  }

  /// Whether a key looks like a tool's own ("spnvme_linkwidth", "USBDeviceKeyProductID"): several
  /// words run together, in letters and digits.
  package static func isToolsKey(_ key: String) -> Bool {
    guard key.count <= 64, key.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }) else { return false }
    let humps = zip(key, key.dropFirst()).count { $0.isLowercase && $1.isUppercase }
    return humps > 0 || key.hasSuffix("_key") || key.hasSuffix("_tag") || key.hasPrefix("sp") && key.contains("_")
  }
}

extension Recorded {
  package func kept(_ answer: Data, _ names: StandIns) -> Data {
    if let value = ToolValue(answer) { return names.kept(value, shape).written(as: answer) }
    let text = String(decoding: answer, as: UTF8.self)
    let lines = Lines.of(text).map { line -> String in
      line.allSatisfy(\.isWhitespace) ? "" : self.line(line, text, names).flatMap(names.fact) ?? Self.unread
    }
    return Data(lines.map { $0 + "\n" }.joined().utf8)
  }

  /// Keep "Label: value" lines, with the value that `kept` returns; drop the line if that is nil.
  package static func labels(
    _ kept: @escaping @Sendable (_ label: String, _ value: String, _ answer: String, StandIns) -> String?
  ) -> @Sendable (Substring, String, StandIns) -> String? {
    { line, answer, names in
      guard let read = LabelledText(line).lines.first, let value = kept(read.label, read.value, answer, names) else { return nil }
      return String(repeating: " ", count: read.depth) + read.label + ": " + value
    }
  }

  /// Keep the values of these labels unchanged.
  package static func facts(_ labels: Set<String>) -> @Sendable (String, String) -> String? {
    let plain = Set(labels.map { LabelledText.plain($0) })
    return { plain.contains(LabelledText.plain($0)) ? $1 : nil }
  }
}
