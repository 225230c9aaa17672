import Base
import Formats
import Foundation

/// Names of this Mac, its user and their possessions, gathered from tools' output and the system. A
/// recording is searched for them before it is written, however it was made.
package struct KnownNames {
  package enum Kind: String, CaseIterable {
    case user = "a user's name"
    case host = "the name of a Mac or a server"
    case serial = "a serial number"
    case identifier = "a UUID or another unique number"
    case address = "a network address"
    case volume = "the name of a volume or partition"
    case file = "the name of a file or directory"
    case program = "the name of a program"
  }

  private(set) var kinds: [String: Kind] = [:]
  /// Manufacturers' names of drives and devices: a volume with such a name identifies nobody.
  private var makers: Set<String> = []

  package init(privateNames: [String] = []) {
    for name in privateNames { add(name, .user) }
  }

  /// Add a name. The first kind wins: a user's name within a volume's name is still a user's.
  package mutating func add(_ name: String, _ kind: Kind) {
    let name = trimmed(name)
    let isNumber = name.allSatisfy { $0.isNumber || ".,%-+ ".contains($0) }
    guard name.count >= 3, !isNumber || kind == .serial || kind == .identifier, !StandIns.saysNothing(name), !Self.isHarmless(name),
      kinds[name] == nil
    else { return }
    kinds[name] = kind
  }

  /// The kind of a private name found in these texts, ignoring facts that a run publishes anyway.
  package func found(in texts: [String], besides facts: [String] = []) -> Kind? {
    let plain = texts.joined(separator: "\n")
    let told = facts.filter { $0.count >= 3 }.reduce(plain) { $0.replacingOccurrences(of: $1, with: "\u{fffc}") }
    for (name, kind) in kinds.sorted(by: { $0.key < $1.key }) {
      let isOwners = [.user, .host, .serial, .identifier, .address].contains(kind)
      if !isOwners, makers.contains(where: { Self.holds($0, name) }) { continue }
      if Self.holds(isOwners ? plain : told, name) { return kind }
    }
    return nil
  }

  /// Whether the text contains the name as a separate word.
  static func holds(_ text: String, _ name: String) -> Bool {
    var rest = text.startIndex..<text.endIndex
    while let place = text.range(of: name, options: .caseInsensitive, range: rest) {
      let before = place.lowerBound == text.startIndex ? nil : text[text.index(before: place.lowerBound)]
      let after = place.upperBound == text.endIndex ? nil : text[place.upperBound]
      if !isPart(before) && !isPart(after) { return true }
      rest = text.index(after: place.lowerBound)..<text.endIndex
    }
    return false
  }

  private static func isPart(_ character: Character?) -> Bool { character.map { $0.isLetter || $0.isNumber } ?? false }

  /// Whether every Mac has this name, or a tool prints it itself.
  static func isHarmless(_ name: String) -> Bool { harmless.contains(name.lowercased()) || Redacted.isPlaceholder(name) }

  private static let harmless: Set<String> = [
    "macintosh hd", "macintosh hd - data", "data", "preboot", "recovery", "vm", "update", "hardware", "xart", "iscpreboot", "system",
    "installer", "backup", "efi", "efi system partition", "ibootsystemcontainer", "recoveryoscontainer", "container", "disk image",
    "no name", "untitled", "shared", "root", "daemon", "nobody", "guest", "localhost", "mac", "macbook", "macbook air", "macbook pro",
    "mac mini", "mac studio", "mac pro", "imac", "imac pro", "apple", "usb", "disk", "ssd", "media", "internal", "external", "apfs",
    "not provided", "volumes", "users", "library", "macos", "off", "yes", "true", "false", "none", "nvme", "sata", "name",
  ]
}

extension KnownNames {
  /// Gather names from one tool's output.
  package mutating func gather(_ command: [String], _ answer: Data) {
    let text = String(decoding: answer, as: UTF8.self)
    for (kind, patterns) in Self.patterns {
      for pattern in patterns { Self.matches(pattern, text).forEach { add($0, kind) } }
    }
    for pattern in Self.paths {
      for path in Self.matches(pattern, text) { add(path: path) }
    }
    if let value = ToolValue(answer) {
      gather(value, in: [:])
    } else if let disk = DiskInformation.read(answer), disk.model == nil {
      add(DiskInformation.model(LabelledText(text)["Device / Media Name"]) ?? "", .volume)
    }
    guard command.first == "ps" else { return }
    for line in Lines.of(text) {
      let words = line.split(maxSplits: 1) { $0.isWhitespace }
      if words.count == 2, BackgroundWork.recorded.line(line, text, StandIns()) == " 0.0 process" { add(String(words[1]), .program) }
    }
  }

  private static let paths = ["(/(?:Users|Volumes)/[^\"<>\\n]+)"]

  private mutating func add(path: String) {
    let parts = path.split(separator: "/").map(String.init)
    guard parts.count > 1 else { return }
    add(parts[1], parts[0] == "Users" ? .user : .volume)
    for part in parts.dropFirst(2) where part != "token" { add(part, .file) }
  }

  /// The first group of each pattern is the name.
  private static let patterns: [(Kind, [String])] = [
    (.identifier, [
      "([0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12})", "(0x[0-9A-Fa-f]{12,})",
      "Battery-\\d+ \\(id=(\\d{4,})\\)", "(?i:udid|unique.?id)[^:=\\n]*[:=][\\s\"]*([^\\s\"<>]{6,})",
    ]),
    (.address, ["(?:^|[^0-9a-fA-F:])((?:[0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2})(?![0-9a-fA-F:])"]),
    (.serial, [
      "\"[^\"\\n]*(?i:serial)[^\"\\n]*\"\\s*[:=]\\s*[<]?\"([^\"\\n]+)\"", "<key>[^<]*(?i:serial)[^<]*</key>\\s*<string>([^<]+)</string>",
      "(?i:serial number)[^:\\n]*:[ \\t]+(\\S[^\\n]*)",
    ]),
    (.user, ["for user '([^'\\n]+)'", "(?i:longusername|username)\"?\\s*[=:]\\s*\"([^\"\\n]+)\"", "^//([^@/:\\s]+)@"]),
    (.host, [
      "kern\\.hostname[=: ]+([^\\n]+)", "(?i:computer.?name|local.?host.?name)[\"=: <]+([^\"\\n>]+)", "^//(?:[^@/\\s]*@)?([^/:\\s]+)/",
    ]),
    (.volume, ["(?:Volume|Set) Name:[ \\t]+(\\S[^\\n]*)", "Name:[ \\t]+([^\\n]+) \\(Case-"]),
    (.program, ["prevented by ([^)\\n]+)\\)"]),
  ]

  private static func matches(_ pattern: String, _ text: String) -> [String] {
    guard let expression = try? NSRegularExpression(pattern: pattern, options: .anchorsMatchLines) else { return [] }
    return expression.matches(in: text, range: NSRange(text.startIndex..., in: text)).compactMap { match in
      Range(match.range(at: 1), in: text).map { String(text[$0]) }
    }
  }

  private static let volumeKeys: Set<String> = ["volumename", "volume_name", "volume-name", "partitionname"]

  /// Gather names under keys for names, or under `_name` in a value that describes a volume or a
  /// Mac.
  private mutating func gather(_ value: ToolValue, in around: [String: ToolValue]) {
    for item in value.items { gather(item, in: around) }
    let entries = value.entries
    let keys = Set(entries.keys.map { $0.lowercased() })
    let isVolume = !keys.isDisjoint(with: ["mount_point", "volume_uuid", "file_system", "volumeuuid", "apfsvolumeuuid", "roles"])
    let isBus = entries["_name"]?.text?.hasPrefix("thunderbolt") == true
    let isMac = entries["services_title"] != nil || (entries["domain_uuid_key"] != nil && entries["mode_key"] == nil && !isBus)
    let model = DiskInformation.read(value)?.model
    let isCalled = isVolume || isMac || DisplayNames.isWithoutCable(value)
      || (entries["device_name"] != nil && !DiskInformation.isOfHardware(entries["protocol"]?.text))
    for (key, entry) in entries {
      gather(entry, in: entries)
      guard case .string(let text) = entry else { continue }
      let lower = key.lowercased()
      if Self.volumeKeys.contains(lower) || (lower == "name" && isVolume) || (key == "_name" && isVolume) { add(text, .volume) }
      if ["MediaName", "IORegistryEntryName"].contains(key) {
        if model == nil { add(DiskInformation.model(text) ?? "", .volume) } else { makers.insert(text) }
      }
      if key == "_name", isMac { add(text, .host) }
      if lower.contains("_uid") || lower.contains("udid") { add(text, .identifier) }
      guard ["_name", "device_model", "device_name", "device_name_key"].contains(key) else { continue }
      if OwnersName.isIn(text) { add(text, .user) } else if !isCalled { makers.insert(text) }
    }
  }
}
