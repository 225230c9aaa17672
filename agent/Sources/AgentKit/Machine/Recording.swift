import Foundation

/// Writes what a Mac's tools answer to the agent as a directory that MACMETER_REPLAY reads.
enum Recording {
  static func make(in directory: String, of path: String, _ world: World) throws -> ExitCode {
    guard world.system == .macOS else {
      throw StateError("--record writes what a Mac's tools answer; this is no Mac")
    }
    guard !FileManager.default.fileExists(atPath: directory + "/" + Replay.listName) else {
      throw StateError("\(directory) holds a recording already: name a new directory")
    }
    do {
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    } catch {
      throw StateError("cannot make \(directory): \(error.localizedDescription)")
    }
    let answers = Answers()
    var asking = world
    asking.run = { [run = world.run] tool, arguments, input in
      let answer = run(tool, arguments, input)
      if let answer { answers.add([tool] + arguments, answer) }
      return answer
    }
    let facts = MachineFacts.read(asking)
    let target = Target.probe(path, facts: facts, deviceKey: [], world: asking)
    try write(answers.all, to: directory, path: path, Redaction(privateNames: world.privateNames()))
    try compare(facts, target, directory, path, world)
    return .success
  }

  private static func write(
    _ answers: [(command: [String], result: ToolResult)], to directory: String, path: String, _ redaction: Redaction
  ) throws {
    var entries: [Entry] = []
    for (index, answer) in answers.enumerated() {
      let number = String(index + 1)
      let tool = answer.command.first { !$0.isEmpty } ?? "tool"
      let file = String(repeating: "0", count: max(0, 2 - number.count)) + number + "_" + tool + ".txt"
      let command = answer.command.map { word in
        word == path ? Replay.anyPath : word.hasPrefix("/") ? redaction.redacted(word) : word
      }
      let output = redaction.redacted(answer.result.output, of: answer.command)
      try DurableFile.write(output, to: directory + "/" + file)
      entries.append(Entry(command: command, file: file, exit: answer.result.status))
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try DurableFile.write(try encoder.encode(entries), to: directory + "/" + Replay.listName)
  }

  private struct Entry: Encodable {
    let command: [String]
    let file: String
    let exit: Int32
  }

  /// Reads the recording as a replay would: what was replaced must not have been a fact.
  private static func compare(
    _ facts: MachineFacts, _ target: TargetRecord, _ directory: String, _ path: String, _ world: World
  ) throws {
    let replayed = world.replaying(try Replay(directory: directory))
    var expected = facts
    var again = MachineFacts.read(replayed)
    // Heat and the room on the disk do not come from tools, the load is another at each moment.
    for change in [\MachineFacts.environment.thermalState, \.platform] { expected[keyPath: change] = again[keyPath: change] }
    again.isSimulated = facts.isSimulated
    var expectedTarget = target
    let targetAgain = Target.probe(path, facts: again, deviceKey: [], world: replayed)
    expectedTarget.capacityBytes = targetAgain.capacityBytes
    expectedTarget.freeBytes = targetAgain.freeBytes
    let isSame = again == expected && targetAgain == expectedTarget
    world.terminal.say("Recorded in \(directory). Read the files through before you send them to anybody.")
    world.terminal.say(
      isSame
        ? "Replayed, they tell the same of this Mac."
        : "Replayed, they do not tell all that this Mac's tools told: what was replaced was part of it. Send them all the same, and say so.")
    world.terminal.say("See for yourself: \(Replay.variable)=\(directory) macmeter info")
  }

  private final class Answers: @unchecked Sendable {
    private let lock = NSLock()
    private var kept: [(command: [String], result: ToolResult)] = []

    var all: [(command: [String], result: ToolResult)] { lock.withLock { kept } }

    func add(_ command: [String], _ result: ToolResult) {
      lock.withLock { if !kept.contains(where: { $0.command == command }) { kept.append((command, result)) } }
    }
  }
}

/// Replaces what tells whose Mac an output is from, or which one it is: the same text always by the same
/// stand-in, so that outputs still refer to each other.
struct Redaction {
  let privateNames: [String]

  func redacted(_ output: Data, of command: [String]) -> Data {
    // What begins an image file; behind its first words stand a UUID and keys.
    if command.first == "head" { return output.prefix(32) + Data(count: max(0, output.count - 32)) }
    guard let text = String(data: output, encoding: .utf8) else { return Data() }
    if command.first == "ps" { return Data(processes(text).utf8) }
    return Data(redacted(text).utf8)
  }

  func redacted(_ text: String) -> String {
    var text = text
    for (pattern, standIn) in Self.patterns { text = Self.replacing(pattern, in: text, with: standIn) }
    for name in privateNames.sorted(by: { $0.count > $1.count }) where name.count >= 2 && name != "root" {
      // A short name may be part of a word that means something, as "vm" is of "vm.loadavg".
      let word = NSRegularExpression.escapedPattern(for: name)
      text = Self.replacing(name.count >= 4 ? "(?i)(\(word))" : "(?i)(?<![\\w.])(\(word))(?![\\w.])", in: text) { _ in "someone" }
    }
    return text
  }

  /// Names of programs are private, but for those of macOS that the agent looks for.
  private func processes(_ text: String) -> String {
    Lines.of(text).map { line -> String in
      let words = line.split(maxSplits: 1) { $0.isWhitespace }
      guard words.count == 2, !BackgroundWork.isKnown(LinuxFacts.trimmed(words[1])) else { return String(line) }
      return " \(words[0]) process"
    }.joined(separator: "\n") + "\n"
  }

  /// The first group of each is what is replaced.
  private static let patterns: [(pattern: String, standIn: @Sendable (String) -> String)] = [
    ("([0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12})", { text in
      RunIdentifier.machine(random: SHA256.digest(of: Array(text.uppercased().utf8))).uppercased()
    }),
    ("\"[^\"\\n]*(?i:serial|udid|_uid|uuid)[^\"\\n]*\"\\s*[:=]\\s*[<]?\"([^\"\\n]+)\"", coded),
    ("<key>[^<]*(?i:serial|udid|_uid)[^<]*</key>\\s*<string>([^<]+)</string>", coded),
    ("(?i:serial number|udid)[^:\\n]*:[ \\t]+(\\S.*)", coded),
    ("(?:^|[^0-9a-fA-F])((?:[0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2})(?![0-9a-fA-F:])", { _ in "02:00:00:00:00:00" }),
    ("/Users/([^/\"<\\n]+)", { $0 == "Shared" ? $0 : "someone" }),
    ("/Volumes/([^/\"<\\n]+)", { "Volume-" + coded($0).suffix(4) }),
    ("/(?:Users/someone|Volumes/[^/\"<\\n]+)/([^\"<\\n]+)", { $0.split(separator: "/").map(file).joined(separator: "/") }),
    ("<key>(?:VolumeName|volume-name|Name)</key>\\s*<string>([^<]+)</string>", { "Volume-" + coded($0).suffix(4) }),
    ("(?:kern\\.hostname|ComputerName|UserNameKey)[\"=: ]+([^\"\\n]+)", { _ in "someone" }),
  ]

  /// A sparse bundle's header is called as every other's.
  private static func file(_ name: Substring) -> String {
    guard name != "token" else { return String(name) }
    let suffix = name.split(separator: ".").dropFirst().last.map { "." + $0 } ?? ""
    return "file-" + coded(String(name)).suffix(4) + suffix
  }

  @Sendable private static func coded(_ text: String) -> String {
    String("STANDIN" + SHA256.digest(of: Array(text.utf8)).prefix(4).hexadecimal.uppercased())
  }

  private static func replacing(_ pattern: String, in text: String, with standIn: (String) -> String) -> String {
    guard let expression = try? NSRegularExpression(pattern: pattern, options: .anchorsMatchLines) else { return text }
    var result = ""
    var end = text.startIndex
    for match in expression.matches(in: text, range: NSRange(text.startIndex..., in: text)) {
      guard let range = Range(match.range(at: 1), in: text), range.lowerBound >= end else { continue }
      result += text[end..<range.lowerBound] + standIn(String(text[range]))
      end = range.upperBound
    }
    return result + text[end...]
  }
}
