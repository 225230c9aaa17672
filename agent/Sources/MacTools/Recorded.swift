import Formats
import Foundation

/// What a recording keeps of a tool's answer: what its reader reads, declared beside the reader. All else
/// becomes a placeholder of its type. A field that is read but not named here is replaced, and the
/// replay describes another Mac: a test checks every reader.
package struct Recorded: Sendable {
  /// Of an answer in JSON or as a property list.
  var shape = Shape.nothing
  /// Of an answer as text: one of its lines as it is kept; nil for one that nobody reads.
  package var line: @Sendable (_ line: Substring, _ answer: String, _ names: StandIns) -> String? = { _, _, _ in nil }

  package init(
    shape: Shape = .nothing,
    line: @escaping @Sendable (_ line: Substring, _ answer: String, _ names: StandIns) -> String? = { _, _, _ in nil }
  ) {
    self.shape = shape
    self.line = line
  }

  /// Stands in a recording for a line that no reader reads.
  static let unread = "…"
}

/// What is kept of a value in a structured answer.
package indirect enum Shape: Sendable {
  /// Nothing: a placeholder of the value's type.
  case nothing
  /// The value, which names nobody: a number, a word of Apple's, a model's name.
  case fact
  /// Whoever is said to have made a device, which is kept if a disk is called after it.
  case maker
  /// What is made of a text; a placeholder if that is nil.
  case text(@Sendable (String) -> String?)
  /// A path: its form and its file's suffix, with placeholders for the names in it.
  case path
  /// A dictionary's values, by their keys.
  case fields(@Sendable (_ key: String) -> Shape?)
  /// A list's items.
  case each(Shape)
  /// As the dictionary around it, for trees.
  case same
  /// Where the value itself decides.
  case either(@Sendable (ToolValue) -> Shape)

  static func fields(_ shapes: [String: Shape]) -> Shape { .fields { shapes[$0] } }

  /// A disk's name under /dev, and no other text.
  package static let device = Shape.text { DeviceName.read($0) == nil ? nil : $0 }
}

/// Names that replace others in one recording: the same text always becomes the same placeholder, so that
/// answers still refer to each other. They are counted, not computed: a digest of a short name can be
/// guessed.
package final class StandIns {
  /// Words of this Mac's user and its name: in no fact.
  private let privateNames: [String]
  /// What the disks are called; nil where that is unknown.
  private let models: [String]?
  private var names: [String: String] = [:]

  package init(privateNames: [String] = [], models: [String]? = nil) {
    self.models = models?.filter { !OwnersName.isIn($0, privateNames: privateNames) }.map(LabelledText.plain)
    self.privateNames = privateNames.filter { $0.count >= 3 && !KnownNames.isHarmless($0) }
  }

  package func name(_ text: String) -> String {
    if Self.saysNothing(text) { return text }
    // What somebody took out before is nothing to read, but could say what it was.
    return Redacted.isPlaceholder(text) ? "<redacted>" : standIn(text)
  }

  private func standIn(_ text: String) -> String {
    if let known = names[text] { return known }
    // A medium is called after its device.
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

  /// Whether a text is a placeholder of a recording.
  package static func isStandIn(_ text: String) -> Bool {
    text.hasPrefix("name-") && text.dropFirst("name-".count).allSatisfy(\.isNumber)
  }

  /// A text that is a fact, unless an owner's name is part of it.
  func fact(_ text: String) -> String? { OwnersName.isIn(text, privateNames: privateNames) ? nil : text }

  /// A manufacturer's name, which is needed where a medium is called after it.
  func maker(_ text: String) -> String? {
    guard let models else { return fact(text) }
    let plain = LabelledText.plain(text)
    return !plain.isEmpty && models.contains { $0.hasPrefix(plain) } ? fact(text) : nil
  }

  /// Directories that every Mac has, and kinds of disk images.
  private static let places: Set<String> = ["", "/", "Users", "Shared", "Volumes", "System", "Library", "private", "var", "tmp", "token"]
  private static let suffixes: Set<String> = ["dmg", "img", "iso", "cdr", "sparsebundle", "backupbundle", "sparseimage", "asif", "shadow"]

  package func path(_ path: String) -> String {
    // A disk in memory has no path.
    if path.hasPrefix("ram:") { return "ram://0" }
    // Files may be called as somebody else's placeholder is ("x.dmg").
    func name(_ part: String) -> String { Self.saysNothing(part) ? part : standIn(part) }
    return path.split(separator: "/", omittingEmptySubsequences: false).map { part in
      let part = String(part)
      guard !Self.places.contains(part) else { return part }
      let suffix = part.split(separator: ".").dropFirst().last.map { $0.lowercased() } ?? ""
      return Self.suffixes.contains(suffix) ? name(String(part.dropLast(suffix.count + 1))) + "." + suffix : name(part)
    }.joined(separator: "/")
  }

  /// Empty, or one character over and over: nothing that a serial number could be.
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

  /// A key that no reader asks for stays where it looks like one of a tool's own, which tells a
  /// developer of something new.
  private func dictionary(_ entries: [String: ToolValue], _ kept: (String, ToolValue) -> ToolValue, isKnown: (String) -> Bool) -> ToolValue {
    var result: [String: ToolValue] = [:]
    for key in entries.keys.sorted() {
      let isTools = isKnown(key) || (Self.isToolsKey(key) && fact(key) != nil)
      result[isTools ? key : name(key)] = entries[key].map { kept(key, $0) }
    }
    return .dictionary(result)
  }

  /// "spnvme_linkwidth", "USBDeviceKeyProductID": several words run together, in letters and digits.
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

  /// Lines "Label: value" with those labels, as they are kept: a value as it is made, the line not at all
  /// where that is nil.
  package static func labels(
    _ kept: @escaping @Sendable (_ label: String, _ value: String, _ answer: String, StandIns) -> String?
  ) -> @Sendable (Substring, String, StandIns) -> String? {
    { line, answer, names in
      guard let read = LabelledText(line).lines.first, let value = kept(read.label, read.value, answer, names) else { return nil }
      return String(repeating: " ", count: read.depth) + read.label + ": " + value
    }
  }

  /// A value as it is, where its label is one of these.
  package static func facts(_ labels: Set<String>) -> @Sendable (String, String) -> String? {
    let plain = Set(labels.map { LabelledText.plain($0) })
    return { plain.contains(LabelledText.plain($0)) ? $1 : nil }
  }
}
