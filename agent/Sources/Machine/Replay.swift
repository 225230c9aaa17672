import Base
import Formats
import Foundation
import LocalState

/// A Mac's tools, answered from files: `MACMETER_REPLAY=DIR` reads DIR/replies.json, a list of
/// `{"command": ["sw_vers"], "file": "sw_vers.txt", "exit": 0}`. A command that isn't listed fails
/// as if the tool were missing. docs/simulated-macs.md describes how to make such a directory.
package struct Replay: Sendable {
  static let variable = "MACMETER_REPLAY"
  package static let listName = "replies.json"
  /// Placeholder for any directory of this machine in a listed command.
  static let anyPath = "PATH"

  struct Reply: Equatable, Sendable {
    var command: [String]
    /// The tool's output; nil if it printed nothing.
    var file: String?
    var exit: Int32
  }

  let replies: [Reply]

  /// The replay that the environment requests; nil if none.
  package static func asked(_ environment: [String: String]) throws -> Replay? {
    guard let directory = environment[variable], !directory.isEmpty else { return nil }
    return try Replay(directory: directory)
  }

  package init(directory: String) throws {
    let list = directory + "/" + Self.listName
    guard let data = FileManager.default.contents(atPath: list) else {
      throw ReplayError("\(Self.variable)=\(directory): cannot read \(Self.listName) in it")
    }
    guard case .array(let entries)? = ToolValue(data) else {
      throw ReplayError("\(list) is not a JSON list; it should look like [{\"command\": [\"sw_vers\"], \"file\": \"sw_vers.txt\"}]")
    }
    var replies: [Reply] = []
    for (index, entry) in entries.enumerated() {
      let place = "\(list), entry \(index + 1)"
      let reply = try Self.reply(entry, in: directory, place)
      if let earlier = replies.firstIndex(where: { $0.command == reply.command }) {
        throw ReplayError("\(place): same command as entry \(earlier + 1); keep one of them")
      }
      replies.append(reply)
    }
    self.replies = replies
  }

  private static func reply(_ entry: ToolValue, in directory: String, _ place: String) throws -> Reply {
    if let key = entry.entries.keys.sorted().first(where: { !["command", "file", "exit"].contains($0) }) {
      throw ReplayError("\(place): unknown key \"\(key)\"; use command, file and exit")
    }
    let words = (entry["command"]?.items ?? []).map { item -> String? in
      if case .string(let word) = item { return word }
      return nil
    }
    guard let tool = words.first, tool?.isEmpty == false, !words.contains(nil) else {
      throw ReplayError("\(place): \"command\" should be a list of words, such as [\"pmset\", \"-g\", \"batt\"]")
    }
    var reply = Reply(command: words.compactMap { $0 }, file: nil, exit: 0)
    if let exit = entry["exit"] {
      guard case .int(let code) = exit, (0...255).contains(code) else {
        throw ReplayError("\(place): \"exit\" should be the tool's exit code, 0 to 255")
      }
      reply.exit = Int32(code)
    }
    if let file = entry["file"] {
      guard case .string(let name) = file, !name.isEmpty else {
        throw ReplayError("\(place): \"file\" should name a file with what the tool printed")
      }
      let path = name.hasPrefix("/") ? name : directory + "/" + name
      guard FileManager.default.isReadableFile(atPath: path) else {
        throw ReplayError("\(place): the file \(name) is missing; add it, or remove the entry")
      }
      reply.file = path
    }
    return reply
  }

  package func answer(_ command: [String]) -> ToolResult? {
    guard let reply = replies.first(where: { $0.command == command }) ?? replies.first(where: { Self.stands($0.command, for: command) })
    else { return nil }
    let output = reply.file.flatMap { FileManager.default.contents(atPath: $0) } ?? Data()
    return ToolResult(status: reply.exit, output: output)
  }

  /// The Mac's preference property lists in a directory, as printed by plutil.
  func propertyLists(in directory: String) -> [String] {
    replies.compactMap { reply in
      guard reply.command.first == "plutil", let path = reply.command.last as NSString?,
        path.deletingLastPathComponent == directory
      else { return nil }
      return path.lastPathComponent
    }
  }

  /// Whether a listed command is equivalent: a tool given by its path, a disk by its /dev name, a
  /// directory listed as PATH, or a report that includes more.
  private static func stands(_ listed: [String], for command: [String]) -> Bool {
    let (listed, command) = (plain(listed), plain(command))
    guard listed[0] == command[0] else { return false }
    if listed[0] == "system_profiler" {
      return command.filter { $0 == "-json" || $0.hasPrefix("SP") }.allSatisfy(listed.contains)
    }
    return listed.count == command.count && zip(listed, command).allSatisfy { listed, word in
      listed == word || (listed == anyPath && word.hasPrefix("/") && access(word, F_OK) == 0)
    }
  }

  private static func plain(_ command: [String]) -> [String] {
    let words = command.map { $0.hasPrefix("/dev/disk") ? String($0.dropFirst(5)) : $0 }
    return [words[0].split(separator: "/").last.map(String.init) ?? words[0]] + words.dropFirst()
  }
}

/// An error in a replay's list, with the entry and how to fix it.
struct ReplayError: Error, Equatable, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

extension World {
  /// This world with a replayed Mac's tools instead of this machine's. Measurements and state stay
  /// real; no other fact about this machine reaches a document.
  package func replaying(_ replay: Replay) -> World {
    var world = self
    world.system = .macOS
    world.isSimulated = true
    world.run = { tool, arguments, _ in replay.answer([tool] + arguments) }
    world.stream = { command, take in
      guard let answer = replay.answer(command) else { return nil }
      take(answer.output)
      return RunningTool { ToolResult(status: answer.status, output: Data()) }
    }
    world.thermalState = { nil }
    world.readText = { [readText] path in Self.isOfThisMachine(path) ? nil : readText(path) }
    world.list = { [list] path in
      Self.isOfThisMachine(path) ? [] : list(path) + replay.propertyLists(in: path)
    }
    // A replay must not replace this machine's identity.
    if environment["MACMETER_HOME"] ?? "" == "", let home = try? StateDirectory.location(environment) {
      world.environment["MACMETER_HOME"] = home + StateDirectory.replays
    }
    return world
  }

  /// Whether a path holds facts about this machine; the agent's own process information doesn't
  /// count.
  private static func isOfThisMachine(_ path: String) -> Bool {
    ["/proc/", "/sys/", "/etc/"].contains { path.hasPrefix($0) } && !path.hasPrefix("/proc/self/")
  }
}
